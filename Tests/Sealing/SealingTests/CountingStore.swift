import Sealing
import SealingSupport
import Storage
import Synchronization

/// A store that counts its transactions.
final class CountingStore: SealingStore {
    private let store: FolderStore
    private let count = Mutex(0)

    init(_ store: FolderStore) { self.store = store }

    var writes: Int { count.withLock { $0 } }
    var poolsFolder: String { store.poolsFolder }

    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value { try store.read(body) }

    func write(durably: Bool, _ body: @Sendable (Database) throws -> Void) throws {
        count.withLock { $0 += 1 }
        try store.write(durably: durably, body)
    }

    func wrap(_ secret: [UInt8], context: String) throws -> [UInt8] { try store.wrap(secret, context: context) }
    func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8] { try store.unwrap(wrapped, context: context) }
}
