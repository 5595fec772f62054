internal import Networking
import Synchronization

/// The pages that are connected now.
final class OpenPages: Sendable {
    /// Pages of one site at the same time.
    static let limit = 16

    private let sockets = Mutex<[ServerWebSocket: PageSocket]>([:])

    var hasRoom: Bool { sockets.withLock { $0.count < Self.limit } }

    subscript(socket: ServerWebSocket) -> PageSocket? { sockets.withLock { $0[socket] } }

    func open(_ socket: ServerWebSocket, connect: @escaping @Sendable (PageSocket) async -> (any PagePeer)?) {
        let page = PageSocket(socket)
        sockets.withLock { $0[socket] = page }
        Task { await page.serve(connect) }
    }

    func close(_ socket: ServerWebSocket) { sockets.withLock { $0.removeValue(forKey: socket) }?.closed() }
}
