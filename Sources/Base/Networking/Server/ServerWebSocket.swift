/// One client's WebSocket on a server. May be kept, sent to and closed from any thread, also after its end.
package final class ServerWebSocket: Sendable, Hashable {
    /// Unique among the sockets of its server.
    package let id: UInt64
    /// Who is at the other end.
    package let peer: PeerAddress
    let channel: WebSocketChannel

    init(id: UInt64, peer: PeerAddress, channel: WebSocketChannel) {
        self.id = id
        self.peer = peer
        self.channel = channel
    }

    /// Sends a message, or queues it. False if the socket is closed or closing.
    ///
    /// A client that reads so slowly that the queue is full is closed with `policyViolation`.
    @discardableResult
    package func send(_ message: WebSocketMessage) -> Bool {
        switch channel.send(message) {
        case .queued: return true
        case .closed: return false
        case .full:
            channel.close(.policyViolation, "reads too slowly")
            return false
        }
    }

    /// Bytes that wait to be sent.
    package var queued: Int { channel.queued }

    /// Sends what is queued, then a close frame, then closes.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") { channel.close(code, reason) }

    package static func == (left: ServerWebSocket, right: ServerWebSocket) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
