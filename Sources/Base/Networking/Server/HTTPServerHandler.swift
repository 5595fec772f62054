/// What a server does with requests and sockets.
///
/// Everything here is called on the network's one thread: answer quickly, or start the work elsewhere and answer later.
/// Never block.
package protocol HTTPServerHandler: Sendable {
    /// The head of a request has come. Says what is to be done with its body, before any of it is read.
    func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan

    /// A request with its whole body, if the plan was ``RequestPlan/whole``. Answer exactly once through the responder, now or later, from any thread.
    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder)

    /// A client asks for a WebSocket. The answer must come at once.
    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade

    /// A WebSocket is open; before anything is received on it.
    func opened(_ socket: ServerWebSocket)

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket)

    /// Everything that was queued on the socket is sent.
    func drained(_ socket: ServerWebSocket)

    /// The socket is closed, by either side. This is the last call about it.
    func closed(_ socket: ServerWebSocket)
}

/// Handlers that serve plain requests only need not say anything about bodies in pieces and WebSockets.
extension HTTPServerHandler {
    package func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan { .whole }

    package func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        .refuse(HTTPResponse(status: 404))
    }

    package func opened(_ socket: ServerWebSocket) {}
    package func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {}
    package func drained(_ socket: ServerWebSocket) {}
    package func closed(_ socket: ServerWebSocket) {}
}

/// What a server does with the body of a request.
package enum RequestPlan: Sendable {
    /// Collects it, up to ``HTTPServerConfiguration/bodyLimit``, and then calls the handler.
    case whole
    /// The client gets this response and the connection is closed. The body is not read.
    case refuse(HTTPResponse)
    /// Runs `work` in a task of its own, which reads the body piece by piece and answers.
    ///
    /// A client that asked whether to send the body (`Expect: 100-continue`, RFC 9110 section 10.1.1) is told to go on when
    /// `work` reads for the first time. If it answers without reading to the end, the connection is closed after the answer.
    /// A body of more than `limit` bytes is answered with 413 before `work` is called if the client says its length, and
    /// otherwise when it is too long. When the client goes away, reading throws `closed`; what was read can still be saved.
    case stream(limit: Int, work: @Sendable (IncomingContent) async -> HTTPResponse)
}

/// The answer to a client that asks for a WebSocket.
package enum WebSocketUpgrade: Sendable {
    case accept
    /// The client gets this response and the connection is closed.
    case refuse(HTTPResponse)
}

/// The other end of a connection: an IPv4 or IPv6 address as text, without the port.
package struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) {
        // An IPv4 peer of a socket that listens on both families.
        self.text = text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }

    package var description: String { text }
}
