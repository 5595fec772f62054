internal import Cryptography
public import Storage

/// What happens to the keys when a profile is copied for a backup and restored.
///
/// A copy must never seal to a key that the profile seals to as well, and must not keep keys that the profile erases.
/// So no one-time key is copied, neither public nor private. Each restored copy takes its own number, and the other
/// side never announces a key to two numbers.
public enum ProfileCopy {
    /// The tables of sealing that are copied: this side's identities, the other sides', ended pairings, and the days on
    /// which the profile was used.
    public static let tables = ["sealing_bonds", "sealing_tombstones", "sealing_days"]

    /// The tables that are not copied: one-time keys, how they were used, and the number of the copy.
    public static let keyTables = [
        "sealing_pools", "sealing_used", "sealing_last_resort", "sealing_erasures", "sealing_opened",
        "sealing_peer_pools", "sealing_peer_keys", "sealing_removals", "sealing_copy",
    ]

    /// Gives a copied database its own number, and deletes the keys in it.
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
