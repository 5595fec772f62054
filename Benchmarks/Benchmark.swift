/// The measurements of one subsystem. It adds a file with a suite to this folder, and the suite to `Suite.all`.
struct Suite: Sendable {
    let name: String
    let about: String
    let run: @Sendable (Recorder) async throws -> Void
}

/// One measured figure.
struct Figure: Codable, Sendable {
    enum Better: String, Codable, Sendable {
        case higher, lower
    }

    var name: String
    /// The median of `samples`.
    var value: Double
    var unit: String
    var better: Better
    /// What the project wants to reach; `nil` if the figure is only for the record.
    var aim: Double?
    var samples: [Double]
    /// Where it stands in the picture of the suite; `nil` if it is in none.
    var place: Plot.Place?

    var isMet: Bool? {
        aim.map { better == .higher ? value >= $0 : value <= $0 }
    }
}

/// Collects the figures of one suite.
actor Recorder {
    private(set) var figures: [Figure] = []

    /// Records samples that the suite took itself.
    func record(
        _ name: String, _ samples: [Double], unit: String, better: Figure.Better, aim: Double? = nil,
        place: Plot.Place? = nil
    ) {
        figures.append(
            Figure(
                name: name, value: median(samples), unit: unit, better: better, aim: aim, samples: samples, place: place
            ))
    }

    /// Records one value.
    func record(_ name: String, _ value: Double, unit: String, better: Figure.Better, aim: Double? = nil) {
        record(name, [value], unit: unit, better: better, aim: aim)
    }

    /// Runs `work`, which does `count` things, once to warm up and `rounds` times to measure; records things a second.
    func rate(
        _ name: String, unit: String, aim: Double? = nil, count: Int, rounds: Int = 5,
        _ work: @Sendable () throws -> Void
    ) rethrows {
        try work()
        let samples = try (0..<rounds).map { _ in Double(count) / seconds(try elapsed(work)) }
        record(name, samples, unit: unit, better: .higher, aim: aim)
    }

    /// Runs `work` once to warm up and `rounds` times to measure; records milliseconds.
    func time(_ name: String, aim: Double? = nil, rounds: Int = 5, _ work: @Sendable () throws -> Void) rethrows {
        try work()
        let samples = try (0..<rounds).map { _ in seconds(try elapsed(work)) * 1000 }
        record(name, samples, unit: "ms", better: .lower, aim: aim)
    }

    private func elapsed(_ work: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure(work)
    }
}

/// The middle value; 0 for no values.
func median(_ samples: [Double]) -> Double {
    percentile(samples, 0.5)
}

/// The value below which `share` (0…1) of the samples lie; 0 for no values.
func percentile(_ samples: [Double], _ share: Double) -> Double {
    let sorted = samples.sorted()
    guard let last = sorted.indices.last else { return 0 }
    return sorted[min(last, max(0, Int((Double(last) * share).rounded())))]
}

func seconds(_ duration: Duration) -> Double {
    duration / .seconds(1)
}
