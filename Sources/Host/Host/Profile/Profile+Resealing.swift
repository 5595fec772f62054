import Storage
import Synchronization

/// Sealing anew what an older key of the vault sealed, after its protection changed.
///
/// The new key counts as soon as the vault is written; the old one stays beside it until no value needs it. So this may be
/// interrupted at any moment, and goes on when the vault is opened next.
extension Profile {
    /// Rows in a transaction. The database is free for others between two of them.
    private static let batch = 64

    /// Seals everything by the newest key, then has the vault drop the older ones if no other part of this process can hold
    /// something that they sealed.
    ///
    /// Ends early when the task is cancelled or the vault is locked.
    func reseal() async throws {
        let vault = vault
        guard vault.holdsOldKeys else { return }
        let generation = Int64(vault.generation)
        try write { database in
            try database.execute("DELETE FROM vault")
            try database.execute("INSERT INTO vault VALUES (?)", generation)
        }
        for column in SealedColumn.all {
            var position: [DatabaseValue]?
            repeat {
                try Task.checkCancellation()
                position = try reseal(column, after: position, with: vault)
                await Task.yield()
            } while position != nil
        }
        // Nothing that the old keys opened is left in the log, and all of it is on the disk, before they go.
        try write { try $0.execute("UPDATE vault SET generation = ?", generation) }
        try database.withLock { try $0.executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
        _ = try reserve.lent { try vault.retireOldKeys() }
    }

    /// Seals some rows anew in one transaction. A value that does not open stays as it is; its reader reports it.
    /// - Returns: where to go on; nil behind the last row.
    private func reseal(
        _ column: SealedColumn, after position: [DatabaseValue]?, with vault: Vault
    ) throws -> [DatabaseValue]? {
        try reserve.lent {
            try database.withLock { database in
                try database.setDurability(.checkpoints)
                return try database.transaction {
                    let rows = try database.query(
                        column.select(after: position != nil, atMost: Self.batch), arguments: position ?? []
                    ) { row in
                        (
                            value: try row[0] as [UInt8], context: try row[1] as String,
                            keys: try column.keys.indices.map { try row[2 + $0] as DatabaseValue }
                        )
                    }
                    for row in rows where vault.needsResealing(row.value) {
                        guard let sealed = try vault.reseal(row.value, context: row.context) else { continue }
                        try database.execute(column.update, arguments: [.blob(sealed)] + row.keys)
                    }
                    return rows.count < Self.batch ? nil : rows.last?.keys
                }
            }
        }
    }

    /// The generation that values were sealed by, or are being sealed by, when the vault was open last; 0 if that is not known.
    static func sealedGeneration(in database: Database) throws -> UInt32 {
        let generation: Int64? = try database.first("SELECT ifnull(max(generation), 0) FROM vault") { try $0[0] }
        return UInt32(clamping: generation ?? 0)
    }
}

extension Vault {
    /// The same bytes under the newest key; nil if they do not open.
    fileprivate func reseal(_ sealed: [UInt8], context: String) throws(VaultError) -> [UInt8]? {
        let bytes: [UInt8]
        do {
            bytes = try open(sealed, context: context)
        } catch {
            guard error.code == .notAuthentic else { throw error }
            return nil
        }
        return try seal(bytes, context: context)
    }
}
