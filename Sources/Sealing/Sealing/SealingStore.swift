internal import Cryptography
public import Storage

/// Where identities and pools are kept. The profile implements it; every write is one transaction.
///
/// Pairings, epochs and bitmaps of used keys are rows of the database, so that a key is marked as used in the
/// transaction that stores the message it opened. Private keys are in files of fixed slots beside it, where each can be
/// erased in place.
public protocol SealingStore: Sendable {
    /// The folder (0700) for the files of pools.
    var poolsFolder: String { get }

    /// Runs a body that only reads. It throws what the body throws.
    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value

    /// Runs a body that writes, in one transaction. If the body throws, it throws the same, and nothing is written.
    ///
    /// - Parameters:
    ///   - durably: whether it must survive a power cut.
    ///   - body: what to write.
    func write(durably: Bool, _ body: @Sendable (Database) throws -> Void) throws

    /// Wraps a secret under the vault's key. `context` names its place and must be the same when it is opened.
    func wrap(_ secret: [UInt8], context: String) throws -> [UInt8]
    /// Opens what ``wrap(_:context:)`` gave. It throws if the context is another one.
    func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8]
}

extension SealingStore {
    func wrap(_ secret: SecretBytes, context: String) throws -> [UInt8] {
        try secret.withUnsafeBytes { try wrap(Array($0), context: context) }
    }

    func unwrapSecret(_ wrapped: [UInt8], context: String) throws -> SecretBytes {
        SecretBytes(copying: try unwrap(wrapped, context: context))
    }

    /// Removes the files of ended pools, and their keys from the log. After a crash they are still recorded for
    /// removal.
    func removeNotedFiles() throws {
        let names = try read { database in
            try database.query("SELECT file FROM sealing_removals") { try $0[0] as String }
        }
        if !names.isEmpty { emptyLog() }
        for name in names {
            try AtomicFile.remove(path(of: name))
            try write(durably: false) { try $0.execute("DELETE FROM sealing_removals WHERE file = ?", name) }
        }
    }

    /// Deleted rows remain in the write-ahead log until a checkpoint truncates it. A checkpoint is part of no
    /// transaction, so it is not a `write`. If it fails, SQLite does it later.
    func emptyLog() {
        try? read { try $0.executeScript("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    func path(of file: String) -> String { "\(poolsFolder)/\(file)" }
}

/// Turns every error of the storage into `storageFailed`.
func storing<Value>(_ body: () throws -> Value) throws(SealingError) -> Value {
    do {
        return try body()
    } catch let error as SealingError {
        throw error
    } catch {
        throw SealingError(.storageFailed, "keys could not be kept or read: \(error)")
    }
}
