/// What each side has of the other's keys: said when the two meet, and again when something was lost on the way.
extension SealingSession.Ledger {
    func holdings(at now: Int64) -> ControlMessage.Holdings {
        let newest = peerKeys.pools.first
        return ControlMessage.Holdings(
            epoch: newest?.epoch ?? 0, received: UInt32(clamping: newest?.received ?? 0),
            remaining: UInt32(clamping: peerKeys.remaining(at: now)))
    }

    /// Compares what the other side has of our keys with what we remember. If it has more, or used more, this profile is
    /// older than it was: it goes on with an epoch that nobody has seen.
    mutating func meet(_ holdings: ControlMessage.Holdings, session: SealingSession) throws {
        let (made, usedEnd) = (pools.last?.made ?? 0, pools.last?.usedEnd ?? 0)
        let received = received(holdings)
        connection?.isIntroduced = true
        connection?.hasAskedForKeys = false
        connection?.lacksPart = false
        connection?.peerRemaining = Int(holdings.remaining)
        connection?.announced = min(received, made)
        let hasForgotten = holdings.epoch > pools.last?.epoch ?? 0 || received > made
        if hasForgotten || received < usedEnd { try beginEpochOnce(session: session, above: holdings.epoch) }
    }

    /// The other side says what it has. What was announced beyond that did not arrive, and goes out once more.
    mutating func goOn(from holdings: ControlMessage.Holdings) {
        connection?.peerRemaining = Int(holdings.remaining)
        guard let connection, let usedEnd = pools.last?.usedEnd else { return }
        let received = received(holdings)
        // What it used it has, whatever it says; and it does not make us sign the same keys for ever.
        guard (usedEnd..<max(usedEnd, connection.announced)).contains(received),
            connection.repetitions < SealingLimits.repetitions
        else { return }
        self.connection?.announced = received
        self.connection?.repetitions += 1
    }

    /// A part came whose forerunner was lost: the other side learns so once, until the next one fits.
    mutating func reportLoss(at now: Int64) -> ControlMessage.Holdings? {
        guard connection?.lacksPart == false else { return nil }
        connection?.lacksPart = true
        return holdings(at: now)
    }

    /// How many keys of our newest epoch the other side has, as it says.
    private func received(_ holdings: ControlMessage.Holdings) -> Int {
        holdings.epoch == pools.last?.epoch ? Int(holdings.received) : 0
    }
}
