// The phases of the model: from one to the next, and what each begins with.
extension BBR {
    // MARK: - Phases

    mutating func enter(_ phase: Phase, _ now: Nanoseconds) {
        (phaseNow, phaseStart, roundsInPhase) = (phase, now, 0)
        switch phase {
        case .down:
            (roundsSinceProbe, cycleStart) = (0, now)
            rates.advance()
            chance = chance &* 1_664_525 &+ 1_013_904_223
            // Flows that grow by round trips need more time on long paths.
            let rounds = 50 * min(minimumRoundTrip, .milliseconds(150))
            cruiseLasts = max(.seconds(2), rounds) + .milliseconds(Int64(chance >> 16) % 1000)
            // A busy machine may have ended the start too early.
            if !hasLookedForMore { cruiseLasts = max(.milliseconds(500), rounds / 12) }
        case .refill, .startup: (lowRate, lowAmount) = (.max, .max)
        case .up: (rateInUp, hasLookedForMore) = (rates.best, true)
        default: break
        }
    }

    mutating func move(_ sample: AcknowledgementSample) {
        let now = sample.now
        switch phaseNow {
        case .startup: if isFull { enter(.drain, now) }
        case .drain: if sample.inFlight <= amount(1) || roundsInPhase > 4 { enter(.down, now) }
        case .down:
            let isLow = sample.inFlight <= min(amount(1), roomyCeiling)
            if isLow || roundsInPhase > 4 { enter(.cruise, now) }
        case .cruise:
            // As often as a Reno flow would grow by as much, so that such flows get their share.
            let packets = amount(1) / max(1, packetSize)
            if now - phaseStart > cruiseLasts || roundsSinceProbe >= max(8, min(packets, 63)) { enter(.refill, now) }
        case .refill: if roundsInPhase >= 1 { enter(.up, now) }
        case .up:
            guard roundStarts else { return }
            if ceiling != .max, sample.inFlightBefore + 3 * packetSize >= ceiling { raiseCeiling(sample) }
            // As long as the rate grows there is more to find.
            let grows = Double(rates.best) > 1.08 * Double(rateInUp)
            rateInUp = max(rateInUp, rates.best)
            let isFilled = sample.inFlightBefore >= amount(Constant.upGain) - 2 * packetSize
            if !grows && roundsInPhase >= 2 && isFilled || roundsInPhase > 16 { enter(.down, now) }
        case .probeRoundTrip: continueProbe(sample)
        }
    }

    private mutating func raiseCeiling(_ sample: AcknowledgementSample) {
        // Doubling steps: one packet, two, four in each round of the phase.
        ceiling += packetSize << min(roundsInPhase, 12)
    }

    // MARK: - Smallest round trip

    mutating func updateRoundTrip(_ sample: AcknowledgementSample) {
        let isOld = sample.now - minimumAt > Constant.probeRoundTripEvery
        if sample.roundTrip > 0, sample.roundTrip <= minimumRoundTrip || isOld && phaseNow == .probeRoundTrip {
            (minimumRoundTrip, minimumAt) = (sample.roundTrip, sample.now)
        }
        guard isOld, isFull, phaseNow != .probeRoundTrip else { return }
        if sample.isApplicationLimited, sample.inFlight < amount(Constant.probeRoundTripGain) {
            // The path is as good as empty without our help.
            if sample.roundTrip > 0 { (minimumRoundTrip, minimumAt) = (sample.roundTrip, sample.now) }
            return
        }
        windowBefore = window
        probeEndsAt = nil
        enter(.probeRoundTrip, sample.now)
    }

    private mutating func continueProbe(_ sample: AcknowledgementSample) {
        if let end = probeEndsAt {
            if sample.now >= end { leaveProbe(sample.now) }
        } else if sample.inFlight <= probeWindow || roundsInPhase > 4 {
            probeEndsAt = sample.now + max(Constant.probeRoundTripLasts, sample.smoothedRoundTrip)
            minimumRoundTrip = sample.roundTrip > 0 ? sample.roundTrip : minimumRoundTrip
        }
    }

    mutating func leaveProbe(_ now: Nanoseconds) {
        minimumAt = now
        probeEndsAt = nil
        window = max(window, windowBefore)
        enter(.cruise, now)
    }

    var probeWindow: Int { max(4 * packetSize, amount(Constant.probeRoundTripGain)) }
}
