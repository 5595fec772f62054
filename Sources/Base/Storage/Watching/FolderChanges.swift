internal import Synchronization

/// Sets of paths that changed, as they come. Sets that were not taken yet are joined, so they never outgrow the number
/// of files.
package struct FolderChanges: AsyncSequence, Sendable {
    private let waiting: WaitingPaths
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        waiting = WaitingPaths()
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ paths: Set<String>) {
        waiting.paths.withLock { $0.formUnion(paths) }
        signal.yield()
    }

    func finish() { signal.finish() }

    package func makeAsyncIterator() -> Iterator { Iterator(waiting: waiting, signals: signals.makeAsyncIterator()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let waiting: WaitingPaths
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// nil when the watch, or the task that waits, has ended.
        package mutating func next() async -> Set<String>? {
            while await signals.next(isolation: #isolation) != nil {
                let paths = waiting.paths.withLock { paths in
                    defer { paths = [] }
                    return paths
                }
                if !paths.isEmpty { return paths }
            }
            return nil
        }
    }
}

private final class WaitingPaths: Sendable {
    let paths = Mutex<Set<String>>([])
}
