internal import Storage

/// The other side's public keys, for sealing. A key leaves the database when it is reserved, in blocks, so none is there
/// to be taken a second time, whatever happens to this process.
struct PeerKeys: Sendable {
    struct Pool: Sendable {
        let epoch: UInt32
        let capacity: Int
        let notAfter: Int64
        let lastResort: [UInt8]
        /// How many keys were announced.
        var received: Int
        /// How many of them this device may still reserve.
        var left: Int
    }

    /// A key to seal to, once; or the last resort.
    struct Taken: Sendable {
        let epoch: UInt32
        let index: UInt32?
        let key: ArraySlice<UInt8>
    }

    let bond: String
    let allotment: Allotment
    /// Newest first; at most two.
    private(set) var pools: [Pool]
    /// Last first.
    var reserved: [Taken] = []
    private var hasReserved = false

    init(bond: String, allotment: Allotment, store: some SealingStore) throws {
        self.bond = bond
        self.allotment = allotment
        pools = try store.read { database in
            try database.query(
                """
                SELECT epoch, capacity, not_after, last_resort, received,
                    (SELECT ifnull(sum(length(keys)), 0) FROM sealing_peer_keys AS k
                    WHERE k.bond = p.bond AND k.epoch = p.epoch AND \(Self.isOurs)) / \(PoolPart.keyByteCount)
                FROM sealing_peer_pools AS p WHERE bond = ?3 ORDER BY epoch DESC
                """, allotment.devices, allotment.device, bond
            ) { row in
                Pool(
                    epoch: UInt32(truncatingIfNeeded: try row[0] as Int), capacity: try row[1] as Int,
                    notAfter: try row[2] as Int64, lastResort: try row[3] as [UInt8], received: try row[4] as Int,
                    left: try row[5] as Int)
            }
        }
    }

    /// The same with the counts of the database.
    init(continuing other: PeerKeys, store: some SealingStore) throws {
        try self.init(bond: other.bond, allotment: other.allotment, store: store)
        reserved = other.reserved
        hasReserved = other.hasReserved
    }

    /// Blocks are dealt to the devices in turn. Parameters 1 and 2.
    private static let isOurs = "(first / \(PoolPart.blockCount)) % ?1 = ?2"

    /// How many keys are left before the last resort.
    func remaining(at now: Int64) -> Int {
        reserved.count + pools.reduce(0) { $0 + ($1.notAfter > now ? $1.left : 0) }
    }

    /// Takes a key for good. Keys of the newest epoch go first; the last resort comes when no other is left.
    mutating func take(at now: Int64, store: some SealingStore) throws -> Taken {
        if let taken = reserved.popLast() { return taken }
        for place in pools.indices where pools[place].notAfter > now && pools[place].left > 0 {
            try reserve(from: place, store: store)
            if let taken = reserved.popLast() { return taken }
        }
        guard let pool = pools.first(where: { $0.notAfter > now }) else {
            throw SealingError(.noKeysYet, "the other side's keys are not known, or their time is over; meet again")
        }
        return Taken(epoch: pool.epoch, index: nil, key: pool.lastResort[...])
    }

    private mutating func reserve(from place: Int, store: some SealingStore) throws {
        let (bond, epoch) = (bond, pools[place].epoch)
        // A process that seals one message and ends, as one that is called by hand, wastes few.
        let blocks = hasReserved ? SealingLimits.reservation / PoolPart.blockCount : 1
        let rows = try store.read { [allotment] database in
            try database.query(
                """
                SELECT first, keys FROM sealing_peer_keys WHERE bond = ?3 AND epoch = ?4 AND \(Self.isOurs)
                ORDER BY first LIMIT ?5
                """, allotment.devices, allotment.device, bond, Int64(epoch), blocks
            ) { row in (first: try row[0] as Int, keys: try row[1] as [UInt8]) }
        }
        try store.write(durably: true) { database in
            for row in rows {
                let gone = try database.execute(
                    "DELETE FROM sealing_peer_keys WHERE bond = ? AND epoch = ? AND first = ?", bond, Int64(epoch),
                    row.first)
                guard gone == 1 else { throw SealingError(.storageFailed, "a key was taken by someone else") }
            }
        }
        hasReserved = true
        let taken = rows.flatMap { row in
            stride(from: 0, to: row.keys.count, by: PoolPart.keyByteCount).map { start in
                Taken(
                    epoch: epoch, index: UInt32(row.first + start / PoolPart.keyByteCount),
                    key: row.keys[start..<start + PoolPart.keyByteCount])
            }
        }
        pools[place].left = rows.isEmpty ? 0 : max(0, pools[place].left - taken.count)
        reserved = taken.reversed()
    }
}
