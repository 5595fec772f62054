import AppCore
import Cryptography
import Foundation
import Rooms
import Storage
import Synchronization
import TrustedData

/// Everything that lasts: the records of the core, the secrets it refers to, and what the wings keep. One process at a
/// time; every value that is secret or says what people said is sealed by the vault under the name it is stored by.
final class Profile: Sendable {
    let path: String
    private let currentVault: Mutex<Vault>
    private let lock: ProfileLock
    let database: Mutex<Database>
    /// Secrets that are not to be kept: passphrases on their way to the vault.
    private let passing = Mutex<[SecretRef: SecretBytes]>([:])

    /// It only grows at its end: what comes next goes behind these.
    static let schema = tables + SealingTables.schema.prefix(2)

    private static let tables = [
        """
        CREATE TABLE records (path TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE secrets (ref TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE room_keys (room TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE outbox (room TEXT, sequence INTEGER, message TEXT NOT NULL,
            PRIMARY KEY (room, sequence)) STRICT, WITHOUT ROWID;
        CREATE TABLE deliveries (room TEXT PRIMARY KEY, sent INTEGER NOT NULL DEFAULT 0,
            received INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
        CREATE TABLE files (room TEXT, message TEXT, value BLOB NOT NULL,
            PRIMARY KEY (room, message)) STRICT, WITHOUT ROWID;
        """,
        "CREATE TABLE flight (leg INTEGER, place INTEGER, value BLOB NOT NULL, PRIMARY KEY (leg, place)) STRICT",
    ]

