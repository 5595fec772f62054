import Synchronization

/// Says each second how far the messages of an older profile have been moved: to the person at the terminal, or to the command that
/// waits for this host process, which says it on.
final class MoveProgress: Sendable {
    private static let words = "moving messages: "
    private let next: Mutex<ContinuousClock.Instant>
    private let say: @Sendable (String) -> Void

    /// - Parameters:
    ///   - start: when the move began; what takes less than a second is not told.
    ///   - say: prints a line.
    init(
        from start: ContinuousClock.Instant = .now,
        say: @escaping @Sendable (String) -> Void = { Terminal.log("\($0)") }
    ) {
        next = Mutex(start + .seconds(1))
        self.say = say
    }

    func tell(_ done: Int, of all: Int, at now: ContinuousClock.Instant = .now) {
        let isTime = next.withLock { next in
            guard next <= now else { return false }
            next = now + .seconds(1)
            return true
        }
        if isTime { say("\(Self.words)\(done) of \(all)") }
    }

    /// What a line of it says; `nil` if it says something else.
    static func numbers(_ line: String) -> (done: Int, all: Int)? {
        guard line.hasPrefix(words) else { return nil }
        let numbers = line.dropFirst(words.count).split(separator: " ").compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }

    /// The newest line of it in what a host process said; `nil` if it says something else.
    static func line(_ said: String) -> String? {
        let lines = said.split(whereSeparator: \.isNewline)
        return lines.allSatisfy { $0.hasPrefix(words) } ? lines.last.map(String.init) : nil
    }
}
