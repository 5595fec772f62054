import Networking
import Synchronization

/// Waits at the server for the news that somebody came into a room, and comes back when the socket is lost.
///
/// While the socket is down the core is told, so that it asks from time to time instead.
final class RoomWatcher: Sendable {
    private let address: RoomAddress
    private let ticket: String
    private let network: RoomsNetwork
    private let report: RoomReports
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(
        address: RoomAddress,
        ticket: String,
        network: RoomsNetwork,
        report: RoomReports
    ) {
        self.address = address
        self.ticket = ticket
        self.network = network
        self.report = report
    }

    func start() {
        task.withLock { $0 = $0 ?? Task { await self.run() } }
    }

    func stop() {
        task.withLock { $0?.cancel() }
    }

    private func run() async {
        var backOff = BackOff()
        while !Task.isCancelled {
            if let socket = try? await network.openSocket(address.server) {
                let isOver = await watch(on: socket, &backOff)
                socket.close()
                if isOver || Task.isCancelled { return }
            }
            report.yield(.watching(room: address.room, false))
            try? await Task.sleep(for: backOff.next(jitter: .random(in: 0...1)))
        }
    }

    /// Follows one socket to its end.
    /// - Returns: whether the wait is over.
    private func watch(on socket: WebSocketConnection, _ backOff: inout BackOff) async -> Bool {
        let request = SignalingRequest.watch(joinID: address.digits ?? "", device: address.device, ticket: ticket)
        guard (try? socket.send(request.text)) != nil else { return false }
        for await event in socket.events {
            guard case .text(let text) = event, let notice = try? SignalingNotice(text: text) else { continue }
            switch notice {
            case .watching:
                backOff.reset()
                report.yield(.watching(room: address.room, true))
            case .roomAccepted(_, let room):
                report.yield(.accepted(room: address.room, serverRoom: room))
                return true
            case .watchEnded:
                report.yield(.watchEnded(room: address.room))
                return true
            case .error("Forbidden"):
                // Our proof will not get better by showing it again; asking (`check`) tells the person what is wrong.
                report.yield(.watching(room: address.room, false))
                return true
            case .error: return false
            default: break
            }
        }
        return false
    }
}
