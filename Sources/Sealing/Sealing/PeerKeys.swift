internal import Storage

/// The other side's public keys, for sealing. A key is deleted from the database when it is reserved, so that a crash
/// never lets it be used twice.
struct PeerKeys: Sendable {
    struct Pool: Sendable {
        let epoch: UInt32
        let capacity: Int
        let notAfter: Int64
        let lastResort: [UInt8]
        /// When the other side signed the latest part, by its clock.
        let signedAt: Int64
        /// How many keys were announced.
        var received: Int
        /// How many of them this device may still reserve.
        var left: Int
    }

    /// A key to seal to once, or the last-resort key.
    struct Taken: Sendable {
        let epoch: UInt32
        let index: UInt32?
        let key: ArraySlice<UInt8>
    }

    let pairing: String
    let partition: KeyPartition
    /// Newest first; at most two.
    private(set) var pools: [Pool]
    /// Last first.
    var reserved: [Taken] = []
    /// How many keys this process has taken.
    private var used = 0

    init(pairing: String, partition: KeyPartition, store: some SealingStore) throws {
        self.pairing = pairing
        self.partition = partition
        pools = try store.read { database in
            try database.query(
                """
                SELECT epoch, capacity, not_after, last_resort, signed_at, received,
                    (SELECT ifnull(sum(length(keys)), 0) FROM sealing_peer_keys AS k
                    WHERE k.bond = p.bond AND k.epoch = p.epoch AND \(Self.isOurs)) / \(PoolPart.keyByteCount)
                FROM sealing_peer_pools AS p WHERE bond = ?3 ORDER BY epoch DESC
                """, partition.devices, partition.device, pairing
            ) { row in
                Pool(
                    epoch: UInt32(truncatingIfNeeded: try row[0] as Int), capacity: try row[1] as Int,
                    notAfter: try row[2] as Int64, lastResort: try row[3] as [UInt8],
                    signedAt: try row[4] as Int64? ?? PoolPart.begun(notAfter: row[2] as Int64),
                    received: try row[5] as Int, left: try row[6] as Int)
            }
        }
    }

    /// The same, with counts from the database.
    init(continuing other: PeerKeys, store: some SealingStore) throws {
        try self.init(pairing: other.pairing, partition: other.partition, store: store)
        reserved = other.reserved
        used = other.used
    }

    /// Selects this device's blocks: each device gets every n-th one. Takes parameters 1 and 2.
    private static let isOurs = "(first / \(PoolPart.blockCount)) % ?1 = ?2"

    /// How many keys are left before the last resort.
    func remaining(at now: Int64) -> Int {
        reserved.count + pools.reduce(0) { $0 + ($1.notAfter > now ? $1.left : 0) }
    }

    /// When the other side signed the newest of its keys, by its clock; nil if none are known.
    var signedAt: Int64? { pools.first?.signedAt }

    /// Takes keys, which are never returned. Keys of the newest epoch go first; the last-resort key comes when no other
    /// is left.
    mutating func take(_ count: Int, at now: Int64, store: some SealingStore) throws -> [Taken] {
        if reserved.count < count {
            // If the process is killed, the reserved keys are lost. So it reserves none after a few uses, and always
            // fewer than it used.
            let ahead = min(SealingLimits.reservation, used / SealingLimits.usesForOneAhead)
            try reserve(count - reserved.count + ahead, at: now, store: store)
        }
        var taken = Array(reserved.suffix(count).reversed())
        if taken.count < count {
            guard let pool = pools.first(where: { $0.notAfter > now }) else {
                throw SealingError(
                    .noKeysYet,
                    "the other side's keys are not known, or their time is over by this machine's clock; meet again")
            }
            let last = Taken(epoch: pool.epoch, index: nil, key: pool.lastResort[...])
            taken += [Taken](repeating: last, count: count - taken.count)
        }
        reserved.removeLast(min(count, reserved.count))
        used += count
        return taken
    }

    /// Reserves up to `count` keys, after those that are reserved already.
    private mutating func reserve(_ count: Int, at now: Int64, store: some SealingStore) throws {
        var missing = count
        for place in pools.indices where pools[place].notAfter > now && pools[place].left > 0 && missing > 0 {
            let fresh = try reserve(missing, from: place, store: store)
            pools[place].left = fresh.isEmpty ? 0 : max(0, pools[place].left - fresh.count)
            reserved.insert(contentsOf: fresh.reversed(), at: 0)
            missing -= fresh.count
        }
    }

    /// - Returns: the keys in order. They are deleted from the disk.
    private func reserve(_ count: Int, from place: Int, store: some SealingStore) throws -> [Taken] {
        let (pairing, epoch) = (pairing, pools[place].epoch)
        let rows = try store.read { [partition] database in
            try database.query(
                """
                SELECT first, keys FROM sealing_peer_keys WHERE bond = ?3 AND epoch = ?4 AND \(Self.isOurs)
                ORDER BY first LIMIT ?5
                """, partition.devices, partition.device, pairing, Int64(epoch), count
            ) { row in Row(first: try row[0] as Int, keys: try row[1] as [UInt8]) }
        }
        var cuts: [(row: Row, count: Int)] = []
        for row in rows {
            let cut = min(row.count, count - cuts.reduce(0) { $0 + $1.count })
            if cut > 0 { cuts.append((row, cut)) }
        }
        try store.write(durably: true) { [cuts] database in
            for (row, count) in cuts {
                let gone = try database.execute(
                    "DELETE FROM sealing_peer_keys WHERE bond = ? AND epoch = ? AND first = ?", pairing, Int64(epoch),
                    row.first)
                guard gone == 1 else { throw SealingError(.storageFailed, "a key was taken by someone else") }
                guard count < row.count else { continue }
                try database.execute(
                    "INSERT INTO sealing_peer_keys VALUES (?, ?, ?, ?)", pairing, Int64(epoch), row.first + count,
                    Array(row.keys[(count * PoolPart.keyByteCount)...]))
            }
        }
        return cuts.flatMap { cut in
            (0..<cut.count).map { offset in
                let start = offset * PoolPart.keyByteCount
                return Taken(
                    epoch: epoch, index: UInt32(cut.row.first + offset),
                    key: cut.row.keys[start..<start + PoolPart.keyByteCount])
            }
        }
    }

    /// Keys in one database row: up to 16 adjacent keys of one block.
    private struct Row: Sendable {
        let first: Int
        let keys: [UInt8]

        var count: Int { keys.count / PoolPart.keyByteCount }
    }
}

/// Which of the other side's keys one of several devices of a person may use, so that no two ever take the same.
public struct KeyPartition: Hashable, Sendable {
    /// This device's number, from 0.
    public let device: Int
    /// How many devices share the keys.
    public let devices: Int

    /// One device, which may use all.
    public static let whole = KeyPartition(unchecked: 0, of: 1)

    /// Nil unless `device` is one of 1 to 64 devices.
    public init?(device: Int, of devices: Int) {
        guard (1...64).contains(devices), (0..<devices).contains(device) else { return nil }
        self.init(unchecked: device, of: devices)
    }

    private init(unchecked device: Int, of devices: Int) {
        self.device = device
        self.devices = devices
    }
}
