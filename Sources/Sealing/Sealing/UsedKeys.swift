internal import Storage

/// Which keys of an epoch were used: one bit each, in rows of 256 bytes, so that a mark rewrites no more than that.
enum UsedKeys {
    private static let chunkCount = 2048

    static func set(_ index: Int, pairing: String, epoch: UInt32, in database: Database) throws {
        var bits = try bits(around: index, pairing: pairing, epoch: epoch, in: database)
        bits[index % chunkCount / 8] |= 1 << UInt8(index % 8)
        try database.execute(
            "INSERT OR REPLACE INTO sealing_used VALUES (?, ?, ?, ?)", pairing, Int64(epoch), index / chunkCount, bits)
    }

    static func contains(_ index: Int, pairing: String, epoch: UInt32, in database: Database) throws -> Bool {
        let bits = try bits(around: index, pairing: pairing, epoch: epoch, in: database)
        return bits[index % chunkCount / 8] & 1 << UInt8(index % 8) != 0
    }

    /// How many are used, and one more than the highest of them.
    static func summary(pairing: String, epoch: UInt32, in database: Database) throws -> (count: Int, end: Int) {
        var (count, end) = (0, 0)
        let rows = try database.query(
            "SELECT chunk, bits FROM sealing_used WHERE bond = ? AND epoch = ? ORDER BY chunk", pairing, Int64(epoch)
        ) { row in (chunk: try row[0] as Int, bits: try row[1] as [UInt8]) }
        for row in rows {
            count += row.bits.reduce(0) { $0 + $1.nonzeroBitCount }
            if let last = row.bits.lastIndex(where: { $0 != 0 }) {
                end = row.chunk * chunkCount + last * 8 + 8 - row.bits[last].leadingZeroBitCount
            }
        }
        return (count, end)
    }

    private static func bits(
        around index: Int, pairing: String, epoch: UInt32, in database: Database
    ) throws -> [UInt8] {
        let stored = try database.first(
            "SELECT bits FROM sealing_used WHERE bond = ? AND epoch = ? AND chunk = ?", pairing, Int64(epoch),
            index / chunkCount
        ) { try $0[0] as [UInt8] }
        // A damaged row of another length is ignored; the slot itself still shows whether it is erased.
        guard let stored, stored.count == chunkCount / 8 else { return [UInt8](repeating: 0, count: chunkCount / 8) }
        return stored
    }
}
