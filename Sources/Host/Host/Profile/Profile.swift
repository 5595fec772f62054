import AppCore
import Cryptography
import Foundation
import Rooms
import Sealing
import Storage
import Synchronization

/// Everything that lasts: the records of the core, the secrets it refers to, and what the subsystems keep. One process at a
/// time; every value that is secret or says what people said is sealed by the vault under the name it is stored by.
final class Profile: Sendable {
    let path: String
    private let currentVault: Mutex<Vault>
    private let lock: ProfileLock
    /// Replaced only by ``erase(folders:)``.
    let database: Mutex<Database>
    let reserve: DiskReserve
    /// Whether the files of a profile that was erased are still to be made anew.
    let isErased = Mutex(false)
    /// Secrets that are not to be kept: passphrases on their way to the vault.
    private let passing = Mutex<[SecretRef: SecretBytes]>([:])
    /// Pictures that this process has kept before it looked for those that nothing shows; `nil` afterwards.
    let freshPictures = Mutex<Set<AgentPictureID>?>([])
    /// Keys that the process before gave to this one.
    private let handedOver = Mutex<[SecretRef: SecretBytes]>([:])

    /// It only grows at its end: what comes next goes behind these.
    static let schema =
        tables + SealingTables.schema.prefix(1) + [SealedColumn.schema] + SealingTables.schema.dropFirst()
        + [historySchema, agentsSchema, picturesSchema, supervisionSchema]

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

