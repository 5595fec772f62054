internal import Networking
internal import Synchronization

/// What came on one connection to a gateway and waits to be read, for one reader. It takes everything at once and holds a bounded amount: with more, the
/// connection has to be cut, and the history tells what was missed.
final class GatewayMailbox: Sendable {
    /// Bytes that wait.
    static let limit = 32 << 20

    private struct State {
        var queue: [String] = []
        var first = 0
        var bytes = 0
        /// How it ended.
        var end: GatewayLink.Loss?
        var reader: CheckedContinuation<String?, Never>?
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int = GatewayMailbox.limit) { self.limit = limit }

    /// Why the connection is gone; nil while it is there.
    var end: GatewayLink.Loss? { state.withLock { $0.end } }

    /// Takes everything that comes, until the connection ends.
    func fill(from connection: WebSocketConnection) async {
        for await event in connection.events {
            switch event {
            case .text(let text):
                if !add(text) {
                    finish(.flooded)
                    connection.abort()
                }
            // The protocol has none.
            case .binary: break
            case .closed(let code, _): finish(.closed(code: code.rawValue))
            }
        }
        finish(.closed(code: WebSocketCloseCode.abnormal.rawValue))
    }

    /// - Returns: false if there is no room.
    private func add(_ text: String) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<String?, Never>?) in
            guard state.end == nil else { return (true, nil) }
            if let reader = state.reader {
                state.reader = nil
                return (true, reader)
            }
            guard state.bytes + text.utf8.count <= limit else { return (false, nil) }
            state.queue.append(text)
            state.bytes += text.utf8.count
            return (true, nil)
        }
        reader?.resume(returning: text)
        return isTaken
    }

    private func finish(_ end: GatewayLink.Loss) {
        let reader = state.withLock { state in
            state.end = state.end ?? end
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// The next message; nil after the last one.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            let (text, isKnown) = state.withLock { state -> (String?, Bool) in
                if state.first < state.queue.count {
                    let text = state.queue[state.first]
                    state.first += 1
                    state.bytes -= text.utf8.count
                    if state.first == state.queue.count { (state.queue, state.first) = ([], 0) }
                    return (text, true)
                }
                guard state.end == nil else { return (nil, true) }
                state.reader = continuation
                return (nil, false)
            }
            if isKnown { continuation.resume(returning: text) }
        }
    }
}
