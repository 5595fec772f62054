internal import Synchronization

/// The body of a message while it comes in, for one reader. While nobody reads, the other side is held back.
///
/// ```swift
/// for try await piece in content { try file.write(piece) }
/// ```
///
/// Reading throws `closed` if the connection ends before the body does or the reading task is cancelled, `timedOut` if
/// nothing comes for too long, and `tooLarge` for more bytes than are allowed.
package final class IncomingContent: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = NetworkingError
    private typealias Outcome = Result<[UInt8]?, NetworkingError>

    /// What the reader asks of the connection.
    enum Demand {
        /// More bytes: it was told to pause, and has taken what was there.
        case more
        /// Nothing any more.
        case end
    }

    private struct State {
        var buffer: [UInt8] = []
        /// Whether the connection waits until somebody reads.
        var isPaused: Bool
        var end: Result<Void, NetworkingError>?
        var waiter: CheckedContinuation<Outcome, Never>?
        /// When the reader began to wait.
        var waitsSince: ContinuousClock.Instant?
    }

    /// Bytes that wait for the reader before the other side is held back.
    static let highWater = 64 * 1024

    private let state: Mutex<State>
    private let tell: @Sendable (Demand) -> Void

    /// - Parameters:
    ///   - isPaused: whether the connection waits for the first reading.
    ///   - tell: called from any thread.
    init(isPaused: Bool, tell: @escaping @Sendable (Demand) -> Void) {
        state = Mutex(State(isPaused: isPaused))
        self.tell = tell
    }

    // MARK: The reader's side

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(content: self) }

    /// Gives out everything that has come since the last piece.
    package struct AsyncIterator: AsyncIteratorProtocol {
        package typealias Element = [UInt8]
        package typealias Failure = NetworkingError
        let content: IncomingContent

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(NetworkingError) -> [UInt8]? {
            try await content.next()
        }
    }

    /// What has come, or what comes next; nil after the end.
    package func next() async throws(NetworkingError) -> [UInt8]? {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }

    /// Gives the body up: whoever reads gets `closed`.
    package func cancel() {
        guard fail(NetworkingError(.closed, "the request was cancelled")) else { return }
        state.withLock { $0.buffer = [] }
        tell(.end)
    }

    private func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let (known, asks) = state.withLock { state -> (Outcome?, Bool) in
            var known: Outcome?
            if !state.buffer.isEmpty {
                known = .success(state.buffer)
                state.buffer = []
            } else if let end = state.end {
                known = end.map { nil }
            } else {
                state.waiter = continuation
                state.waitsSince = .now
            }
            defer { state.isPaused = false }
            return (known, state.isPaused && state.end == nil)
        }
        if let known { continuation.resume(returning: known) }
        if asks { tell(.more) }
    }

    // MARK: The connection's side

    /// Bytes that wait for the reader.
    var held: Int { state.withLock { $0.buffer.count } }

    /// Whether more bytes may be pushed.
    var isOpen: Bool { state.withLock { !$0.isPaused && $0.end == nil } }

    /// Gives the reader some bytes. Returns false if the other side is to be held back until the reader wants more.
    func push(_ bytes: [UInt8]) -> Bool {
        let (waiter, goesOn) = state.withLock { state -> (CheckedContinuation<Outcome, Never>?, Bool) in
            guard state.end == nil else { return (nil, false) }
            if let waiter = state.waiter {
                state.waiter = nil
                state.waitsSince = nil
                return (waiter, true)
            }
            state.buffer += bytes
            state.isPaused = state.buffer.count >= Self.highWater
            return (nil, !state.isPaused)
        }
        waiter?.resume(returning: .success(bytes))
        return goesOn
    }

    /// The body is complete.
    func finish() { _ = end(with: .success(())) }

    /// The body ends too early, after what has come. Returns false if it had ended.
    @discardableResult
    func fail(_ error: NetworkingError) -> Bool { end(with: .failure(error)) }

    private func end(with end: Result<Void, NetworkingError>) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            guard state.end == nil else { return (false, nil) }
            state.end = end
            defer { state.waiter = nil }
            return (true, state.waiter)
        }
        waiter?.resume(returning: end.map { nil })
        return isFirst
    }

    /// Since when the reader has been waiting; nil if it does not wait.
    var waitsSince: ContinuousClock.Instant? { state.withLock { $0.waiter == nil ? nil : $0.waitsSince } }
}
