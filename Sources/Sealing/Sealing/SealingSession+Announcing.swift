internal import Cryptography
internal import Storage
internal import Synchronization

extension SealingSession {
    /// Makes and signs the next part of our keys, if the other side should have more: until it has a whole epoch, and
    /// again when a tenth of one is left. It takes some milliseconds and never more than a tenth of a second: call it
    /// in the background, send the result, and call it again.
    ///
    /// - Returns: a control message; nil if the other side has enough keys, or is not connected.
    public func nextAnnouncement() throws(SealingError) -> [UInt8]? {
        let step = try ledger.withLock { ledger throws(SealingError) in
            try storing { try ledger.nextStep(session: self) }
        }
        switch step {
        case .nothing: return nil
        case .askForKeys(let holdings): return ControlMessage.holdings(holdings).bytes
        case .announce(let pool, let range):
            if let keys = pool.publicKeys(range) { return try announce(pool, from: range.lowerBound, keys) }
            // Keys that are damaged cannot be announced. The other side gets a new, complete epoch.
            try ledger.withLock { ledger throws(SealingError) in
                try storing { try ledger.beginEpochOnce(session: self) }
            }
            return try nextAnnouncement()
        case .make(let pool, let count):
            defer { ledger.withLock { $0.isMakingKeys = false } }
            let keys = try Self.makeKeys(count)
            let isNext = try ledger.withLock { ledger throws(SealingError) in
                try storing { try ledger.keep(keys, in: pool, store: store) }
            }
            guard isNext else { return try nextAnnouncement() }
            return try announce(pool, from: pool.made, keys.flatMap(\.publicKey.uncompressed))
        }
    }

    /// Begins a new epoch of our keys, so that messages from now on are safe from someone who copied the old keys, and
    /// asks the other side to do the same.
    ///
    /// - Returns: control messages to send. Without a connection there are none: the new keys go out with the next one.
    public func renew() throws(SealingError) -> [[UInt8]] {
        let isConnected = try ledger.withLock { ledger throws(SealingError) in
            _ = try ledger.knownPeer()
            try storing { try ledger.beginEpoch(session: self) }
            return ledger.connection?.isIntroduced == true
        }
        guard isConnected else { return [] }
        return [ControlMessage.renewalRequest.bytes] + (try nextAnnouncement().map { [$0] } ?? [])
    }

    /// Begins an epoch because the other side asks for one. This happens once for each connection, because each epoch
    /// discards keys that were made already.
    func renewOnRequest() throws(SealingError) -> [SealingOutput] {
        try ledger.withLock { ledger throws(SealingError) in
            guard ledger.connection?.isIntroduced == true else { return }
            try storing { try ledger.beginEpochOnce(session: self) }
        }
        return try nextAnnouncement().map { [.send($0)] } ?? []
    }

    private static func makeKeys(_ count: Int) throws(SealingError) -> [EllipticCurve.PrivateKey] {
        do {
            var keys: [EllipticCurve.PrivateKey] = []
            keys.reserveCapacity(count)
            for _ in 0..<count { keys.append(try EllipticCurve.PrivateKey(.p256)) }
            return keys
        } catch { throw SealingError(.storageFailed, "keys could not be made: \(error.message)") }
    }

    private func announce(
        _ pool: PrivatePool, from first: Int, _ keys: [UInt8]
    ) throws(SealingError) -> [UInt8] {
        let (identity, peer) = try ledger.withLock { ledger throws(SealingError) in
            (ledger.identity, try ledger.knownPeer().identity)
        }
        return try storing {
            let part = PoolPart(
                epoch: pool.epoch, first: UInt32(first), capacity: UInt32(pool.capacity),
                notAfter: pool.notAfter, keys: keys, lastResort: pool.lastResort.publicKey.uncompressed,
                signedAt: now()
            ).bytes
            let statement = PoolPart.statement(part, owner: identity.publicKey, reader: peer)
            return ControlMessage.announcement(
                ControlMessage.SignedPart(part: part, signature: try identity.sign(statement, as: .poolPart))
            ).bytes
        }
    }
}

extension SealingSession {
    /// The keys to announce next.
    enum Step {
        case nothing
        case askForKeys(ControlMessage.Holdings)
        /// Existing keys that the other side does not have.
        case announce(PrivatePool, Range<Int>)
        case make(PrivatePool, count: Int)
    }
}

