internal import Cryptography
public import Storage

/// What becomes of the keys when a profile is copied for a backup and restored.
///
/// A copy must never seal to a key that the profile seals to, before or after it was copied, and must not keep open what the profile's own
/// erasing closes. So no one-time key is copied, neither those of the other sides nor one's own private ones, and each restored copy takes
/// a number of its own: the other side announces no key to two of them.
public enum ProfileCopy {
    /// The tables of sealing that a copy has: who this side is, who the others are, whose trust ended, and on which days the profile
    /// was used.
    public static let tables = ["sealing_bonds", "sealing_tombstones", "sealing_days"]

    /// The tables whose rows stay behind: one-time keys, what was done with them, and which copy it was.
    public static let keyTables = [
        "sealing_pools", "sealing_used", "sealing_last_resort", "sealing_erasures", "sealing_opened",
        "sealing_peer_pools", "sealing_peer_keys", "sealing_removals", "sealing_copy",
    ]

    /// Makes a copied database one of its own. Whatever keys it holds are deleted.
    public static func begin(in database: Database) throws {
        for table in keyTables { try database.execute("DELETE FROM \(table)") }
        let number = SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } | 1
        try database.execute("INSERT INTO sealing_copy VALUES (?)", Int64(bitPattern: number))
    }

    /// 0 in a profile that was never restored.
    static func number(in store: some SealingStore) throws -> UInt64 {
        let number = try store.read { database in
            try database.first("SELECT number FROM sealing_copy LIMIT 1") { try $0[0] as Int64 }
        }
        return number.map { UInt64(bitPattern: $0) } ?? 0
    }
}
