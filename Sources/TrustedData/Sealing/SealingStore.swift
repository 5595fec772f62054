public import Storage

/// Where identities and pools are kept. The profile implements it; every write is one transaction.
///
/// Bonds, epochs and bitmaps of used keys are rows of the database, so that a key is marked as used in the transaction
/// that stores the message it opened. Private keys lie in files of fixed slots beside it, where one is erased in place.
public protocol SealingStore: Sendable {
    /// The folder (0700) for the files of pools.
    var poolsFolder: String { get }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value

    /// - Parameter durably: whether a power cut must not take it back.
    func write(durably: Bool, _ body: @Sendable (Database) throws -> Void) throws

    /// Wraps a secret under the vault's key. `context` says where it lies and must be the same when it is opened.
    func wrap(_ secret: [UInt8], context: String) throws -> [UInt8]
    func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8]
}
