import Synchronization

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

    /// How often it is exposed, over all connections; nil after it was dropped.
    private let exposures = Mutex<Int?>(0)

    /// An object of these functions and members. `dropped` is called once, when the last connection lets go of it.
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

    /// One more connection holds it.
    func wasExposed() {
        exposures.withLock { count in count = count.map { $0 + 1 } }
    }

    /// One connection has let go of it.
    func wasWithdrawn() {
        let isLast = exposures.withLock { count in
            count = count.map { $0 - 1 }
            guard count == 0 else { return false }
            count = nil
            return true
        }
        if isLast { dropped?() }
    }
}

/// The types of objects that are passed by reference.
public enum ObjectType: String, Sendable, CaseIterable {
    /// A folder.
    case fs = "FSImpl"
    /// A file.
    case file = "FileImpl"
    /// Bytes to read.
    case byteSource = "FileByteSource"
    /// Bytes to write.
    case byteSink = "FileByteSink"
    /// A symbolic link.
    case symLink = "SymLinkImpl"
    /// A collection of files and folders.
    case collection = "FSCollection"
    /// An iterator over a collection.
    case itemsIterator = "FSItemsIter"
    /// A connection to a service, at the caller's end.
    case rpcConnection = "RPCConnection"
    /// A connection to a service, at the service's end.
    case incomingConnection = "IncomingConnection"
    /// A function that takes JSON and returns JSON.
    case jsonFunction = "JsonCallFn"
}

/// What a function of a service object does with a call. Requests are the bytes of the method's messages, replies these bytes or
/// the messages themselves; nil is no body at all.
///
/// All three kinds start on the thread that brings the call, in the order of the calls, as they would in a script. Long
/// work has to leave that thread first, by awaiting an actor or a `@concurrent` function.
public enum ServiceFunction: Sendable {
    /// Answers at once. It must not wait, and costs no task.
    case immediate(@Sendable (ServiceCall) throws(RuntimeException) -> (any CallBody)?)
    /// Answers once, later.
    case promise(@Sendable (ServiceCall) async throws(RuntimeException) -> (any CallBody)?)
    /// Emits any number of values, and completes by returning. Its task is cancelled when the caller cancels.
    case observable(@Sendable (ServiceCall, ValueEmitter) async throws(RuntimeException) -> Void)
}

/// A call that came in.
public struct ServiceCall: Sendable {
    /// The request, or nil when the envelope had no body. It shares the memory of the message.
    public let body: ArraySlice<UInt8>?
    /// The connection that it came over: where objects of the reply are exposed, and references in the request belong.
    public let connection: ObjectConnection
    /// The number that the other side gave it.
    let number: UInt64
}

extension ServiceObject {
    /// The object at names below this one.
    func object(at names: ArraySlice<String>) -> ServiceObject? {
        var object = self
        for name in names {
            guard let member = object.members[name] else { return nil }
            object = member
        }
        return object
    }

    /// The function at names below this one; without names it is the object itself that is called.
    func function(at names: ArraySlice<String>) -> ServiceFunction? {
        guard let last = names.last else { return call }
        guard let object = object(at: names.dropLast()) else { return nil }
        return object.functions[last] ?? object.members[last]?.call
    }
}
