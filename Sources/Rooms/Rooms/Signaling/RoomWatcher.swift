import Networking
import Synchronization

/// Waits at the server for the news that a guest came into a room, and reconnects when the socket is lost.
///
/// While the socket is down its owner is told, so that it polls instead.
final class RoomWatcher: Sendable {
    /// The watched code or meeting, and the proof that it is ours.
    struct Subject: Sendable {
        var joinID: String
        var device: String
        var ticket: String
        var server: String
    }

    enum News: Sendable, Equatable {
        /// Whether the server will report at once when a guest comes.
        case watching(Bool)
        /// A guest came; with the room's id on the server. The last news.
        case accepted(serverRoom: String)
        /// The code is gone. The last news.
        case ended
    }

    private let subject: Subject
    private let network: RoomsNetwork
    private let tell: @Sendable (News) -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ subject: Subject, network: RoomsNetwork, tell: @escaping @Sendable (News) -> Void) {
        self.subject = subject
        self.network = network
        self.tell = tell
    }

    func start() {
        task.withLock { $0 = $0 ?? Task { await self.run() } }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    private func run() async {
        // A server without tickets has no watches either.
        guard !subject.ticket.isEmpty else { return tell(.watching(false)) }
        var backOff = BackOff()
        while !Task.isCancelled {
            var end = End.lost
            if let socket = try? await network.openSocket(subject.server) {
                end = await watch(on: socket, &backOff)
                socket.close()
                if end == .over || Task.isCancelled { return }
            }
            tell(.watching(false))
            let jitter = Double.random(in: 0...1)
            try? await Task.sleep(
                for: end == .moved ? BackOff.move(jitter: jitter) : backOff.next(jitter: jitter))
        }
    }

    private enum End {
        /// There is nothing more to wait for.
        case over
        /// The server, which had begun to watch, is about to stop; another one is there.
        case moved
        case lost
    }

    /// Follows one socket to its end.
    private func watch(on socket: WebSocketConnection, _ backOff: inout BackOff) async -> End {
        let request = SignalingRequest.watch(
            joinID: subject.joinID, device: subject.device, ticket: subject.ticket)
        guard (try? socket.send(request.text)) != nil else { return .lost }
        var isWatching = false
        for await event in socket.events {
            if case .closed(.serviceRestart, _) = event, isWatching { return .moved }
            guard case .text(let text) = event, let notice = try? SignalingNotice(text: text) else { continue }
            switch notice {
            case .watching:
                backOff.reset()
                isWatching = true
                tell(.watching(true))
            case .roomAccepted(_, let room):
                guard RendezvousClient.isName(room) else { return .lost }
                tell(.accepted(serverRoom: room))
                return .over
            case .watchEnded:
                tell(.ended)
                return .over
            case .error("Forbidden"):
                // Repeating the same proof is useless. Polling (`check`) tells the person what is wrong.
                tell(.watching(false))
                return .over
            case .error: return .lost
            default: break
            }
        }
        return .lost
    }
}
