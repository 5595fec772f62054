internal import Storage

extension PeerKeys {
    /// The result of taking an announced part.
    enum Addition {
        case added
        /// The part contains nothing new.
        case known
        /// An earlier part is missing.
        case gap
    }

    /// Keeps announced keys. The caller has checked the part's signature and bounds.
    mutating func add(_ part: PoolPart, store: some SealingStore) throws -> Addition {
        let newest = pools.first?.epoch ?? 0
        guard part.epoch >= newest else { return .known }
        let known = part.epoch == newest ? pools.first : nil
        let received = known?.received ?? 0
        guard Int(part.first) >= received else { return .known }
        guard known?.isContinued(by: part) ?? true else {
            throw SealingError(.invalidAnnouncement, "the announced keys do not continue those that are known")
        }
        guard Int(part.first) == received else { return .gap }
        if known == nil { giveBack(store: store) }
        let count = received + part.count
        // Keys of earlier epochs are used until the new one is complete.
        let oldest = count == Int(part.capacity) ? part.epoch : newest
        try store.write(durably: false) { [pairing] database in
            try database.execute(
                """
                INSERT INTO sealing_peer_pools (bond, epoch, capacity, received, not_after, last_resort, signed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET received = excluded.received, signed_at = excluded.signed_at
                """, pairing, Int64(part.epoch), Int(part.capacity), count, part.notAfter, part.lastResort,
                part.signedAt)
            try database.execute("DELETE FROM sealing_peer_pools WHERE bond = ? AND epoch < ?", pairing, Int64(oldest))
            for block in stride(from: 0, to: part.count, by: PoolPart.blockCount) {
                let start = block * PoolPart.keyByteCount
                let keys = Array(part.keys[start..<start + PoolPart.blockCount * PoolPart.keyByteCount])
                try database.execute(
                    "INSERT INTO sealing_peer_keys VALUES (?, ?, ?, ?)", pairing, Int64(part.epoch),
                    Int(part.first) + block, keys)
            }
        }
        // The database counts the keys that are left, because it knows the partition.
        self = try PeerKeys(continuing: self, store: store)
        return .added
    }

    /// Returns keys that were reserved but not used, for the next process. If that fails, they are lost.
    mutating func giveBack(store: some SealingStore) {
        guard !reserved.isEmpty else { return }
        try? store.write(durably: false) { [pairing, runs] database in
            for keys in runs {
                guard let first = keys.first, let index = first.index else { continue }
                try database.execute(
                    "INSERT INTO sealing_peer_keys VALUES (?, ?, ?, ?)", pairing, Int64(first.epoch), Int64(index),
                    Array(keys.map(\.key).joined()))
            }
        }
        reserved = []
        if let recounted = try? PeerKeys(continuing: self, store: store) { self = recounted }
    }

    /// The reserved keys in database rows: adjacent keys of one block.
    private var runs: [[Taken]] {
        var runs: [[Taken]] = []
        for key in reserved.reversed() {
            guard let index = key.index else { continue }
            if let last = runs.last?.last, last.epoch == key.epoch, last.index == index &- 1,
                !index.isMultiple(of: UInt32(PoolPart.blockCount))
            {
                runs[runs.count - 1].append(key)
            } else {
                runs.append([key])
            }
        }
        return runs
    }

    /// The other side says that all keys of an epoch below `end` are used, and this device does not remember using
    /// them.
    mutating func skip(to end: UInt32, in epoch: UInt32, store: some SealingStore) throws {
        reserved.removeAll { $0.epoch == epoch && ($0.index ?? 0) < end }
        // A repeated claim must not cause more writes.
        let isBehind = try store.read { [pairing] database in
            try database.first(
                "SELECT 1 FROM sealing_peer_keys WHERE bond = ? AND epoch = ? AND first < ? LIMIT 1", pairing,
                Int64(epoch), Int64(end)
            ) { try $0[0] as Bool }
        }
        guard isBehind == true else { return }
        try store.write(durably: true) { [pairing] database in
            try database.execute(
                "DELETE FROM sealing_peer_keys WHERE bond = ? AND epoch = ? AND first < ?", pairing, Int64(epoch),
                Int64(end))
        }
        self = try PeerKeys(continuing: self, store: store)
    }
}

extension PeerKeys.Pool {
    /// Whether a later part matches the first announcement of its epoch.
    fileprivate func isContinued(by part: PoolPart) -> Bool {
        Int(part.capacity) == capacity && part.notAfter == notAfter && part.lastResort == lastResort
    }
}