    /// Opens the profile of a folder, or makes one. Erasing that was interrupted is finished first.
    init(path: String) throws {
        let folder = try ProfileDirectory(path: path)
        self.path = path
        lock = try folder.take()
        reserve = DiskReserve(path: folder.file("reserve"))
        do {
            try Self.finishErasing(folder)
            let database = try reserve.lent { try Self.openDatabase(in: folder) }
            currentVault = Mutex(try reserve.lent { try Self.openVault(in: folder, beside: database) })
            self.database = Mutex(database)
            try makePoolsFolder()
        } catch let error as VaultError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        } catch let error as DatabaseError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        } catch let error as FileError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        }
        reserve.keep()
    }

    static func openDatabase(in folder: ProfileDirectory) throws -> Database {
        let file = folder.file("profile.sqlite")
        if !FileManager.default.fileExists(atPath: file) {
            // Only its owner may read it, also in a folder that is open to others. SQLite's own files follow it.
            _ = FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let database = try Database(path: file, configuration: DatabaseConfiguration(isExclusive: true))
        try database.executeScript("PRAGMA secure_delete = ON")
        try database.migrate(schema)
        return database
    }

    /// A new profile gets a vault under a device key. A profile that lost its vault is not given another one: what the
    /// old one sealed could never be opened again.
    static func openVault(in folder: ProfileDirectory, beside database: Database) throws -> Vault {
        // A new profile has neither of them, and neither has one whose erasing was interrupted.
        if !FileManager.default.fileExists(atPath: folder.file("vault")), try !holdsSealed(database) {
            return try Vault.create(in: folder.path, protection: .deviceKey)
        }
        let vault = try Vault(in: folder.path)
        guard try vault.generation >= sealedGeneration(in: database) else {
            let reason =
                "its vault is an older copy than what it holds; put back the files vault and device.key that belong to it"
            throw ProfileError.cannotOpen(path: folder.path, reason: reason)
        }
        if !vault.needsPassphrase { try vault.unlock() }
        return vault
    }

    private static func holdsSealed(_ database: Database) throws -> Bool {
        for column in SealedColumn.all {
            let found = try database.first("SELECT 1 FROM \(column.table) WHERE \(column.condition) LIMIT 1") {
                try $0[0] as Bool
            }
            if found == true { return true }
        }
        return false
    }

    /// Replaced only by ``erase(folders:)``.
    var vault: Vault { currentVault.withLock { $0 } }

    func replaceVault(_ make: () throws -> Vault) throws { try currentVault.withLock { $0 = try make() } }

    /// Lets another host take the profile, and forgets the key.
    func close() {
        vault.lock()
        database.withLock { database in
            // Code that still holds the profile finds no tables. The files are closed, for the next host.
            if let closed = try? Database.inMemory() { database = closed }
        }
        lock.release()
    }

    var isLocked: Bool { vault.isLocked }

    /// One transaction.
    /// - Parameter durably: whether a power cut must not take it back. Otherwise it is on disk with the next one that is.
    func write(durably: Bool = true, _ body: @Sendable (Database) throws -> Void) throws {
        try reserve.lent {
            try database.withLock { database in
                try database.setDurability(durably ? .everyCommit : .checkpoints)
                try database.transaction { try body(database) }
            }
        }
    }

    // Records.

    /// The records that can be read now.
    /// - Parameters:
    ///   - recent: leaves out messages that need not be in memory: see ``AppCore/LogSummary/from``.
    ///   - tellOfMove: see ``moveMessages(tell:)``.
    func records(recent: Bool = false, tellOfMove: ((Int, Int) -> Void)? = nil) throws -> [Record] {
        if !vault.isLocked { try moveMessages(tell: tellOfMove) }
        let records = try recordsInTable()
        guard !vault.isLocked else { return records }
        guard recent else { return try records + rooms(in: records).flatMap { try recentMessages(in: $0, from: 0) } }
        return try withRecentMessages(records)
    }

    private func recordsInTable() throws -> [Record] {
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
    /// - Parameters:
    ///   - cleared: rooms all whose messages go, before what is saved.
    ///   - received: what belongs to messages among the records.
    func save(
        _ records: [(key: RecordKey, value: [UInt8]?)], clearing cleared: Set<RoomID> = [],
        receiving received: Received = Received(), durably: Bool
    ) throws {
        guard !records.isEmpty || !received.isEmpty else { return }
        try beginAgain()
        let rows = try records.map { key, value in
            let sealed =
                key.isReadableWhileLocked ? value : try value.map { try vault.seal($0, context: "record/" + key.path) }
            guard case .message(let room, let id) = key, let value, let sealed else {
                return SavedRow(key: key, sealed: sealed, message: nil)
            }
            return SavedRow(
                key: key, sealed: sealed, message: StoredMessage(room, id, json: value, sealed: sealed))
        }
        try write(durably: durably) { database in
            for room in cleared { try database.execute("DELETE FROM messages WHERE room = ?", room.text) }
            for row in rows { try row.save(in: database) }
            try SealingTables.mark(received.keys, in: database)
            for (room, number) in received.numbers { try Self.note(received: number, room: room.text, in: database) }
        }
    }

    // Secrets that the core refers to.

    /// Keeps a secret until it is forgotten.
    func keep(secret text: String) throws -> SecretRef {
        try beginAgain()
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

    /// Holds the key of the process before until it is taken.
    func pass(handedOver key: SecretBytes) -> SecretRef {
        let ref = Self.freshRef()
        handedOver.withLock { $0[ref] = key }
        return ref
    }

    /// Unlocks with a passphrase or a key that is held.
    func unlock(passed ref: SecretRef, now: Int64) throws {
        if let key = handedOver.withLock({ $0.removeValue(forKey: ref) }) { return try vault.unlock(handedOver: key) }
        guard let secret = takePassed(ref) else { throw Failure(.other, "the passphrase was lost") }
        try reserve.lent { try vault.unlock(passphrase: secret, now: now) }
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
}

/// A record on its way to the disk.
private struct SavedRow: Sendable {
    let key: RecordKey
    /// What is saved; `nil` removes.
    let sealed: [UInt8]?
    let message: Profile.StoredMessage?

    func save(in database: Database) throws {
        if let message { return try message.insert(into: database) }
        if let sealed {
            try database.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", key.path, sealed)
            return
        }
        if case .message(let room, let id) = key {
            try database.execute("DELETE FROM messages WHERE room = ? AND id = ?", room.text, id.text)
        }
        try database.execute("DELETE FROM records WHERE path = ?", key.path)
    }
}
