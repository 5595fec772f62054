internal import Components
internal import Synchronization

/// The start commands that a running component has not seen yet. One watcher at a time takes them; what it did not take is for the next
/// one, because a page is loaded again and watches anew.
final class CommandQueue: Sendable {
    static let limit = 100

    private struct State {
        var waiting: [StartCommand] = []
        var isWatched = false
        var isClosed = false
        /// The watcher, while there is nothing to take.
        var taker: CheckedContinuation<StartCommand?, Never>?
    }

    private let state = Mutex(State())

    /// - Returns: false if too many wait already.
    func add(_ command: StartCommand) -> Bool {
        let (isAdded, taker) = state.withLock { state -> (Bool, CheckedContinuation<StartCommand?, Never>?) in
            guard !state.isClosed else { return (false, nil) }
            if let taker = state.taker.take() { return (true, taker) }
            guard state.waiting.count < Self.limit else { return (false, nil) }
            state.waiting.append(command)
            return (true, nil)
        }
        taker?.resume(returning: command)
        return isAdded
    }

    /// Hands on each command, until the queue is closed, the task is cancelled, or `take` throws: then that command is for the next watcher.
    /// - Returns: false at once if somebody watches already.
    func watch(_ take: (StartCommand) async throws(RuntimeException) -> Void) async throws(RuntimeException) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isWatched = true }
            return !state.isWatched
        }
        guard isFirst else { return false }
        defer { state.withLock { $0.isWatched = false } }
        while let command = await next() {
            do throws(RuntimeException) {
                try await take(command)
            } catch {
                state.withLock { $0.waiting.insert(command, at: 0) }
                throw error
            }
        }
        return true
    }

    private func next() async -> StartCommand? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state -> StartCommand?? in
                    if Task.isCancelled { return .some(nil) }
                    if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                    if state.isClosed { return .some(nil) }
                    state.taker = continuation
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            state.withLock { $0.taker.take() }?.resume(returning: nil)
        }
    }

    /// Nothing is added any more. What waits can still be taken.
    func close() {
        let taker = state.withLock { state in
            state.isClosed = true
            return state.taker.take()
        }
        taker?.resume(returning: nil)
    }
}