extension SealingSession.Ledger {
    mutating func nextStep(session: SealingSession) throws -> SealingSession.Step {
        guard !isRevoked, !isMakingKeys, connection?.isIntroduced == true else { return .nothing }
        // Another copy of its profile uses a connection that already got its new epoch: it gets keys over the next
        // connection.
        if let newest = pools.last, newest.reader != connection?.copy { return .nothing }
        if let pool = pools.last, let announced = connection?.announced, announced < pool.made {
            let range = announced..<min(pool.made, announced + PoolPart.keyLimit)
            self.announced(range.count)
            return .announce(pool, range)
        }
        if isAged(at: time(session)) {
            if !pools.isEmpty { connection?.gotNewEpoch = true }
            try beginEpoch(session: session, keeping: SealingLimits.epochsByAge)
        } else if isUsedUp(target: session.target) {
            connection?.gotNewEpoch = true
            try beginEpoch(session: session)
        }
        guard let pool = pools.last else { return .nothing }
        if !pool.isComplete {
            isMakingKeys = true
            return .make(pool, count: pool.nextPart)
        }
        return askForKeys(at: session.now())
    }

    /// Whether there is no epoch, or the newest is old.
    private func isAged(at time: SealingClock) -> Bool {
        guard let newest = pools.last else { return true }
        return newest.notAfter - time.latest < SealingLimits.lifetime / 2
    }

    /// Whether the newest epoch has few keys left.
    private func isUsedUp(target: Int) -> Bool {
        let low = SealingLimits.lowWater(of: target)
        guard pools.last?.isComplete == true, keysToOpen <= low else { return false }
        // Messages prove that keys were used. Nothing proves that keys were lost, so this is believed once for each
        // connection.
        return keysNotSeen <= low || connection?.gotNewEpoch == false
    }

    /// Begins an epoch because of a claim that nothing proves. Each new epoch ends an old one, so this happens once for
    /// each connection.
    mutating func beginEpochOnce(session: SealingSession, above known: UInt32 = 0) throws {
        guard connection?.gotNewEpoch == false else { return }
        try beginEpoch(session: session, above: known)
        connection?.gotNewEpoch = true
    }

    /// - Parameter limit: how many epochs are kept; the oldest ones beyond that end.
    mutating func beginEpoch(
        session: SealingSession, above known: UInt32 = 0, keeping limit: Int = SealingLimits.epochs
    ) throws {
        let last = max(known, pools.last?.epoch ?? 0)
        guard last < UInt32.max else { throw SealingError(.invalidAnnouncement, "there are no more epochs") }
        pools.append(
            try PrivatePool.begin(
                pairing: session.pairing, epoch: last + 1, capacity: session.target, reader: connection?.copy ?? 0,
                time: time(session), store: session.store))
        connection?.announced = 0
        try endOldEpochs(session: session, keeping: limit)
    }

    /// Keeps keys that were made outside of the lock.
    /// - Returns: whether they are the next keys for the other side. The epoch or the connection may have ended
    ///   meanwhile.
    mutating func keep(
        _ keys: [EllipticCurve.PrivateKey], in pool: PrivatePool, store: any SealingStore
    ) throws -> Bool {
        isMakingKeys = false
        let place = pools.count - 1
        guard place >= 0, pools[place].epoch == pool.epoch else { return false }
        let made = pool.made + keys.count
        do {
            try store.write(durably: true) { database in
                let changed = try database.execute(
                    "UPDATE sealing_pools SET made = ? WHERE bond = ? AND epoch = ? AND made = ?", made, pool.pairing,
                    Int64(pool.epoch), pool.made)
                guard changed == 1 else { throw Overtaken() }
                // The keys are on the disk before the transaction. After a crash in between, the slots count as never
                // written.
                try pool.write(keys)
            }
        } catch is Overtaken {
            pools[place].made = try pool.madeByAnother(in: store)
            return false
        }
        pools[place].made = made
        guard connection?.isIntroduced == true, connection?.announced == pool.made else { return false }
        announced(keys.count)
        return true
    }

    private mutating func announced(_ count: Int) {
        connection?.announced += count
        if let remaining = connection?.peerRemaining { connection?.peerRemaining = remaining + count }
    }

    /// Tells the other side once that few of its keys are left here, because it may not know that some were lost on
    /// their way.
    private mutating func askForKeys(at now: Int64) -> SealingSession.Step {
        guard connection?.hasAskedForKeys == false, level(at: now) == .low || level(at: now) == .lastResort else {
            return .nothing
        }
        connection?.hasAskedForKeys = true
        return .askForKeys(holdings)
    }
}

/// Another session of the pairing wrote keys into these slots meanwhile.
private struct Overtaken: Error {}

extension PrivatePool {
    fileprivate var nextPart: Int {
        min(made == 0 ? SealingLimits.firstPart : PoolPart.keyLimit, capacity - made)
    }

    /// How many keys there are by now.
    fileprivate func madeByAnother(in store: some SealingStore) throws -> Int {
        let made = try store.read { database in
            try database.first("SELECT made FROM sealing_pools WHERE bond = ? AND epoch = ?", pairing, Int64(epoch)) {
                try $0[0] as Int
            }
        }
        guard let made else { throw SealingError(.storageFailed, "another session of the pairing ended the epoch") }
        return made
    }
}
