import Synchronization

// Objects that are passed by reference, both ways.
extension ObjectConnection {
    /// Makes an object callable by the other side, until it drops the reference or the connection ends.
    ///
    /// An object that is passed again gets another reference: the other side drops a reference when the last proxy with it is
    /// gone, and must not take away with it one that is just on its way.
    ///
    /// - Throws: `tooManyObjects`. The object counts as dropped then, unless it is held elsewhere.
    public func expose(_ object: ServiceObject) throws(RuntimeException) -> CommonProto.ObjectReference {
        object.wasExposed()
        let id = state.withLock { state -> ObjectID? in
            guard state.end == nil, state.exposed.count < limits.objects else { return nil }
            var id = ObjectID.random()
            while state.exposed[id.number] != nil { id = .random() }
            state.exposed[id.number] = object
            return id
        }
        guard let id else {
            object.wasWithdrawn()
            guard end == nil else { throw RuntimeException(ipc: .ipcNotConnected) }
            let exception = RuntimeException(ipc: .tooManyObjects)
            refused(exception)
            throw exception
        }
        return CommonProto.ObjectReference(objType: object.type?.rawValue ?? "", path: [id.text])
    }

    /// The object of this side that a reference stands for.
    ///
    /// - Throws: `objectNotFound` when it is not exposed on this connection, or is of another type.
    public func exposed(
        _ reference: CommonProto.ObjectReference, as type: ObjectType
    ) throws(RuntimeException) -> ServiceObject {
        guard reference.objType == type.rawValue, reference.path.count == 1, let id = ObjectID(reference.path[0]),
            let object = state.withLock({ $0.exposed[id.number] }), object.type == type
        else {
            let exception = RuntimeException.objectNotFound(type)
            refused(exception)
            throw exception
        }
        return object
    }

    /// Takes an object back before the other side dropped it. Calls of it are not found from then on.
    public func withdraw(_ reference: CommonProto.ObjectReference) {
        if let name = reference.path.first { drop(name) }
    }

    /// The other side does not need an object any more. The tree of capabilities cannot be dropped.
    func drop(_ name: String) {
        guard let id = ObjectID(name) else { return }
        state.withLock { $0.exposed.removeValue(forKey: id.number) }?.wasWithdrawn()
    }

    /// How many objects are exposed.
    public var exposedCount: Int { state.withLock { $0.exposed.count } }

    /// The proxy of an object of the other side. While there is one, the same is given again.
    ///
    /// - Throws: `objectNotFound` when the reference is of another type, or none.
    public func remote(
        _ reference: CommonProto.ObjectReference, as type: ObjectType
    ) throws(RuntimeException) -> RemoteObject {
        guard reference.objType == type.rawValue, reference.path.count == 1, let id = ObjectID(reference.path[0]) else {
            throw .objectNotFound(type)
        }
        return state.withLock { $0.remotes.object(id, reference, on: self) }
    }

    /// A proxy is gone. The other side may forget the object, unless there is a newer proxy of it.
    func release(_ id: ObjectID, generation: UInt64) {
        guard state.withLock({ $0.remotes.release(id, generation: generation) }) else { return }
        post(Envelope.encode(.drop, path: [id.text]))
    }
}
