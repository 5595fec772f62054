import DataChannels
import Foundation
import Networking

/// The sockets of the two, and what they are handed.
extension ServerCheck {
    /// - Parameter watcher: the socket of who made the code, which waits to be told of the guest.
    func signal(_ made: Made, _ watcher: CheckedSocket?) async {
        if let watcher { await expectGuest(made, on: watcher) }
        guard let one = await socket(), let two = await socket() else { return }
        defer {
            one.close()
            two.close()
        }
        var offered: OfferedICEServers?
        for (socket, side) in [(one, made.creator), (two, made.guest)] {
            try? socket.send(.joinRoom(room: made.room, device: side.device, ticket: side.ticket))
        }
        for socket in [one, two] {
            // They come before the room is ready, if there are any.
            let ready = await socket.next { notice in
                if case .iceServers(let servers) = notice { offered = servers }
                return switch notice {
                case .roomReady, .error: notice
                default: nil
                }
            }
            guard case .roomReady = ready else { return found(.join, .notSeated) }
        }
        found(.join)
        guard await relay(one, two), await relay(two, one) else { return found(.relay, .notRelayed) }
        found(.relay)
        await tryServers(offered?.servers ?? [])
    }

    private func socket() async -> CheckedSocket? {
        do throws(RoomsFailure) {
            return CheckedSocket(try await network.openSocket(server), patience: Self.patience)
        } catch {
            found(.join, .failure(error))
            return nil
        }
    }

    /// Waits for the guest as who made the code does; nil for servers that do not tell.
    func watch(_ made: Made) async -> CheckedSocket? {
        guard !made.creator.ticket.isEmpty, let socket = await socket() else { return nil }
        try? socket.send(
            .watch(joinID: made.code, device: made.creator.device, ticket: made.creator.ticket))
        let begun = await socket.next { notice in
            switch notice {
            case .watching, .watchEnded, .error: notice
            default: nil
            }
        }
        if case .watching = begun { return socket }
        socket.close()
        found(.watch, .notTold)
        return nil
    }

    private func expectGuest(_ made: Made, on socket: CheckedSocket) async {
        let told = await socket.next { notice in
            switch notice {
            case .roomAccepted, .watchEnded, .error: notice
            default: nil
            }
        }
        guard case .roomAccepted(_, let room) = told, room == made.room else { return found(.watch, .notTold) }
        found(.watch)
    }

    private func relay(_ from: CheckedSocket, _ to: CheckedSocket) async -> Bool {
        // Both kinds of servers pass on descriptions.
        let sdp = UUID().uuidString
        try? from.send(.offer(sdp: sdp))
        let heard = await to.next { notice in
            switch notice {
            case .offer, .error: notice
            default: nil
            }
        }
        return heard == .offer(sdp: sdp)
    }

    private func tryServers(_ servers: [ICEServer]) async {
        let addresses = servers.flatMap { server in
            server.urls.map { ICEServer(urls: [$0], username: server.username, credential: server.credential) }
        }
        let relays = addresses.filter { $0.urls[0].lowercased().hasPrefix("turn") }
        let hasTCP = relays.contains { $0.urls[0].lowercased().hasSuffix("transport=tcp") }
        found(.iceServers, relays.isEmpty ? .noServers : hasTCP ? nil : .noTCP)
        for address in addresses { report(await ICEServerCheck(server: address, network: network).finding()) }
    }
}

/// A socket that waits for one message after another, each for a limited time.
final class CheckedSocket {
    private let connection: WebSocketConnection
    private let patience: Duration

    init(_ connection: WebSocketConnection, patience: Duration) {
        (self.connection, self.patience) = (connection, patience)
    }

    func send(_ request: SignalingRequest) throws { try connection.send(request.text) }

    func close() { connection.close() }

    /// The first message that is wanted; nil if the socket ends, or after the time. Then it is of no more use.
    func next(_ wanted: (SignalingNotice) -> SignalingNotice?) async -> SignalingNotice? {
        let timer = Task { [connection, patience] in
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            connection.abort()
        }
        defer { timer.cancel() }
        for await event in connection.events {
            guard case .text(let text) = event, let notice = try? SignalingNotice(text: text) else { continue }
            if let found = wanted(notice) { return found }
        }
        return nil
    }
}
