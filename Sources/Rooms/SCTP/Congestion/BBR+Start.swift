// The start: when the path is full.
extension BBR {
    mutating func checkFull(_ sample: AcknowledgementSample) {
        watchQueue(sample)
        guard roundStarts, !sample.isApplicationLimited else { return }
        if isHeldByMistake { return goOn() }
        if Double(rates.best) >= 1.25 * Double(fullRate) {
            (fullRate, fullRounds) = (rates.best, 0)
        } else {
            fullRounds += 1
        }
        let isLossy = round.lostChunks > chanceLosses && isTooMuch(round.lost, of: sample.inFlightWhenSent)
        let hasHeld = heldSince.map { rounds >= $0 + 2 } ?? false
        isFull = fullRounds >= 3 || isLossy && fullRounds >= 1 || hasHeld
        if isLossy, isFull { ceiling = max(amount(1), sample.delivered - round.deliveredAtStart) }
    }

    /// A queue is a sign that the path is full as well (RFC 9406). The rate is held until the model knows it, so that the
    /// queue does not run over.
    private mutating func watchQueue(_ sample: AcknowledgementSample) {
        if roundStarts { (lastRoundTrip, thisRoundTrip) = (thisRoundTrip, .max) }
        guard sample.roundTrip > 0 else { return }
        thisRoundTrip = min(thisRoundTrip, sample.roundTrip)
        // What was there in the round before is the queue of others.
        guard heldSince == nil, minimumRoundTrip != .max, lastRoundTrip != .max else { return }
        let isLong = sample.roundTrip > max(minimumRoundTrip, lastRoundTrip) / 8 * 9 + .milliseconds(2)
        if !isLong { (longRoundTrips, longTimes) = (0, 0) }
        guard isLong else { return }
        longRoundTrips += 1
        // What a busy machine reads late comes all at once, and is long for another reason.
        if sample.now > longAt { (longTimes, longAt) = (longTimes + 1, sample.now) }
        if longRoundTrips >= 8, longTimes >= 4 { heldSince = rounds }
    }

    /// Whether the queue that ended the doubling is gone a round later: then a busy machine had only read late (the start
    /// goes on in the same case in RFC 9406).
    private var isHeldByMistake: Bool {
        guard let heldSince, rounds >= heldSince + 2, mistakes < Constant.mostMistakes else { return false }
        // A queue that ran over was one.
        guard lostWhileHeld <= 2 * chanceLosses else { return false }
        return lastRoundTrip <= minimumRoundTrip / 16 * 17 + .milliseconds(1)
    }

    private mutating func goOn() {
        (heldSince, longRoundTrips, longTimes, lostWhileHeld) = (nil, 0, 0, 0)
        (fullRate, fullRounds) = (rates.best, 0)
        mistakes += 1
    }
}
