internal import Components
internal import Synchronization

/// One rpc connection between two components: the caller's calls on one side, the service's answers on the other.
///
/// It knows nothing of components or processes. What waits is bounded on both sides: a service that does not read, or a caller that
/// does not, holds up only this pipe.
final class ServicePipe: Sendable {
    /// Messages that may wait for a service that does not watch, and values that may wait for a caller.
    static let backlog = 1_000
    /// Calls that may be open at the same time.
    static let openCalls = 1_000

    /// What the service hears.
    enum Incoming: Sendable {
        case start(call: UInt32, method: String, Datum?)
        case cancel(call: UInt32)
    }

    /// What the service says about a call.
    enum Answer: Sendable {
        case interim(Datum?)
        case end(Datum?)
        case error(RuntimeException)
    }

    private struct State {
        var isClosed = false
        var next: UInt32 = 1
        var calls: [UInt32: AsyncStream<Answer>.Continuation] = [:]
        var isWatched = false
    }

    let service: String
    let server: Instance.ID
    private let state = Mutex(State())
    /// What the service has not heard yet.
    private let incoming: AsyncStream<Incoming>
    private let toService: AsyncStream<Incoming>.Continuation
    /// Called once, when either side has closed it.
    private let closed: @Sendable (ID) -> Void

    typealias ID = ObjectIdentifier

    /// - Parameter server: the component that serves.
    init(service: String, server: Instance.ID, closed: @escaping @Sendable (ID) -> Void) {
        self.service = service
        self.server = server
        self.closed = closed
        (incoming, toService) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.backlog))
    }

    static func exception(_ flag: String) -> RuntimeException { RuntimeException(type: "rpc", flag: flag) }

    // MARK: The caller's side

    /// Starts a call and returns its answers: any number of `.interim`, then `.end` or `.error`. Letting go of the sequence before
    /// that tells the service that nobody waits any longer.
    func start(method: String, _ datum: Datum?) throws(RuntimeException) -> AsyncStream<Answer> {
        let (answers, continuation) = AsyncStream.makeStream(
            of: Answer.self, bufferingPolicy: .bufferingOldest(Self.backlog))
        let call = try state.withLock { state throws(RuntimeException) -> UInt32 in
            guard !state.isClosed else { throw Self.exception("connectionClosed") }
            guard state.calls.count < Self.openCalls else { throw Self.exception("tooManyCalls") }
            while state.calls[state.next] != nil { state.next &+= 1 }
            defer { state.next &+= 1 }
            state.calls[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] reason in
            guard case .cancelled = reason, let self else { return }
            if state.withLock({ $0.calls.removeValue(forKey: call) }) != nil { tell(.cancel(call: call)) }
        }
        guard tell(.start(call: call, method: method, datum)) else {
            state.withLock { $0.calls[call] = nil }
            throw Self.exception("serviceBusy")
        }
        return answers
    }

    /// Makes a call that has one answer.
    func request(method: String, _ datum: Datum?) async throws(RuntimeException) -> Datum? {
        for await answer in try start(method: method, datum) {
            switch answer {
            case .interim(let value), .end(let value): return value
            case .error(let exception): throw exception
            }
        }
        throw Self.exception("connectionClosed")
    }

    @discardableResult
    private func tell(_ message: Incoming) -> Bool {
        if case .enqueued = toService.yield(message) { true } else { false }
    }

    // MARK: The service's side

    /// What callers want, in order. Only one may watch.
    func watch() throws(RuntimeException) -> AsyncStream<Incoming> {
        try state.withLock { state throws(RuntimeException) in
            guard !state.isWatched else { throw Self.exception("connectionAlreadyWatched") }
            state.isWatched = true
        }
        return incoming
    }

    /// Says something about a call. What comes for a call that is over is dropped.
    func answer(call: UInt32, _ answer: Answer) throws(RuntimeException) {
        let continuation = try state.withLock { state throws(RuntimeException) -> AsyncStream<Answer>.Continuation? in
            guard !state.isClosed else { throw Self.exception("connectionClosed") }
            guard case .interim = answer else { return state.calls.removeValue(forKey: call) }
            return state.calls[call]
        }
        guard let continuation else { return }
        if case .dropped = continuation.yield(answer), case .interim = answer { throw Self.exception("callerBusy") }
        guard case .interim = answer else { return continuation.finish() }
    }

    // MARK: The end

    /// Ends it for both. What is open fails with `connectionClosed`.
    func close() {
        let open = state.withLock { state -> [AsyncStream<Answer>.Continuation]? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.calls = [:] }
            return Array(state.calls.values)
        }
        guard let open else { return }
        for call in open {
            call.yield(.error(Self.exception("connectionClosed")))
            call.finish()
        }
        toService.finish()
        closed(ObjectIdentifier(self))
    }
}