    init(path: String) throws {
        let folder = try ProfileDirectory(path: path)
        self.path = path
        lock = try folder.take()
        do {
            let file = folder.file("profile.sqlite")
            if !FileManager.default.fileExists(atPath: file) {
                // Only its owner may read it, also in a folder that is open to others. SQLite's own files follow it.
                _ = FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            let database = try Database(path: file)
            try database.executeScript("PRAGMA secure_delete = ON")
            try database.migrate(Self.schema)
            currentVault = Mutex(try Self.openVault(in: folder, holdsSealed: try Self.holdsSealed(database)))
            self.database = Mutex(database)
            try makePoolsFolder()
        } catch let error as VaultError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        } catch let error as DatabaseError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        }
    }

    /// A new profile gets a vault under a device key. A profile that lost its vault is not given another one: what the
    /// old one sealed could never be opened again.
    private static func openVault(in folder: ProfileDirectory, holdsSealed: Bool) throws -> Vault {
        // Neither is there in a new profile, nor in one whose erasing was interrupted.
        if !holdsSealed, !FileManager.default.fileExists(atPath: folder.file("vault")) {
            return try Vault.create(in: folder.path, protection: .deviceKey)
        }
        let vault = try Vault(in: folder.path)
        if !vault.needsPassphrase { try vault.unlock() }
        return vault
    }

    private static func holdsSealed(_ database: Database) throws -> Bool {
        let rows: Int64? = try database.first(
            """
            SELECT (SELECT count(*) FROM records WHERE path NOT IN ('settings', 'counters'))
                + (SELECT count(*) FROM secrets) + (SELECT count(*) FROM room_keys) + (SELECT count(*) FROM files)
                + (SELECT count(*) FROM sealing_bonds)
            """
        ) { try $0[0] }
        return (rows ?? 0) > 0
    }

    /// Replaced only by ``erase(folders:)``.
    var vault: Vault { currentVault.withLock { $0 } }

    /// Lets another host take the profile, and forgets the key.
    func close() {
        vault.lock()
        lock.release()
    }

    var isLocked: Bool { vault.isLocked }

    /// One transaction.
    /// - Parameter durably: whether a power cut must not take it back. Otherwise it is on disk with the next one that is.
    func write(durably: Bool = true, _ body: @Sendable (Database) throws -> Void) throws {
        try database.withLock { database in
            try database.setDurability(durably ? .everyCommit : .checkpoints)
            try database.transaction { try body(database) }
        }
    }

    // Records.

    /// The records that can be read now.
    func records() throws -> [Record] {
        let rows = try database.withLock { database in
            try database.query("SELECT path, value FROM records") { row in
                (path: try row[0] as String, value: try row[1] as [UInt8])
            }
        }
        return rows.compactMap { row in
            guard let key = RecordKey(path: row.path) else { return nil }
            let bytes =
                key.isReadableWhileLocked ? row.value : try? vault.open(row.value, context: "record/" + row.path)
            // A record that does not open goes in as it is, so that the core reports it instead of missing it.
            if bytes == nil, vault.isLocked { return nil }
            return Record(key: key, json: String(decoding: bytes ?? [], as: UTF8.self))
        }
    }

    /// Saves in one transaction; nil removes.
    /// - Parameter received: what belongs to messages among the records.
    func save(
        _ records: [(key: RecordKey, value: [UInt8]?)], receiving received: Received = Received(), durably: Bool
    ) throws {
        guard !records.isEmpty || !received.isEmpty else { return }
        let rows = try records.map { record in
            (
                path: record.key.path,
                value: record.key.isReadableWhileLocked
                    ? record.value : try record.value.map { try vault.seal($0, context: "record/" + record.key.path) }
            )
        }
        try write(durably: durably) { database in
            for row in rows {
                if let value = row.value {
                    try database.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", row.path, value)
                } else {
                    try database.execute("DELETE FROM records WHERE path = ?", row.path)
                }
            }
            try SealingTables.mark(received.keys, in: database)
            for (room, number) in received.numbers { try Self.note(received: number, room: room.text, in: database) }
        }
    }

    // Secrets that the core refers to.

    /// Keeps a secret until it is forgotten.
    func keep(secret text: String) throws -> SecretRef {
        let ref = Self.freshRef()
        let sealed = try vault.seal(Array(text.utf8), context: "secret/" + ref.text)
        try write { try $0.execute("INSERT INTO secrets VALUES (?, ?)", ref.text, sealed) }
        return ref
    }

    /// Holds a secret in memory until it is taken: it never touches the disk.
    func pass(secret text: String) -> SecretRef {
        let ref = Self.freshRef()
        passing.withLock { $0[ref] = SecretBytes(copying: text.utf8) }
        return ref
    }

    func takePassed(_ ref: SecretRef) -> SecretBytes? { passing.withLock { $0.removeValue(forKey: ref) } }

    func secret(_ ref: SecretRef) -> String? {
        let sealed = try? database.withLock { database in
            try database.first("SELECT value FROM secrets WHERE ref = ?", ref.text) { try $0[0] as [UInt8] }
        }
        guard let sealed, let bytes = try? vault.open(sealed, context: "secret/" + ref.text) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func forget(secrets: [SecretRef]) throws {
        passing.withLock { passing in
            for ref in secrets { passing[ref] = nil }
        }
        try write { database in
            for ref in secrets { try database.execute("DELETE FROM secrets WHERE ref = ?", ref.text) }
        }
    }

    private static func freshRef() -> SecretRef {
        var random = SystemRandomNumberGenerator()
        return SecretRef(Fresh(using: &random).first)
    }

    /// Leaves nothing: every record, key and secret goes, the vault key is replaced, received files are removed.
    func erase(folders: [String]) throws {
        try database.withLock { database in
            let tables = try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
                try $0[0] as String
            }
            try database.transaction {
                for table in tables { try database.execute("DELETE FROM \(table)") }
            }
            try database.executeScript("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try currentVault.withLock { vault in
            try vault.erase()
            vault = try Vault.create(in: path, protection: .deviceKey)
        }
        // A folder outside the profile holds other things as well.
        let own =
            [poolsFolder, sealedFolder, ProfileDirectory.notesHome(of: path)]
            + folders.filter { $0.hasPrefix(path + "/") }
        for folder in own where FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.removeItem(atPath: folder)
        }
        try makePoolsFolder()
    }
}
