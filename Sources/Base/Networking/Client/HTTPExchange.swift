internal import Synchronization

/// One request of a client and its response, on a connection of its own.
final class HTTPExchange: StreamOwner {
    private typealias Outcome = Result<HTTPResponse, NetworkingError>

    private struct State {
        var reader: HTTPReader
        var stream: ByteStream?
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let request: HTTPRequest
    private let server: ServerURL
    private let bodyLimit: Int
    private let admits: (@Sendable (Int) -> Bool)?
    private let state: Mutex<State>

    init(_ request: HTTPRequest, _ server: ServerURL, bodyLimit: Int, admits: (@Sendable (Int) -> Bool)? = nil) {
        self.admits = admits
        self.request = request
        self.server = server
        self.bodyLimit = bodyLimit
        state = Mutex(
            State(reader: HTTPReader(.response(toHead: request.method == "HEAD"), bodyLimit: bodyLimit))
        )
    }

    /// Starts on a stream, unless the exchange is over already.
    func start(_ stream: ByteStream) {
        let mayStart = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.stream = stream
            return true
        }
        guard mayStart else { return stream.discard() }
        if !stream.start(self) { finish(.failure(NetworkingError(.unavailable, "too many open sockets"))) }
    }

    func result() async -> Result<HTTPResponse, NetworkingError> {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Outcome? in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Ends the exchange with an error, unless it is over.
    func fail(_ error: NetworkingError) { finish(.failure(error)) }

    private func finish(_ outcome: Outcome) {
        let (stream, waiter) = state.withLock { state -> (ByteStream?, CheckedContinuation<Outcome, Never>?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer {
                state.waiter = nil
                state.stream = nil
            }
            return (state.stream, state.waiter)
        }
        stream?.cut()
        waiter?.resume(returning: outcome)
    }

    // MARK: On the loop's thread

    func streamOpened() {
        let bytes = request.serialized(host: server.authority, pathPrefix: server.path)
        _ = state.withLock { $0.stream }?.send(bytes)
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        guard admits?(bytes.count) ?? true else {
            return finish(.failure(NetworkingError(.tooLarge, "there is no memory left for the answer of \(server)")))
        }
        read { reader throws(HTTPReadError) in
            reader.append(bytes)
            return try reader.next()
        }
    }

    func streamClosed(_ end: StreamEnd) {
        if case .failed(let reason, let code) = end {
            finish(.failure(.cannotConnect(server, reason: reason, as: code)))
        } else {
            read { reader throws(HTTPReadError) in try reader.finish() }
            finish(.failure(NetworkingError(.closed, "\(server) closed the connection without an answer")))
        }
    }

    private func read(_ body: (inout HTTPReader) throws(HTTPReadError) -> HTTPReader.Message?) {
        let result = state.withLock { state in
            Result { () throws(HTTPReadError) in try body(&state.reader) }
        }
        switch result {
        case .success(nil): break
        case .success(let message?):
            let status = message.head.status ?? 0
            finish(.success(HTTPResponse(status: status, headers: message.head.fields, body: message.body)))
        case .failure(.bodyTooLarge):
            finish(.failure(NetworkingError(.tooLarge, "the answer of \(server) is larger than \(bodyLimit) bytes")))
        case .failure:
            finish(.failure(NetworkingError(.handshakeFailed, "\(server) does not answer in HTTP, or only in part")))
        }
    }
}
