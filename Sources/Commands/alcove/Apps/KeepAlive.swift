import Apps

/// How long apps are kept running: until a signal comes, or the time is over.
struct KeepAlive {
    let signals: Signals
    private let deadline: ContinuousClock.Instant?

    /// How long another alcove may take that is about to end.
    static let patience: Duration = .seconds(10)

    /// - Parameter length: nil for no end.
    init(signals: Signals, length: Duration? = nil) {
        self.signals = signals
        deadline = length.map { .now + $0 }
    }

    /// Waits for the end, but no longer than `time`.
    func untilOver(atMost time: Duration? = nil) async {
        let times = [time, deadline.map { $0 - .now }].compactMap { $0 }
        if let shortest = times.min() { await signals.wait(atMost: shortest) } else { await signals.wait() }
    }

    /// Waits until another alcove has ended, but no longer than `time`.
    /// - Returns: whether it has, before this is over.
    func outlives(_ other: AppRuntime, atMost time: Duration? = nil) async -> Bool {
        await withTaskGroup { group in
            group.addTask {
                await untilOver(atMost: time)
                return false
            }
            group.addTask {
                await other.untilGone()
                return true
            }
            defer { group.cancelAll() }
            return await group.next() == true
        }
    }
}
