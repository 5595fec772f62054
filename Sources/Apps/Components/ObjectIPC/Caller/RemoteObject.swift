/// A proxy of an object that the other side exposes. The other side is told when the last proxy is gone.
public final class RemoteObject: Sendable {
    /// What the other end calls the object.
    public let reference: CommonProto.ObjectReference
    /// The connection over which it is called.
    public let connection: ObjectConnection
    private let id: ObjectID
    private let generation: UInt64

    fileprivate init(
        _ id: ObjectID, _ reference: CommonProto.ObjectReference, _ generation: UInt64, on connection: ObjectConnection
    ) {
        self.id = id
        self.reference = reference
        self.generation = generation
        self.connection = connection
    }

    deinit { connection.release(id, generation: generation) }

    /// Calls a function of the object, or the object itself.
    public func call(
        _ names: String..., body: (any CallBody)? = nil
    ) async throws(RuntimeException) -> ArraySlice<UInt8>? {
        try await connection.call(reference.path + names, body)
    }

    /// Calls an observable function of the object.
    public func observe(_ names: String..., body: (any CallBody)? = nil) -> ValueSequence {
        connection.observe(reference.path + names, body)
    }
}

/// The proxies that live. A reference may come in again just as its last proxy goes, so proxies have generations.
struct RemoteObjects {
    private struct Entry {
        weak var object: RemoteObject?
        let generation: UInt64
    }

    private var entries: [ObjectID: Entry] = [:]
    private var generation: UInt64 = 0

    mutating func object(
        _ id: ObjectID, _ reference: CommonProto.ObjectReference, on connection: ObjectConnection
    ) -> RemoteObject {
        if let object = entries[id]?.object { return object }
        generation += 1
        let object = RemoteObject(id, reference, generation, on: connection)
        entries[id] = Entry(object: object, generation: generation)
        return object
    }

    /// Whether the proxy that is gone was the newest of its object.
    mutating func release(_ id: ObjectID, generation: UInt64) -> Bool {
        guard entries[id]?.generation == generation else { return false }
        entries[id] = nil
        return true
    }
}
