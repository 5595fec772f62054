public import Storage

/// The rows that sealing keeps in the profile's database.
public enum SealingTables {
    /// One migration script after another. The list only grows at its end.
    public static let schema: [String] = [
        """
        CREATE TABLE sealing_bonds (bond TEXT PRIMARY KEY, identity BLOB NOT NULL, secret BLOB NOT NULL, peer BLOB,
            hint BLOB NOT NULL, peer_hint BLOB) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_tombstones (bond TEXT PRIMARY KEY, identity BLOB NOT NULL, peer BLOB, notice BLOB NOT NULL,
            by_peer INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_pools (bond TEXT, epoch INTEGER, capacity INTEGER NOT NULL, made INTEGER NOT NULL,
            not_after INTEGER NOT NULL, file TEXT NOT NULL, secrets BLOB NOT NULL,
            PRIMARY KEY (bond, epoch)) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_used (bond TEXT, epoch INTEGER, chunk INTEGER, bits BLOB NOT NULL,
            PRIMARY KEY (bond, epoch, chunk),
            FOREIGN KEY (bond, epoch) REFERENCES sealing_pools ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_last_resort (bond TEXT, epoch INTEGER, sequence INTEGER, PRIMARY KEY (bond, epoch, sequence),
            FOREIGN KEY (bond, epoch) REFERENCES sealing_pools ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_erasures (bond TEXT, epoch INTEGER, slot INTEGER, PRIMARY KEY (bond, epoch, slot),
            FOREIGN KEY (bond, epoch) REFERENCES sealing_pools ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_peer_pools (bond TEXT, epoch INTEGER, capacity INTEGER NOT NULL, received INTEGER NOT NULL,
            not_after INTEGER NOT NULL, last_resort BLOB NOT NULL, PRIMARY KEY (bond, epoch)) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_peer_keys (bond TEXT, epoch INTEGER, first INTEGER, keys BLOB NOT NULL,
            PRIMARY KEY (bond, epoch, first),
            FOREIGN KEY (bond, epoch) REFERENCES sealing_peer_pools ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        CREATE TABLE sealing_removals (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE sealing_days (day INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT;
        ALTER TABLE sealing_pools ADD COLUMN began INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sealing_peer_pools ADD COLUMN signed_at INTEGER;
        CREATE TABLE sealing_opened (bond TEXT, epoch INTEGER, slot INTEGER, message INTEGER NOT NULL,
            PRIMARY KEY (bond, epoch, slot),
            FOREIGN KEY (bond, epoch) REFERENCES sealing_pools ON DELETE CASCADE) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE sealing_copy (number INTEGER NOT NULL) STRICT;
        ALTER TABLE sealing_pools ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;
        """,
    ]

    /// All tables with rows of a pairing. To erase everything, delete these rows and the folder of pools.
    public static let tables = [
        "sealing_bonds", "sealing_tombstones", "sealing_pools", "sealing_peer_pools", "sealing_removals",
    ]

    /// Records that keys were used. Call it in the transaction that stores the opened messages. Then a message is
    /// either not stored and can be opened again, or it is stored and cannot be opened again. Marking twice does no
    /// harm.
    ///
    /// Afterwards ``SealingSession/erase(_:)`` overwrites the keys. If the process ends before it does, the session does
    /// so when it is opened next.
    public static func mark(_ uses: [KeyUse], in database: Database) throws {
        for use in uses {
            let known = try database.first(
                "SELECT 1 FROM sealing_pools WHERE bond = ? AND epoch = ?", use.pairing, Int64(use.epoch)
            ) { try $0[0] as Bool }
            // The keys of an ended epoch are already deleted.
            guard known == true else { continue }
            if let index = use.index {
                try UsedKeys.set(Int(index), pairing: use.pairing, epoch: use.epoch, in: database)
                try database.execute(
                    "INSERT OR IGNORE INTO sealing_erasures VALUES (?, ?, ?)", use.pairing, Int64(use.epoch),
                    Int64(index))
                try database.execute(
                    "INSERT OR IGNORE INTO sealing_opened VALUES (?, ?, ?, ?)", use.pairing, Int64(use.epoch),
                    Int64(index), Int64(bitPattern: use.message))
            } else {
                try database.execute(
                    "INSERT OR IGNORE INTO sealing_last_resort VALUES (?, ?, ?)", use.pairing, Int64(use.epoch),
                    Int64(bitPattern: use.sequence))
            }
        }
    }

    /// Deletes everything of a pairing but its tombstone. Files are recorded for removal; ``PoolFiles`` removes them.
    static func delete(pairing: String, in database: Database) throws {
        try deletePools(of: pairing, where: "1", in: database)
        try database.execute("DELETE FROM sealing_peer_pools WHERE bond = ?", pairing)
        try database.execute("DELETE FROM sealing_bonds WHERE bond = ?", pairing)
    }

    /// Ends one epoch of a pairing.
    static func delete(epoch: UInt32, of pairing: String, in database: Database) throws {
        try deletePools(of: pairing, where: "epoch = \(epoch)", in: database)
    }

    private static func deletePools(of pairing: String, where condition: String, in database: Database) throws {
        try database.execute(
            "INSERT OR IGNORE INTO sealing_removals SELECT file FROM sealing_pools WHERE bond = ? AND \(condition)",
            pairing)
        try database.execute("DELETE FROM sealing_pools WHERE bond = ? AND \(condition)", pairing)
    }
}
