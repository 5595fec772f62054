internal import Cryptography
internal import Foundation
package import Sealing
package import Storage
internal import Synchronization

/// A real database and real files in a folder, with its own key instead of the vault.
package final class FolderStore: SealingStore {
    package let folder: String
    private let database: Mutex<Database>
    private let key = SecretBytes(copying: [UInt8](repeating: 9, count: 32))

    package init(_ folder: String) throws {
        self.folder = folder
        try FileManager.default.createDirectory(atPath: folder + "/pools", withIntermediateDirectories: true)
        let database = try Database(path: folder + "/profile.sqlite")
        try database.executeScript("PRAGMA secure_delete = ON")
        try database.migrate(SealingTables.schema + [Self.messages])
        self.database = Mutex(database)
    }

    /// The opened messages, which the owner of the store keeps beside the keys.
    private static let messages = "CREATE TABLE messages (sequence INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT"

    package var poolsFolder: String { folder + "/pools" }

    package func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try database.withLock { try body($0) }
    }

    package func write(durably: Bool, _ body: @Sendable (Database) throws -> Void) throws {
        try database.withLock { database in
            // Tests kill processes, not machines, so writes need not wait for the disk.
            try database.setDurability(.checkpoints)
            try database.transaction { try body(database) }
        }
    }

    package func wrap(_ secret: [UInt8], context: String) throws -> [UInt8] {
        try AESGCM.seal(secret, key: key, context: Array(context.utf8))
    }

    package func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8] {
        try AESGCM.open(wrapped, key: key, context: Array(context.utf8))
    }
}

extension FolderStore {
    /// Stores a message and marks its key in one transaction. False if the sequence is stored already; the key is marked
    /// all the same.
    @discardableResult
    package func keep(_ message: OpenedMessage) throws -> Bool {
        let isNew = try !contains(message.sequence)
        try write(durably: true) { database in
            if isNew {
                try database.execute(
                    "INSERT INTO messages VALUES (?, ?)", Int64(message.sequence), message.content)
            }
            try SealingTables.mark([message.use], in: database)
        }
        return isNew
    }

    package func contains(_ sequence: UInt64) throws -> Bool {
        try read { try $0.first("SELECT 1 FROM messages WHERE sequence = ?", Int64(sequence)) { try $0[0] as Bool } }
            == true
    }

    package func messages() throws -> [UInt64: [UInt8]] {
        let rows = try read { database in
            try database.query("SELECT sequence, content FROM messages") { row in
                (UInt64(try row[0] as Int), try row[1] as [UInt8])
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }
}
