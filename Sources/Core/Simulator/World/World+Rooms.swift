import AppCore

// The rooms subsystem: the rendezvous server and the links. The person at the other end is in `World+Peer.swift`.

extension World {
    static let unreachable = Failure(.serverUnreachable, retryable: true)

    mutating func noticeInRooms(_ effect: Effect) {
        switch effect.kind {
        case .watchRoom(let address): rooms.update(address.room) { $0.watch = effect.id }
        case .openLink(let address, let words, _):
            rooms.update(address.room) { $0.linkBegins(effect.id, words: words) }
        case .closeLink(let room): rooms.update(room) { $0.linkEnded() }
        case .leaveRoom(let address): rooms.update(address.room) { $0.linkEnded() }
        case .acceptFile(_, let message), .resumeFile(_, let message): rooms.incoming[message] = effect.id
        default: break
        }
    }

    /// False if the effect is not for this subsystem.
    mutating func carryOutInRooms(_ effect: Effect) -> Bool {
        let id = effect.id
        switch effect.kind {
        case .createRoom(_, let expiresIn): createRoom(id, expiresIn: expiresIn)
        case .joinRoom(let address): joinRoom(id, address)
        case .watchRoom(let address): watch(id, address.room)
        case .checkRoom(let address): check(id, address.room)
        case .deleteRooms(let addresses): deleteRooms(id, addresses.map(\.room))
        case .openLink(let address, _, _): connect(address.room)
        case .deliver(let room, _, _, _): deliver(effect, room)
        case .withdraw(let room, let messages):
            rooms.update(room) { $0.held.removeAll { effect in messages.contains { effect.kind.delivers($0) } } }
            done(id)
        case .acceptFile(let room, let message): receiveFile(id, room, message)
        case .cancelFile(_, let message): stopFile(id, message)
        case .pauseFile(_, let message): pauseFile(id, message)
        case .resumeFile(let room, let message): resumeFile(id, room, message)
        default: return false
        }
        return true
    }

    // MARK: - The server

