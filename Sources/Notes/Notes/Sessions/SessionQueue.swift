internal import Synchronization

/// Updates on their way to the other side of a session, in bounded space: many that wait become one.
final class SessionQueue: Sendable {
    /// So many updates wait apart.
    private static let limit = 64

    private let waiting = Mutex<[[UInt8]]>([])
    private let signal = Signal()

    /// - Parameter merge: makes one update of several.
    func add(_ updates: [[UInt8]], merge: ([[UInt8]]) -> [UInt8]?) {
        guard !updates.isEmpty else { return }
        waiting.withLock { waiting in
            waiting += updates
            if waiting.count > Self.limit, let one = merge(waiting) { waiting = [one] }
        }
        signal.raise()
    }

    func finish() { signal.finish() }

    /// The updates as they come, until ``finish()``. For one listener.
    func stream() -> AsyncStream<[UInt8]> {
        let raised = signal.raised
        return AsyncStream { [self] in
            while true {
                if let update = take() { return update }
                // One iterator a round: the stream underneath has one listener, and keeps what was raised meanwhile.
                var iterator = raised.makeAsyncIterator()
                guard await iterator.next() != nil else { return take() }
            }
        }
    }

    private func take() -> [UInt8]? {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
