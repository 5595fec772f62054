// SACKs of the peer (RFC 9260 section 6.2.1).
extension Association {
    /// With as many blocks, a SACK may be silent about more; some stacks never send more than 20.
    private static var fewBlocks: Int { 20 }

    mutating func receivedAcknowledgement(_ element: Element, _ packet: RawSpan) {
        guard phase != .cookieWait, phase != .cookieEchoed, element.body.count >= 12 else { return }
        let start = element.body.lowerBound
        let cumulative = packet.uint32(start)
        let blocks = Int(packet.uint16(start + 8))
        let duplicates = Int(packet.uint16(start + 10))
        guard element.body.count >= 12 + 4 * (blocks + duplicates) else { return }
        // One that an earlier packet has overtaken says nothing new.
        guard !cumulative.isBefore(sending.chunks.first &- 1) else { return }
        guard cumulative.isBefore(sending.chunks.end) else { return fail("an acknowledgement of what was never sent") }
        sending.errors = 0
        let flightBefore = sending.chunks.flightSize
        let lostBefore = sending.lost
        let hasMoved = sending.chunks.first.isAtOrBefore(cumulative)

        var arrivals = Arrivals(sending, roundTrip, now: now)
        sending.chunks.acknowledge(upTo: cumulative) { found, chunk in arrivals.note(chunk, tsn: found) }
        var inGaps = 0
        var last: UInt32 = 0
        for block in 0..<blocks {
            let offset = start + 12 + 4 * block
            let first = UInt32(packet.uint16(offset))
            last = UInt32(packet.uint16(offset + 2))
            // Blocks that lie about what was never sent, or are out of form, are passed over.
            guard first >= 1, last >= first, (cumulative &+ last).isBefore(sending.chunks.end) else { continue }
            inGaps += Int(last - first) + 1
            sending.chunks.acknowledge(cumulative &+ first, through: cumulative &+ last) { found, chunk in
                arrivals.note(chunk, tsn: found)
            }
        }
        sending.acknowledgedInGaps = inGaps
        sending.reportedTo = blocks < Self.fewBlocks ? nil : cumulative &+ last
        if sending.chunks.isReneged {
            sending.chunks.renege()
            sending.acknowledgedInGaps = 0
        }
        noteDuplicates(packet, start + 12 + 4 * blocks, duplicates, &arrivals)
        sending.detection = arrivals.detection
        finish(arrivals, flightBefore: flightBefore, lostBefore: lostBefore, hasMoved: hasMoved)
        updatePeerWindow(Int(packet.uint32(start + 4)))
        advanceForward()
        finishShutdownIfDrained()
    }

    private mutating func noteDuplicates(_ packet: RawSpan, _ start: Int, _ count: Int, _ arrivals: inout Arrivals) {
        for index in 0..<min(count, 16) {
            let tsn = packet.uint32(start + 4 * index)
            // The answer to a probe for a lost tail says nothing of reordering.
            if tsn == sending.probe { continue }
            guard counters.spuriousRetransmissions < counters.chunksRetransmitted else { return }
            counters.spuriousRetransmissions += 1
            arrivals.late += 1
            arrivals.detection.wasLate(by: 0, now: now, smoothed: arrivals.smoothed)
        }
    }

    /// What the acknowledgement means for round trip, losses, window and timers.
    private mutating func finish(_ arrivals: Arrivals, flightBefore: Int, lostBefore: Int, hasMoved: Bool) {
        let smoothedBefore = roundTrip.smoothed
        if arrivals.roundTrip > 0 { roundTrip.add(arrivals.roundTrip, now: now) }
        if smoothedBefore == nil, let smoothed = roundTrip.smoothed {
            congestion.start(roundTrip: smoothed, now: now)
        }
        var sample = AcknowledgementSample(now: now, acknowledged: arrivals.size)
        sample.inFlightBefore = flightBefore
        if arrivals.size > 0 { measureRate(arrivals, &sample) }
        if let end = sending.recoveryEnd, !sending.chunks.first.isBefore(end) {
            sending.recoveryEnd = nil
            sending.doubtfulLosses = 0
            sending.detection.recoveryEnded()
        }
        if sending.largeUntil != nil, !needsFragments { sending.largeUntil = nil }
        noteLate(arrivals.late)
        if arrivals.size > 0 {
            if let probe = sending.probe, probe.isBefore(sending.chunks.first) || sending.chunks.isAcknowledged(probe) {
                sending.probe = nil
            }
        }
        detectLosses()
        sample.lost = sending.lost - lostBefore
        sample.inFlight = sending.chunks.flightSize
        sample.smoothedRoundTrip = roundTrip.smoothed ?? 0
        sample.roundTrip = arrivals.roundTrip
        sample.isWindowLimited = flightBefore + 3 * path.packetSize >= congestion.window
        if arrivals.size > 0 || sample.lost > 0 { congestion.acknowledged(sample) }
        counters.bytesAcknowledged += UInt64(arrivals.payload)
        if arrivals.size > 0 || hasMoved {
            path.noteProgress()
            restartLossTimers()
        }
    }