    private mutating func createRoom(_ effect: EffectID, expiresIn: Int64) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        let code = String(Int.random(in: 100_000...999_999, using: &random))
        let pair = (0..<2).compactMap { _ in Self.words.randomElement(using: &random) }
        let words = secrets.keep(pair.joined(separator: "-"), as: "words-of")
        let expiry = now.advanced(bySeconds: expiresIn)
        tell(.roomCreated(effect: effect, code: code, words: words, expiresAt: expiry), about: effect)
    }

    private static let words = ["alder", "birch", "cedar", "hazel", "heron", "maple", "otter", "robin", "tern", "wren"]

    private mutating func joinRoom(_ effect: EffectID, _ address: RoomAddress) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        guard let code = address.code, let words = settings.codes.removeValue(forKey: code) else {
            return fail(effect, Failure(.codeUnknown))
        }
        rooms.update(address.room) {
            $0.expectedWords = words
            $0.isPeerHere = true
        }
        tell(.roomJoined(effect: effect, serverRoom: makeServerRoom()), about: effect)
    }

    private mutating func makeServerRoom() -> ServerRoomID { ServerRoomID("server-room-of-\(rooms.number())") }

    private mutating func watch(_ effect: EffectID, _ room: RoomID) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        tell(.roomWatching(effect: effect, on: settings.pushes), about: effect)
        if settings.pushes, rooms[room]?.isPeerHere == true { accept(effect, room) }
    }

    private mutating func check(_ effect: EffectID, _ room: RoomID) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        if rooms[room]?.isPeerHere == true { return accept(effect, room) }
        if let expiry = rooms[room]?.expiresAt, expiry <= now { return fail(effect, Failure(.codeExpired)) }
        tell(.roomPending(effect: effect), about: effect)
    }

    /// Tells that the other person has entered the code.
    mutating func accept(_ effect: EffectID, _ room: RoomID) {
        let server = rooms[room]?.serverRoom ?? makeServerRoom()
        tell(.roomAccepted(effect: effect, serverRoom: server), about: effect)
    }

    private mutating func deleteRooms(_ effect: EffectID, _ ids: [RoomID]) {
        guard settings.online else { return fail(effect, Self.unreachable) }
        for id in ids {
            rooms.remove(id)
            circle.remove(id)
        }
        done(effect)
    }

    // MARK: - Links

    func link(_ effect: EffectID, _ state: LinkState) -> Event {
        .linkChanged(effect: effect, link: state, path: state == .connected ? settings.peer.path : nil)
    }

    /// Has the two machines find each other, if both are there.
    mutating func connect(_ id: RoomID) {
        guard let room = rooms[id], let effect = room.link else { return }
        if room.isOver { return fail(effect, Failure(circle[id].isRevoked ? .trustRevoked : .peerGone)) }
        guard settings.online else { return tell(link(effect, .connecting), about: effect) }
        guard room.isPeerHere else { return tell(link(effect, .waitingForPeer), about: effect) }
        if room.verification == .none {
            let verification = verification(of: room)
            let number = verification == .failed ? nil : Self.safetyNumber(of: id)
            tell(link(effect, .verifying), about: effect)
            tell(.verificationChanged(effect: effect, outcome: verification, safetyNumber: number), about: effect)
            if verification == .failed { return }
            if verification == .verified { tell(.peerRemembered(effect: effect), about: effect) }
        }
        tell(link(effect, .connected), about: effect)
        if room.verification == .none { introduce(id) }
    }

    private func verification(of room: WorldRoom) -> Verification {
        if room.isRemembered { return .verified }
        guard let words = room.words, settings.peer.words != .none else { return .unverified }
        // A person who joins may have typed words that are not those of the code.
        let isRight = room.expectedWords.map { !secrets.holds(words) || secrets.resolve(words) == $0 } ?? true
        return isRight && settings.peer.words == .right ? .verified : .failed
    }

    /// Sixty digits that are always the same for a room.
    static func safetyNumber(of room: RoomID) -> String {
        let seed = room.text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var digits = SplitMix64(seed: seed)
        return (0..<12).map { _ in String(10_000 + digits.next() % 90_000) }.joined(separator: " ")
    }

    // MARK: - What the core has heard

    mutating func observeInRooms(_ event: Event, isOwn: Bool) {
        switch event {
        case .acknowledged(let effect): acknowledged(effect, reacts: isOwn)
        case .roomCreated(let effect, _, _, let expiresAt, _): roomCreated(effect, expiresAt)
        case .roomJoined(let effect, let serverRoom, _), .roomAccepted(let effect, let serverRoom):
            roomEntered(effect, serverRoom)
        case .linkChanged(let effect, let state, _):
            guard let room = rooms.room(ofLink: effect) else { return }
            rooms.update(room) { $0.linkChanged(state) }
            flush(room)
        case .verificationChanged(let effect, let outcome, _):
            guard let room = rooms.room(ofLink: effect) else { return }
            rooms.update(room) { $0.verificationChanged(outcome) }
            flush(room)
        case .peerRemembered(let effect):
            guard let room = rooms.room(ofLink: effect) else { return }
            rooms.update(room) { $0.isRemembered = true }
        case .effectFailed(let effect, _), .effectDone(let effect): effectEnded(effect)
        case .reachabilityChanged(let online): reachabilityChanged(online)
        case .messageReceived(let room, let message, let sequence, _, let body, _):
            rooms.update(room) {
                $0.sequence = max($0.sequence, sequence)
                if case .file(let offer) = body { $0.offers[message] = offer }
            }
        case .peerLeft(let room, let forever):
            rooms.update(room) {
                $0.isPeerHere = false
                $0.isOver = $0.isOver || forever
            }
        default: break
        }
    }

    private mutating func roomCreated(_ effect: EffectID, _ expiresAt: Timestamp) {
        guard case .createRoom(let address, _) = books[effect] else { return }
        rooms.update(address.room) { $0.expiresAt = expiresAt }
        guard let wait = settings.peer.comesAfterMs else { return }
        agenda.add(.arrive(address.room), at: now.advanced(byMilliseconds: max(wait, 0)))
    }

    private mutating func roomEntered(_ effect: EffectID, _ serverRoom: ServerRoomID) {
        switch books[effect] {
        case .joinRoom(let address), .watchRoom(let address), .checkRoom(let address):
            rooms.update(address.room) {
                $0.serverRoom = serverRoom
                $0.isPeerHere = true
                $0.watch = nil
            }
        default: break
        }
    }

    private mutating func effectEnded(_ effect: EffectID) {
        switch books[effect] {
        case .openLink(let address, _, _) where rooms[address.room]?.link == effect:
            rooms.update(address.room) { $0.linkEnded() }
        case .watchRoom(let address) where rooms[address.room]?.watch == effect:
            rooms.update(address.room) { $0.watch = nil }
        case .acceptFile(_, let message), .resumeFile(_, let message): rooms.incoming[message] = nil
        default: break
        }
    }

    private mutating func reachabilityChanged(_ online: Bool) {
        guard online != settings.online else { return }
        settings.online = online
        for id in rooms.order {
            if online { peerLooks(for: id) }
            guard let room = rooms[id], let link = room.link else { continue }
            if online {
                connect(id)
            } else if room.isConnected {
                tell(self.link(link, .reconnecting), about: link)
            }
        }
    }
}

extension Effect.Kind {
    /// Whether this brings a message to the peer.
    func delivers(_ message: MessageID) -> Bool { if case .deliver(_, message, _, _) = self { true } else { false } }
}
