internal import Components
internal import Synchronization

/// The messages that wait for a component, in order.
final class Inbox: Sendable {
    private struct State {
        var messages: [PortMessage] = []
        /// The messages before it were taken.
        var first = 0
        var bytes = 0
        var isClosed = false
        /// Whether somebody is about to take what waits; at first the code that starts the component.
        var isScheduled = true
    }

    enum Addition {
        case waits
        /// Somebody has to come and take it.
        case isFirst
        case tooMuch
    }

    private let state = Mutex(State())
    private let limit: Int

    /// - Parameter limit: bytes that may wait; each message counts for some more than it has.
    init(limit: Int) { self.limit = limit }

    func add(_ message: PortMessage) -> Addition {
        state.withLock { state in
            guard !state.isClosed else { return .waits }
            state.bytes += cost(message)
            guard state.bytes <= limit else {
                state = State(isClosed: true)
                return .tooMuch
            }
            state.messages.append(message)
            guard !state.isScheduled else { return .waits }
            state.isScheduled = true
            return .isFirst
        }
    }

    /// The next message; `nil` if there is none, after which the next one that is added is told to be the first.
    func next() -> PortMessage? {
        state.withLock { state in
            guard state.first < state.messages.count else {
                state.messages.removeAll(keepingCapacity: state.messages.capacity <= 64)
                state.first = 0
                state.isScheduled = false
                return nil
            }
            let message = state.messages[state.first]
            state.messages[state.first].bytes = []
            state.first += 1
            state.bytes -= cost(message)
            return message
        }
    }

    /// Bytes that wait.
    var count: Int { state.withLock { $0.bytes } }

    var isEmpty: Bool { state.withLock { $0.first >= $0.messages.count } }

    /// Throws away what waits and what comes.
    func close() {
        state.withLock { $0 = State(isClosed: true) }
    }

    /// What a message takes, its place in the queue included.
    private func cost(_ message: PortMessage) -> Int { message.bytes.count + 128 }
}
