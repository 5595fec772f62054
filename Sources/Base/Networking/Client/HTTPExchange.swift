internal import Synchronization

/// One request of a client and its response, on a connection of its own.
final class HTTPExchange: StreamOwner {
    private typealias Answer = Result<(HTTPHead, IncomingContent), NetworkingError>

    private struct State {
        var reader: HTTPReader
        var stream: ByteStream?
        var answer: Answer?
        var waiter: CheckedContinuation<Answer, Never>?
        var isOver = false
    }

    private let request: HTTPRequest
    private let server: ServerURL
    private let bodyLimit: Int
    private let state: Mutex<State>

    init(_ request: HTTPRequest, _ server: ServerURL, bodyLimit: Int) {
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
            guard !state.isOver else { return false }
            state.stream = stream
            return true
        }
        guard mayStart else { return stream.discard() }
        if !stream.start(self) { fail(NetworkingError(.unavailable, "too many open sockets")) }
    }

    /// The head of the answer, and its body as it comes in. If the task is cancelled, throws `closed`.
    func head() async throws(NetworkingError) -> (HTTPHead, IncomingContent) {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Answer? in
                    if state.answer == nil { state.waiter = continuation }
                    return state.answer
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            fail(NetworkingError(.closed, "the request was cancelled"))
        }.get()
    }

    /// Ends the exchange with an error, unless it is over.
    func fail(_ error: NetworkingError) {
        answer(.failure(error))
        if case .success((_, let content)) = state.withLock({ $0.answer }) { content.fail(error) }
        end()
    }

    /// Gives the head to who waits for it, unless there was one, or an error.
    private func answer(_ answer: Answer) {
        let waiter = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            guard state.answer == nil else { return nil }
            state.answer = answer
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: answer)
    }

    /// Everything is said, or nothing more is wanted.
    private func end() {
        let stream = state.withLock { state in
            state.isOver = true
            defer { state.stream = nil }
            return state.stream
        }
        stream?.cut()
    }

    // MARK: On the loop's thread

    func streamOpened() {
        let bytes = request.serialized(host: server.authority, pathPrefix: server.path)
        _ = state.withLock { $0.stream }?.send(bytes)
    }

    func streamReceived(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.reader.append(bytes) }
        readOn()
    }

    func streamClosed(_ end: StreamEnd) {
        if case .failed(let reason, let code) = end {
            let hasHead = state.withLock { $0.answer != nil }
            return fail(
                hasHead
                    ? NetworkingError(.closed, "\(server) broke the connection off in the middle of its answer")
                    : .cannotConnect(server, reason: reason, as: code))
        }
        readOn(toEnd: true)
        fail(NetworkingError(.closed, "\(server) closed the connection without an answer"))
    }

    /// Passes on what has come.
    /// - Parameter toEnd: whether nothing follows; then the reader's pause does not count, because at most as much waits
    ///   as one call of the stream brought.
    private func readOn(toEnd: Bool = false) {
        while true {
            let part = state.withLock { state -> Result<HTTPReader.Part?, HTTPReadError> in
                guard !state.isOver else { return .success(nil) }
                if !toEnd, case .success((_, let content)) = state.answer, !content.isOpen { return .success(nil) }
                return Result { () throws(HTTPReadError) in
                    if let part = try state.reader.nextPart() { return part }
                    return toEnd ? try state.reader.finishPart() : nil
                }
            }
            switch part {
            case .success(nil): return
            case .success(.head(let head)): begin(head)
            case .success(.content(let piece)): push(piece)
            case .success(.end): return finish()
            case .failure(.bodyTooLarge):
                return fail(NetworkingError(.tooLarge, "the answer of \(server) is larger than \(bodyLimit) bytes"))
            case .failure:
                return fail(NetworkingError(.handshakeFailed, "\(server) does not answer in HTTP, or only in part"))
            }
        }
    }

    private func begin(_ head: HTTPHead) {
        let content = IncomingContent(isPaused: false) { [weak self] demand in self?.meet(demand) }
        answer(.success((head, content)))
    }

    private func push(_ piece: [UInt8]) {
        let (answer, stream) = state.withLock { ($0.answer, $0.stream) }
        guard case .success((_, let content)) = answer else { return }
        if !content.push(piece) { stream?.setReceiving(false) }
    }

    private func finish() {
        if case .success((_, let content)) = state.withLock({ $0.answer }) { content.finish() }
        end()
    }

    private func meet(_ demand: IncomingContent.Demand) {
        guard demand == .more else { return end() }
        guard let stream = state.withLock({ $0.stream }) else { return }
        stream.loop.perform {
            stream.setReceiving(true)
            self.readOn()
        }
    }
}
