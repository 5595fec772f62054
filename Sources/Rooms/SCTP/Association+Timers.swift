// Time.
extension Association {
    /// When ``advance(to:)`` and ``transmit(into:now:)`` must be called at the latest if nothing else happens; `nil` is
    /// never.
    public var nextDeadline: Nanoseconds? {
        guard phase != .closed else { return nil }
        var next = min(timers.next, receiving.deadline, path.deadline, resets.request?.deadline ?? .max)
        if let paced = pacedDeadline { next = min(next, paced) }
        return next == .max ? nil : next
    }

    /// Runs the timers that are due. Harmless when none is.
    public mutating func advance(to now: Nanoseconds) {
        self.now = max(self.now, now)
        guard phase != .closed else { return }
        if timers.handshake <= self.now {
            timers.handshake = .max
            if phase == .cookieWait || phase == .cookieEchoed { repeatHandshake() } else { repeatShutdown() }
        }
        if timers.reordering <= self.now {
            let lost = sending.lost
            detectLosses()
            if sending.lost > lost { noteLosses(sending.lost - lost) }
        }
        if timers.probe <= self.now { sendProbe() }
        if timers.retransmission <= self.now { timeOut() }
        if timers.heartbeat <= self.now { sendHeartbeat() }
        if path.deadline <= self.now { path.advance(self.now) }
        repeatResetRequest()
    }

    /// Losses without an acknowledgement.
    private mutating func noteLosses(_ size: Int) {
        var sample = AcknowledgementSample(now: now)
        sample.lost = size
        sample.delivered = sending.delivered
        sample.deliveredBefore = -1
        sample.inFlight = sending.chunks.flightSize
        sample.inFlightBefore = sample.inFlight + size
        sample.smoothedRoundTrip = roundTrip.smoothed ?? 0
        congestion.acknowledged(sample)
    }

    /// A snapshot of counters and estimates.
    public var statistics: Statistics {
        var statistics = counters
        statistics.roundTrip = roundTrip.smoothed
        statistics.minimumRoundTrip = roundTrip.minimum == .max ? nil : roundTrip.minimum
        statistics.timeout = roundTrip.timeout
        statistics.congestionWindow = congestion.window
        statistics.inFlight = sending.chunks.flightSize
        statistics.pacingRate = congestion.pacingRate
        statistics.bandwidth = congestion.bandwidth
        statistics.packetSize = path.packetSize
        statistics.peerWindow = sending.peerWindow
        statistics.heldBytes = receiving.size
        statistics.phase = congestion.phase
        return statistics
    }
}
