internal import Storage

/// Which of the other side's keys each side has. The sides tell each other when they meet, and again when something was
/// lost.
extension SealingSession.Ledger {
    /// Keys count even if they have expired by this machine's clock. Their owner decides that, and a wrong clock here
    /// must not make the owner end older epochs.
    var holdings: ControlMessage.Holdings {
        let newest = peerKeys.pools.first
        return ControlMessage.Holdings(
            epoch: newest?.epoch ?? 0, received: UInt32(clamping: newest?.received ?? 0),
            remaining: UInt32(clamping: peerKeys.remaining(at: .min)), copy: copy)
    }

    /// Compares the keys that the other side says it has with those that we remember. If it has keys that were never
    /// made here, this profile was reset to an older copy. If it lacks keys that it used, or still has keys that it
    /// used, its profile was. Either way a new epoch begins.
    ///
    /// It may have used more keys than messages arrived: messages may be lost, or carried by hand. A reader that was
    /// restored within an epoch continues with it, and has again the keys that it destroyed after the copy.
    mutating func meet(_ holdings: ControlMessage.Holdings, session: SealingSession) throws {
        let (made, usedEnd) = (pools.last?.made ?? 0, pools.last?.usedEnd ?? 0)
        let received = received(holdings)
        connection?.copy = holdings.copy
        connection?.isIntroduced = true
        connection?.hasAskedForKeys = false
        connection?.lacksPart = false
        connection?.peerRemaining = Int(holdings.remaining)
        connection?.announced = min(received, made)
        let hasForgotten = holdings.epoch > pools.last?.epoch ?? 0 || received > made
        let peerHasForgotten = try received < usedEnd || holdsUsed(holdings, received, session)
        let isAnotherCopy = try !isForReader(session.store)
        if hasForgotten || peerHasForgotten || isAnotherCopy {
            try beginEpochOnce(session: session, above: holdings.epoch)
        }
    }

    /// Whether the newest keys may be announced to the connected copy of the other side's profile. Two copies with the
    /// same keys could both seal to one. Keys that were not announced yet go to the first copy that connects.
    private mutating func isForReader(_ store: some SealingStore) throws -> Bool {
        guard let newest = pools.last, let copy = connection?.copy, newest.reader != copy else { return true }
        guard newest.made == 0 else { return false }
        try store.write(durably: true) { database in
            try database.execute(
                "UPDATE sealing_pools SET reader = ? WHERE bond = ? AND epoch = ?", Int64(bitPattern: copy),
                newest.pairing, Int64(newest.epoch))
        }
        pools[pools.count - 1].reader = copy
        return true
    }

    /// Whether the other side says that it has unused keys, although messages sealed to them have arrived.
    private func holdsUsed(
        _ holdings: ControlMessage.Holdings, _ received: Int, _ session: SealingSession
    ) throws -> Bool {
        // Until it has the complete epoch, it also counts keys of the one before.
        guard let newest = pools.last, received == newest.capacity else { return false }
        let used = try session.store.read { database in
            try UsedKeys.summary(pairing: newest.pairing, epoch: newest.epoch, in: database).count
        }
        return Int(holdings.remaining) > received - used
    }

    /// The other side says which keys it has. Those that were announced beyond that did not arrive, and are sent
    /// again.
    mutating func goOn(from holdings: ControlMessage.Holdings) {
        connection?.peerRemaining = Int(holdings.remaining)
        guard let connection, let usedEnd = pools.last?.usedEnd else { return }
        let received = received(holdings)
        // Keys that it used have arrived, whatever it says. The limit prevents it from making us sign the same keys for
        // ever.
        guard (usedEnd..<max(usedEnd, connection.announced)).contains(received),
            connection.repetitions < SealingLimits.repetitions
        else { return }
        self.connection?.announced = received
        self.connection?.repetitions += 1
    }

    /// A part came without the one before it. The other side is told once, until the next part fits.
    mutating func reportLoss() -> ControlMessage.Holdings? {
        guard connection?.lacksPart == false else { return nil }
        connection?.lacksPart = true
        return holdings
    }

    /// How many keys of our newest epoch the other side has, as it says.
    private func received(_ holdings: ControlMessage.Holdings) -> Int {
        holdings.epoch == pools.last?.epoch ? Int(holdings.received) : 0
    }
}
