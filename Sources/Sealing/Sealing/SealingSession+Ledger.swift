internal import Storage
internal import Synchronization

extension SealingSession.Ledger {
    /// Remembers how far the other side has come in an epoch.
    mutating func noteUse(of header: SealedHeader) {
        guard let index = header.index else {
            connection?.peerRemaining = 0
            return
        }
        guard let place = pools.firstIndex(where: { $0.epoch == header.epoch }) else { return }
        let before = pools[place].usedEnd
        pools[place].usedEnd = max(before, Int(index) + 1)
        if let remaining = connection?.peerRemaining {
            connection?.peerRemaining = max(0, remaining - (pools[place].usedEnd - before))
        }
    }

    /// Overwrites the slots of keys that are marked as used.
    mutating func erase(_ uses: [KeyUse], store: some SealingStore) throws {
        for use in uses {
            guard let index = use.index, let pool = pools.last(where: { $0.epoch == use.epoch }) else { continue }
            try pool.slots.erase(Int(index))
            erased.append(use)
        }
        if erased.count >= SealingLimits.erasures { try awaitErasures(store: store) }
    }

    /// Flushes the disk, and then deletes the records of slots to erase.
    mutating func awaitErasures(store: some SealingStore) throws {
        guard !erased.isEmpty else { return }
        let epochs = Set(erased.map(\.epoch))
        for pool in pools where epochs.contains(pool.epoch) { try pool.slots.synchronize() }
        try store.write(durably: false) { [erased] database in
            for use in erased {
                try database.execute(
                    "DELETE FROM sealing_erasures WHERE bond = ? AND epoch = ? AND slot = ?", use.pairing,
                    Int64(use.epoch),
                    Int64(use.index ?? 0))
            }
        }
        erased = []
    }

    /// After a crash: erases the slots that were marked as used and may not have been erased.
    mutating func eraseMarked(pairing: String, store: some SealingStore) throws {
        let uses = try store.read { database in
            try database.query("SELECT epoch, slot FROM sealing_erasures WHERE bond = ?", pairing) { row in
                KeyUse(
                    pairing: pairing, epoch: UInt32(truncatingIfNeeded: try row[0] as Int),
                    index: UInt32(truncatingIfNeeded: try row[1] as Int))
            }
        }
        try erase(uses, store: store)
        try awaitErasures(store: store)
    }

    /// Ends epochs whose time is over, that have no key left, or that are too many. The newest stays until its time is over.
    /// - Parameter limit: how many may stay; a new one has just begun.
    mutating func endOldEpochs(session: SealingSession, keeping limit: Int = .max) throws {
        let (store, time) = (session.store, time(session))
        let ended = pools.enumerated().filter { place, pool in
            let isNewest = place == pools.count - 1
            return pool.isOver(at: time) || (!isNewest && (pools.count - place > limit || pool.isDrained(in: store)))
        }.map(\.element)
        guard !ended.isEmpty else { return }
        try awaitErasures(store: store)
        try store.write(durably: true) { database in
            for pool in ended { try SealingTables.delete(epoch: pool.epoch, of: pool.pairing, in: database) }
        }
        pools.removeAll { pool in ended.contains { $0.epoch == pool.epoch } }
        try store.removeNotedFiles()
    }
}

extension PrivatePool {
    /// Whether every key was used. An unfinished epoch that is not the newest gets no more keys.
    fileprivate func isDrained(in store: some SealingStore) -> Bool {
        guard remaining == 0 else { return false }
        let used = try? store.read { try UsedKeys.summary(pairing: pairing, epoch: epoch, in: $0).count }
        return used == made
    }
}

extension SealingSession {
    /// Whether the private key of a message is still on the disk, even if it is marked as used: for tests and the demo.
    package func holdsKey(of header: SealedHeader) throws(SealingError) -> Bool {
        let pool = ledger.withLock { ledger in ledger.pools.last { $0.epoch == header.epoch } }
        guard let pool, let index = header.index else { return pool != nil }
        return try storing { try pool.privateKey(Int(index)) != nil }
    }

    /// The same ciphertext under a header with another number and a matching unkeyed binding, as anyone who intercepts
    /// the message could make it: for tests and the demo.
    package static func renumbered(_ sealed: [UInt8]) throws(SealingError) -> [UInt8] {
        let header = try peek(sealed)
        let altered = SealedHeader(
            epoch: header.epoch, index: header.index, sequence: header.sequence &+ 1, senderHint: header.senderHint,
            receiverHint: header.receiverHint, ephemeral: header.ephemeral)
        return altered.bytes + sealed[SealedHeader.byteCount...]
    }
}
