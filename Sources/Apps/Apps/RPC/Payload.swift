internal import ComponentStorage
internal import Components

/// What goes along with an rpc call or its answer: bytes, and objects of the core that one component lends to another.
struct Payload: Sendable {
    /// Objects of one datum.
    static let objectLimit = 100

    var bytes: [UInt8]
    var objects: [ServiceObject]

    /// Takes what a component passed. It can only pass what it was given over its own connection.
    init(_ message: RpcProto.PassedDatum, from connection: ObjectConnection) throws(RuntimeException) {
        guard message.passedObjs.count <= Self.objectLimit else { throw ServicePipe.exception("tooManyObjects") }
        bytes = message.bytes
        objects = []
        for passed in message.passedObjs {
            guard let reference = passed.ref ?? passed.fs?.impl ?? passed.file?.impl,
                let type = ObjectType(rawValue: reference.objType), Self.passable.contains(type)
            else { throw ServicePipe.exception("objectNotPassable") }
            objects.append(try connection.exposed(reference, as: type))
        }
    }

    private static let passable: Set<ObjectType> = [.fs, .file, .byteSource, .byteSink, .symLink, .collection]

    /// The same for the other component: the objects are exposed on its connection.
    func passed(to connection: ObjectConnection) throws(RuntimeException) -> RpcProto.PassedDatum {
        var passed: [RpcProto.PassedDatum.PassedObj] = []
        for object in objects { passed.append(try Self.expose(object, to: connection)) }
        return RpcProto.PassedDatum(bytes: bytes, passedObjs: passed)
    }

    private static func expose(
        _ object: ServiceObject, to connection: ObjectConnection
    ) throws(RuntimeException) -> RpcProto.PassedDatum.PassedObj {
        switch try StorageRoot.serve(object, on: connection) {
        case .folder(let folder): .init(fs: folder)
        case .file(let file): .init(file: file)
        case nil: .init(ref: try connection.expose(object))
        }
    }
}
