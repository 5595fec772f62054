/// An object whose functions the other end of a connection may call, with further objects under names.
///
/// It belongs to no connection: the same object may be exposed on several. It lives for as long as it is exposed, or the
/// host holds it.
public final class ServiceObject: Sendable {
    /// Its type on the wire, `FSImpl` for example; nil for the tree of capabilities.
    public let type: ObjectType?
    /// The functions of the object itself, `stat` for example.
    public let functions: [String: ServiceFunction]
    /// Nested objects, `v` and its `sync` for example.
    public let members: [String: ServiceObject]
    /// What a call of the object itself does; a symbolic link is such a function.
    public let call: ServiceFunction?
    /// Called once when the last connection has let go of it.
    public let dropped: (@Sendable () -> Void)?
    /// What this object stands for, for its owner, who gets it back when the reference is passed to one of its functions.
    public let subject: (any Sendable)?

    public init(
        type: ObjectType? = nil, functions: [String: ServiceFunction] = [:], members: [String: ServiceObject] = [:],
        call: ServiceFunction? = nil, subject: (any Sendable)? = nil, dropped: (@Sendable () -> Void)? = nil
    ) {
        self.type = type
        self.functions = functions
        self.members = members
        self.call = call
        self.subject = subject
        self.dropped = dropped
    }

    /// The names at this object, sorted: what `list-obj` answers.
    public var names: [String] { (Array(functions.keys) + members.keys).sorted() }
}

/// The types of objects that are passed by reference.
public enum ObjectType: String, Sendable, CaseIterable {
    case fs = "FSImpl"
    case file = "FileImpl"
    case byteSource = "FileByteSource"
    case byteSink = "FileByteSink"
    case symLink = "SymLinkImpl"
    case collection = "FSCollection"
    case itemsIterator = "FSItemsIter"
    case rpcConnection = "RPCConnection"
    case incomingConnection = "IncomingConnection"
    case jsonFunction = "JsonCallFn"
}

/// What a function of a service object does with a call. Requests and replies are the bytes of the method's messages; nil is no
/// body at all.
public enum ServiceFunction: Sendable {
    /// Answers at once on the thread that brought the call. It must not wait, and costs no task.
    case immediate(@Sendable (ServiceCall) throws(RuntimeException) -> [UInt8]?)
    /// Answers once, later.
    case promise(@Sendable (ServiceCall) async throws(RuntimeException) -> [UInt8]?)
    /// Emits any number of values, and completes by returning. Its task is cancelled when the caller cancels.
    case observable(@Sendable (ServiceCall, ValueEmitter) async throws(RuntimeException) -> Void)
}

/// A call that came in.
public struct ServiceCall: Sendable {
    /// The request, or nil when the envelope had no body.
    public let body: [UInt8]?
    /// The connection that it came over: where objects of the reply are exposed, and references in the request belong.
    public let connection: ObjectConnection

    public init(body: [UInt8]?, connection: ObjectConnection) {
        self.body = body
        self.connection = connection
    }
}
