import DataChannels
import Synchronization

/// Counts the messages of one peer connection that were not handled yet. If the other side sends faster than this one
/// can store, the connection is dropped instead of filling the memory. Messages and files continue on the next
/// connection.
final class PeerBacklog: Sendable {
    enum Verdict {
        case taken
        /// The first message beyond the limit: drop the connection.
        case overflow
        case dropped
    }

    /// Bytes that may wait.
    static let limit = 64 << 20
    /// How many bytes an empty message counts.
    static let overhead = 256

    private struct State {
        var bytes = 0
        var isOver = false
    }

    private let state = Mutex(State())

    func add(_ message: DataChannelMessage) -> Verdict {
        state.withLock { state in
            guard !state.isOver else { return .dropped }
            state.bytes += Self.cost(of: message)
            state.isOver = state.bytes > Self.limit
            return state.isOver ? .overflow : .taken
        }
    }

    func took(_ message: DataChannelMessage) { state.withLock { $0.bytes -= Self.cost(of: message) } }

    private static func cost(of message: DataChannelMessage) -> Int {
        switch message {
        case .binary(let bytes): bytes.count + overhead
        case .text(let text): text.utf8.count + overhead
        }
    }
}
