import DataChannels
import Synchronization

/// Counts what came through one peer connection and was not handled yet. A side that sends faster than this one can store
/// loses the connection instead of filling the memory; messages and files go on from there with the next one.
final class PeerBacklog: Sendable {
    enum Verdict {
        case taken
        /// The first message that is too much: the connection is to be given up.
        case overflow
        case dropped
    }

    /// Bytes that may wait.
    static let limit = 64 << 20
    /// What an empty message costs.
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
