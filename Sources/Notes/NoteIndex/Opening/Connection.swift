internal import Storage
internal import Synchronization

/// A connection that one thread uses at a time.
final class Connection: Sendable {
    private let database: Mutex<Database>

    init(_ database: sending Database) { self.database = Mutex(database) }

    /// Waits until the connection is free.
    func use<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try database.withLock { try body($0) }
    }

    /// Nil if another thread has it.
    func useIfFree<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value? {
        try database.withLockIfAvailable { try body($0) }
    }
}
