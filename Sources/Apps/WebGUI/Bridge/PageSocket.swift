package import Components
internal import Networking
import Synchronization

/// A page's end of the object IPC, from the host's side: each binary message of a web socket is an envelope.
package final class PageSocket: Sendable {
    /// Bytes of one message, both ways.
    package static let messageLimit = 64 << 20
    /// Bytes that may wait for the page, or for its peer, before the socket is closed.
    package static let backlogLimit = 128 << 20

    private struct State {
        var peer: (any PagePeer)?
        /// Bytes that wait for the peer.
        var waiting = 0
        var isClosed = false
    }

    private let socket: ServerWebSocket
    private let state = Mutex(State())
    private let inbox: AsyncStream<[UInt8]>
    private let arrivals: AsyncStream<[UInt8]>.Continuation

    init(_ socket: ServerWebSocket) {
        self.socket = socket
        (inbox, arrivals) = AsyncStream.makeStream()
    }

    /// Sends an envelope. What is sent after the end is dropped; a page that does not take it is cut off.
    package func send(_ envelope: [UInt8]) {
        socket.send(.binary(envelope))
        guard let peer = state.withLock({ $0.peer }) else { return }
        let backlog = socket.queued
        peer.reportBacklog(backlog)
        // All may have been sent, and reported, between the two lines above: there would be no second report.
        if backlog > 0, socket.queued == 0 { peer.reportBacklog(0) }
    }

    /// Ends the connection. The page's calls fail then.
    package func close() { socket.close() }

    /// A connection that serves a tree of capabilities to the page, and holds its observables back while the page is slow.
    ///
    /// - Parameters: see ``ObjectConnection``. Its end closes this socket.
    package func connection(
        root: ServiceObject, limits: ConnectionLimits = ConnectionLimits(), memory: MemoryBudget? = nil,
        refused: @escaping @Sendable (RuntimeException) -> Void = { _ in },
        closed: @escaping @Sendable (ConnectionEnd) -> Void = { _ in }
    ) -> ObjectConnection {
        ObjectConnection(
            root: root, limits: limits, send: { self.send($0) }, refused: refused,
            closed: { end in
                self.close()
                closed(end)
            })
    }
}

/// Who talks with a page: an ``ObjectConnection``, or one that passes the bytes on to a core.
package protocol PagePeer: AnyObject, Sendable {
    /// Takes an envelope of the page; one at a time, in order.
    func receive(_ envelope: [UInt8])
    /// Told how many bytes still wait for the page. It must not wait.
    func reportBacklog(_ bytes: Int)
    /// The page is gone; the last call.
    func otherSideClosed()
}

extension ObjectConnection: PagePeer {}

// MARK: What the server does with it

extension PageSocket {
    /// Brings the page's envelopes to its peer, away from the network's thread, until the socket is closed.
    func serve(_ connect: @Sendable (PageSocket) async -> (any PagePeer)?) async {
        guard let peer = await connect(self) else {
            return socket.close(.tryAgainLater, reason: "nobody serves this page")
        }
        state.withLock { $0.peer = $0.isClosed ? nil : peer }
        for await envelope in inbox {
            state.withLock { $0.waiting -= envelope.count }
            peer.receive(envelope)
        }
        peer.otherSideClosed()
    }

    func receive(_ envelope: [UInt8]) {
        let hasRoom = state.withLock { state in
            state.waiting += envelope.count
            return state.waiting <= Self.backlogLimit
        }
        guard hasRoom else { return socket.close(.policyViolation, reason: "sends faster than it is served") }
        arrivals.yield(envelope)
    }

    /// Everything was sent.
    func drained() { state.withLock { $0.peer }?.reportBacklog(0) }

    func closed() {
        state.withLock { state in
            state.isClosed = true
            // It holds this socket, perhaps.
            state.peer = nil
        }
        arrivals.finish()
    }
}

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
