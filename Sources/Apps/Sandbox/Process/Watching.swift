internal import Components

/// Signs of life of a component.
struct Pulse: Hashable, Sendable {
    /// When it was asked for one, if none has come since.
    var asked: ContinuousClock.Instant?
    private var heard = ContinuousClock.now

    init(asked: ContinuousClock.Instant? = nil) { self.asked = asked }

    mutating func hear() {
        asked = nil
        heard = .now
    }

    enum Finding {
        case fine
        /// It is time to ask.
        case ask
        case hung
    }

    mutating func look(at now: ContinuousClock.Instant, silence: Duration) -> Finding {
        if let asked { return asked.duration(to: now) > silence ? .hung : .fine }
        guard heard.duration(to: now) > silence / 4 else { return .fine }
        asked = now
        return .ask
    }
}

#if os(Linux)
/// What a component uses of the machine.
struct Meter: Hashable, Sendable {
    private(set) var memory = 0
    private var processorTime = Duration.zero
    /// Processor time that was spent beyond what has come back.
    private var debt = Duration.zero
    private var looked: ContinuousClock.Instant?

    /// What it has too much of, in words.
    mutating func look(
        at now: ContinuousClock.Instant, _ figures: ProcessStatus.Figures, _ limits: ComponentLimits
    ) -> String? {
        memory = figures.memory
        let spent = figures.processorTime - processorTime
        let passed = looked.map { $0.duration(to: now) } ?? .zero
        processorTime = figures.processorTime
        looked = now
        debt = max(.zero, debt + spent - passed * limits.processorShare / 100)
        if memory > limits.memory { return "memory" }
        if figures.threads > ThreadLimit.threads { return "threads" }
        return debt > limits.processorTime ? "processor time" : nil
    }

    /// Whether a crash was most likely one of memory that could not be had.
    func isNearly(_ limit: Int) -> Bool { memory > limit / 4 * 3 }
}
#endif
