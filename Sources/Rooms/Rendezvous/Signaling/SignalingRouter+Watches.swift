/// Creators that wait for the acceptance of their code.
extension SignalingRouter {
    mutating func watch(_ code: String, _ check: Check, _ socket: SocketID) -> [Output] {
        switch check {
        case .pending(let expiresAt):
            clients[socket]?.watches.insert(code)
            watches[code, default: Watch(sockets: [], expiresAt: expiresAt)].sockets.insert(socket)
            watches[code]?.expiresAt = expiresAt
            return [.send(socket, SignalingText.watching(code))]
        case .accepted(let room): return [.send(socket, SignalingText.roomAccepted(code, room))]
        case .unknown: return [.send(socket, SignalingText.watchEnded(code, "expired"))]
        case .forbidden: return [.refuse(socket, .forbidden)]
        }
    }

    /// A code was accepted.
    mutating func accepted(_ code: String, room: String) -> [Output] {
        let news = tellWatchers(of: code, SignalingText.roomAccepted(code, room))
        return news.isEmpty ? [] : news + [.count(.pushed)]
    }

    /// The store knows this of a code.
    /// - Parameter reason: what is said if it is gone.
    mutating func heard(_ code: String, _ news: CodeNews, reason: String) -> [Output] {
        switch news {
        case .accepted(let room): accepted(code, room: room)
        case .gone: endWatch(code, reason: reason)
        }
    }

    /// Time has gone on.
    mutating func tick(now: Timestamp) -> [Output] {
        due(now: now).flatMap { endWatch($0, reason: "expired") }
    }

    /// Codes whose time is over by the clock of this machine, for who asks a better one. They are due again a little later.
    mutating func takeDue(now: Timestamp) -> [String] {
        let due = due(now: now)
        for code in due { watches[code]?.expiresAt = now + 2000 }
        return due
    }

    private func due(now: Timestamp) -> [String] { watches.filter { $0.value.expiresAt <= now }.keys.sorted() }

    mutating func endWatch(_ code: String, reason: String) -> [Output] {
        tellWatchers(of: code, SignalingText.watchEnded(code, reason))
    }

    mutating func unwatch(_ code: String, _ socket: SocketID) {
        watches[code]?.sockets.remove(socket)
        if watches[code]?.sockets.isEmpty == true { watches[code] = nil }
    }

    private mutating func tellWatchers(of code: String, _ news: String) -> [Output] {
        guard let watch = watches.removeValue(forKey: code) else { return [] }
        return watch.sockets.sorted().map { socket in
            clients[socket]?.watches.remove(code)
            return .send(socket, news)
        }
    }
}
