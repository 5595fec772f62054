/// The highest rate of this cycle of probing and the one before.
struct RateFilter {
    private var current = 0
    private var before = 0

    var best: Int { max(current, before) }

    mutating func add(_ rate: Int) { current = max(current, rate) }

    /// A new cycle begins. What was measured in a cycle without samples stays.
    mutating func advance() {
        guard current > 0 else { return }
        (before, current) = (current, 0)
    }
}

/// How much more is acknowledged at once than the rate explains: links and receivers collect acknowledgements, and the
/// window must span that. The highest of the last ten rounds or so.
struct SurplusFilter {
    private static let rounds = 5

    private var epochStart: Nanoseconds = 0
    private var epochAcknowledged = 0
    private var current = 0
    private var before = 0
    private var roundsLeft = SurplusFilter.rounds

    var best: Int { max(current, before) }

    mutating func add(_ sample: AcknowledgementSample, rate: Int, roundStarts: Bool, isFull: Bool) {
        if roundStarts {
            roundsLeft -= 1
            if roundsLeft <= 0 {
                (before, current, roundsLeft) = (current, 0, isFull ? Self.rounds : 1)
            }
        }
        var expected = Int(bounded: Double(rate) * Double(sample.now - epochStart) / 1e9)
        if epochAcknowledged <= expected { (epochStart, epochAcknowledged, expected) = (sample.now, 0, 0) }
        epochAcknowledged += sample.acknowledged
        let extra = min(epochAcknowledged - expected, sample.inFlightBefore)
        current = max(current, extra)
    }
}
