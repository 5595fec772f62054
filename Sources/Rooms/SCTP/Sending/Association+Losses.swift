// Losses: by later arrivals (RACK), by a probe when nothing later was sent, by time-out (RFC 8985, RFC 9260 section 6.3).
extension Association {
    /// Counts chunks as lost that later ones have overtaken by more than the window for reordering.
    mutating func detectLosses() {
        timers.reordering = .max
        guard !sending.chunks.flight.isEmpty else { return }
        let window = sending.detection.window(
            minimum: roundTrip.minimum, smoothed: roundTrip.smoothed ?? configuration.initialTimeout,
            acknowledgedInGaps: sending.acknowledgedInGaps, isRecovering: sending.recoveryEnd != nil)
        if let end = sending.reportedTo { return detectLosses(upTo: end, window) }
        while !sending.chunks.flight.isEmpty {
            let tsn = sending.chunks.flight.first
            guard let deadline = sending.detection.deadline(sending.chunks[tsn].sent, window: window) else { return }
            guard deadline <= now else {
                timers.reordering = deadline
                return
            }
            lose(tsn)
        }
    }

    /// The same when the acknowledgement had no room to speak of chunks behind `end`.
    private mutating func detectLosses(upTo end: UInt32, _ window: Nanoseconds) {
        var tsn = sending.chunks.flight.first
        var overdue: [UInt32] = []
        for _ in 0..<sending.chunks.flight.count {
            guard let deadline = sending.detection.deadline(sending.chunks[tsn].sent, window: window) else { break }
            if tsn.isAtOrBefore(end) {
                guard deadline <= now else {
                    timers.reordering = deadline
                    break
                }
                overdue.append(tsn)
            }
            tsn = sending.chunks[tsn].next
        }
        // A chunk that is given up takes the others of its message along.
        for tsn in overdue where sending.chunks[tsn].state == .inFlight { lose(tsn) }
    }

    /// Counts a chunk as lost, or gives its message up if it may not be sent again.
    private mutating func lose(_ tsn: UInt32) {
        let chunk = sending.chunks[tsn]
        sending.lost += chunk.size
        if sending.recoveryEnd == nil {
            sending.recoveryEnd = sending.chunks.end
            // One packet goes out in any case (RFC 9260 section 7.2.4): without it nothing might move.
            sending.mayProbe = true
        }
        sending.doubtfulLosses += 1
        sending.chunks.markLost(tsn)
        congestion.lost(
            Loss(
                now: now, size: chunk.size, sentAt: chunk.sent.time, inFlightWhenSent: chunk.sent.inFlight + chunk.size,
                lostSinceSent: sending.lost - chunk.sent.lost, deliveredWhenSent: chunk.sent.delivered,
                isApplicationLimited: chunk.sent.isApplicationLimited))
        let size = PacketHeader.count + headerCount + Int(chunk.count)
        if path.noteLoss(of: size, transmissions: chunk.transmissions, now) { sendSmallPackets() }
        if mustAbandon(chunk) { abandon(tsn) }
    }

    /// Only small packets arrive. What was cut for larger ones cannot be cut again, and goes out in fragments of IP.
    private mutating func sendSmallPackets() {
        sending.largeUntil = sending.chunks.end
        congestion.setPacketSize(path.packetSize - PacketHeader.count)
    }

    func mustAbandon(_ chunk: borrowing SentChunk) -> Bool {
        chunk.transmissions > chunk.maxTransmissions || chunk.expiry <= now
    }

    // MARK: - Timers

    /// Something arrived: the timers begin anew, if there is still something under way.
    mutating func restartLossTimers() {
        timers.retransmission = sending.chunks.isEmpty ? .max : now + roundTrip.timeout
        timers.probe = .max
        armProbe()
    }

    /// The time-out of the tail-loss probe: when an acknowledgement should have come (RFC 8985 section 7.2).
    mutating func armProbe() {
        guard let smoothed = roundTrip.smoothed, !sending.chunks.flight.isEmpty, sending.chunks.lost.isEmpty,
            sending.probe == nil, roundTrip.doublings == 0
        else { return timers.probe = .max }
        let due = now + 2 * smoothed + .milliseconds(10)
        timers.probe = due < timers.retransmission ? due : .max
    }

    /// Nothing came for two round trips: one more packet makes the peer say what it has.
    mutating func sendProbe() {
        timers.probe = .max
        guard !sending.chunks.flight.isEmpty else { return }
        counters.probes += 1
        sending.mayProbe = true
        timers.retransmission = now + roundTrip.timeout
        guard outgoing.isIdle || sending.peerWindow < path.packetSize else {
            sending.probe = sending.chunks.end
            return
        }
        let tsn = sending.chunks.flight.last
        sending.probe = tsn
        guard sending.chunks[tsn].transmissions <= sending.chunks[tsn].maxTransmissions else {
            sending.mayProbe = false
            return
        }
        sending.chunks.markLost(tsn)
    }

    /// T3 has fired: all that is under way counts as lost.
    mutating func timeOut() {
        timers.retransmission = .max
        timers.probe = .max
        timers.reordering = .max
        guard !sending.chunks.isEmpty else { return }
        counters.timeouts += 1
        // A peer without room answers nothing but zero windows; it is there nevertheless (section 6.1 A).
        guard noteError() else { return }
        if sending.chunks.isReneged { sending.chunks.renege() }
        if !sending.chunks.flight.isEmpty || !sending.chunks.lost.isEmpty { congestion.timedOut(now: now) }
        if sending.recoveryEnd == nil { sending.recoveryEnd = sending.chunks.end }
        while !sending.chunks.flight.isEmpty {
            let tsn = sending.chunks.flight.first
            let chunk = sending.chunks[tsn]
            sending.lost += chunk.size
            sending.chunks.markLost(tsn)
            if mustAbandon(chunk) { abandon(tsn) }
        }
        sending.probe = nil
        roundTrip.double()
        if path.noteTimeOut(now) { sendSmallPackets() }
        advanceForward()
        if sending.owesForward || sending.hasForward { sending.owesForward = true }
        timers.retransmission = now + roundTrip.timeout
    }

    /// Counts a sign that the peer is gone; `false` if it was the last one.
    mutating func noteError() -> Bool {
        sending.errors += 1
        guard sending.errors > configuration.maxRetransmissions else { return true }
        sendAbort(cause: .cause(ErrorCause.userAbort, Array("no answer".utf8)))
        close(.peerGone)
        return false
    }
}
