internal import Synchronization

/// What one component printed, for those who follow it from any point on.
final class Transcript: Sendable {
    /// Lines and bytes kept. A follower who is further behind misses the oldest.
    static let kept = 2_000
    static let keptBytes = 512 << 10
    /// Bytes of one line that are kept.
    static let lineLength = 4_096
    /// Lines of one answer.
    static let page = 500

    private struct State {
        var lines: [PrintedLine] = []
        var bytes = 0
        /// The number of the first line that is kept.
        var first = 0
        var end: PrintedEnd?
        /// What was printed by ``Transcript/printOnce(_:for:)``.
        var told: Set<String> = []
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    func print(_ line: PrintedLine) {
        wake { state in
            guard state.end == nil else { return }
            let line = PrintedLine(level: line.level, text: Self.shortened(line.text))
            state.lines.append(line)
            state.bytes += line.text.utf8.count
            guard state.lines.count > Self.kept || state.bytes > Self.keptBytes else { return }
            let excess = state.lines.count - state.lines.count / 2
            state.lines.removeFirst(excess)
            state.first += excess
            state.bytes = state.lines.reduce(0) { $0 + $1.text.utf8.count }
        }
    }

    /// Prints a line unless one was printed for this already. There are a few of these for each capability.
    func printOnce(_ line: PrintedLine, for key: String) {
        if state.withLock({ $0.told.insert(key).inserted }) { print(line) }
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= lineLength ? text : String(decoding: text.utf8.prefix(lineLength), as: UTF8.self) + " …"
    }

    /// Nothing is printed after this.
    func end(_ end: PrintedEnd) {
        wake { state in if state.end == nil { state.end = end } }
    }

    /// The lines from a number on, the number after them, and the end once all of them were read. Waits until there is something
    /// to tell, or the task is cancelled.
    func read(from: Int) async -> (lines: [PrintedLine], next: Int, end: PrintedEnd?) {
        await news(after: from)
        return state.withLock { state in
            let start = max(0, min(from - state.first, state.lines.count))
            let lines = Array(state.lines[start...].prefix(Self.page))
            let next = state.first + start + lines.count
            return (lines, next, next == state.first + state.lines.count ? state.end : nil)
        }
    }

    private func news(after from: Int) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.end == nil, from >= state.first + state.lines.count, !Task.isCancelled else {
                        return true
                    }
                    state.waiters[number] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