    private mutating func measureRate(_ arrivals: Arrivals, _ sample: inout AcknowledgementSample) {
        sending.delivered += arrivals.timely
        sending.deliveredTime = now
        if sending.limitedUntil > 0, sending.delivered > sending.limitedUntil { sending.limitedUntil = 0 }
        sample.delivered = sending.delivered
        let newest = arrivals.newest
        guard newest.order > 0 else {
            sample.deliveredBefore = -1
            return
        }
        sample.deliveredBefore = newest.delivered
        sample.isApplicationLimited = newest.isApplicationLimited
        sample.inFlightWhenSent = newest.inFlight
        sample.lostSinceSent = sending.lost - newest.lost
        let elapsed = max(now - newest.deliveredTime, newest.time - newest.firstTime)
        sending.firstTime = newest.time
        // A shorter time than the round trip cannot be right.
        guard elapsed > 0, roundTrip.minimum == .max || elapsed >= roundTrip.minimum else { return }
        sample.rate = Int(bounded: Double(sending.delivered - newest.delivered) * 1e9 / Double(elapsed))
    }

    private mutating func noteLate(_ count: Int) {
        guard count > 0, sending.doubtfulLosses > 0 else { return }
        sending.doubtfulLosses -= count
        if sending.doubtfulLosses <= 0 {
            sending.doubtfulLosses = 0
            congestion.undo(now: now)
        }
    }

    private mutating func updatePeerWindow(_ advertised: Int) {
        sending.advertisedWindow = advertised
        sending.peerWindow = max(0, advertised - sending.chunks.flightSize)
    }
}

/// What one acknowledgement says has arrived.
private struct Arrivals {
    var detection: LossDetection
    let now: Nanoseconds
    let minimum: Nanoseconds
    let smoothed: Nanoseconds
    let isRecovering: Bool
    var size = 0
    /// Without what must have arrived long ago: an acknowledgement has room for some gaps only, so that it may say much
    /// late, which would look like a fast path.
    var timely = 0
    var payload = 0
    var late = 0
    var newest = Transmission()
    /// The round trip of the newest chunk that was sent once.
    var roundTrip: Nanoseconds = 0
    private var roundTripOrder: UInt64 = 0

    init(_ sending: Sending, _ roundTrip: RoundTrip, now: Nanoseconds) {
        (detection, isRecovering, self.now) = (sending.detection, sending.recoveryEnd != nil, now)
        (minimum, smoothed) = (roundTrip.minimum, roundTrip.smoothed ?? 0)
    }

    @inline(__always)
    mutating func note(_ chunk: borrowing SentChunk, tsn: UInt32) {
        size += chunk.size
        payload += Int(chunk.count)
        let passed = now - chunk.sent.time
        let isTimely = smoothed == 0 || passed <= 2 * smoothed
        if isTimely { timely += chunk.size }
        if chunk.state == .lost {
            // It counted as lost and had not been sent again.
            late += 1
            detection.wasLate(by: max(0, passed - smoothed), now: now, smoothed: smoothed)
        } else if chunk.transmissions > 1, minimum != .max, passed < minimum {
            late += 1
            detection.wasLate(by: smoothed / 4, now: now, smoothed: smoothed)
            return
        }
        detection.arrived(chunk, tsn: tsn, now: now, minimum: minimum)
        if chunk.sent.order > newest.order { newest = chunk.sent }
        if chunk.transmissions == 1, isTimely || !isRecovering, chunk.sent.order > roundTripOrder {
            (roundTrip, roundTripOrder) = (max(1000, passed), chunk.sent.order)
        }
    }
}
