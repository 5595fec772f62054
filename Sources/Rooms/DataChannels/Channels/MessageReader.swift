internal import Synchronization

/// A task that waits for the next message of a channel. It is answered once, with a message or with the end.
final class MessageReader: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<DataChannelMessage?, Never>)
        case done
    }

    private let state = Mutex(State.idle)

    /// Waits for the answer after calling `ask`. A cancelled task gets `nil`, and no message is taken for it.
    func wait(_ ask: () -> Void) async -> DataChannelMessage? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if case .done = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isDone { continuation.resume(returning: nil) } else { ask() }
            }
        } onCancel: {
            answer(nil)
        }
    }

    /// `false` if the task no longer waits.
    @discardableResult
    func answer(_ message: DataChannelMessage?) -> Bool {
        let before = state.withLock { state in
            defer { state = .done }
            return state
        }
        guard case .waiting(let continuation) = before else { return false }
        continuation.resume(returning: message)
        return true
    }
}
