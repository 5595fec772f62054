internal import Components
internal import Synchronization

/// The start commands that a running component has not seen yet. One watcher takes them.
final class CommandQueue: Sendable {
    static let limit = 100

    private let commands: AsyncStream<StartCommand>
    private let incoming: AsyncStream<StartCommand>.Continuation
    private let isWatched = Mutex(false)

    init() {
        (commands, incoming) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// - Returns: false if too many wait already.
    func add(_ command: StartCommand) -> Bool {
        if case .enqueued = incoming.yield(command) { true } else { false }
    }

    /// - Returns: nil if somebody watches already.
    func watch() -> AsyncStream<StartCommand>? {
        let isFirst = isWatched.withLock { watched in
            defer { watched = true }
            return !watched
        }
        return isFirst ? commands : nil
    }

    func close() { incoming.finish() }
}
