import Sealing

/// Counts dropped messages for reports: the first is reported at once, the rest together once a second, so that the
/// other side cannot flood the listener.
struct RefusalReports: Sendable {
    static let pause = Duration.seconds(1)

    private var waiting: [SealingError.Code: Int] = [:]
    private var isPausing = false

    init() {}

    /// - Returns: whether to report at once and start a pause.
    mutating func count(_ code: SealingError.Code) -> Bool {
        waiting[code, default: 0] += 1
        defer { isPausing = true }
        return !isPausing
    }

    /// The count to report now.
    mutating func take() -> [SealingError.Code: Int] {
        defer { waiting = [:] }
        return waiting
    }

    /// - Returns: whether there is something to report, and another pause starts.
    mutating func pauseEnded() -> Bool {
        isPausing = !waiting.isEmpty
        return isPausing
    }
}
