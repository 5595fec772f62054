public import Wire

extension RuntimeException {
    /// What goes wrong in the object IPC itself, as flags of type `ipc`.
    public enum IPCFlag: String, Sendable, CaseIterable {
        /// The caller's number belongs to a call in progress. Callers try again with another one.
        case duplicateFnCallNum
        /// There is no such function; `path` says which.
        case callFnNotFound
        /// A message of a kind that is not known.
        case invalidType
        /// The connection was closed by the other side during the call.
        case stopFromOtherSide
        /// The connection was closed by this side during the call.
        case connectorStop
        /// The connection is closed.
        case ipcNotConnected
        /// A reference to an object that is not exposed on this connection, or is one of another type. Ours.
        case objectNotFound
        /// The other side has too many calls in progress. Ours.
        case tooManyCalls
        /// Too many objects are exposed on this connection. Ours.
        case tooManyObjects
        /// A request or a reply is longer than a message may be. Ours.
        case messageTooLong
        /// A body that is not the message that the function takes or gives. Ours.
        case invalidBody
        /// The caller does not wait for the call any more. Ours.
        case callCancelled
        /// Values of an observable came faster than they were taken. Ours.
        case tooManyValues
    }

    /// An exception of the type `ipc` with one flag set.
    public init(ipc flag: IPCFlag, _ more: JSONObject = [:]) {
        self.init(type: "ipc", flag: flag.rawValue, more)
    }

    /// Whether this is an exception of the type `ipc` with this flag.
    public func has(_ flag: IPCFlag) -> Bool { type == "ipc" && has(flag.rawValue) }

    static func functionNotFound(_ path: [String]) -> RuntimeException {
        RuntimeException(ipc: .callFnNotFound, ["path": .array(path.map(JSONValue.string))])
    }

    static func objectNotFound(_ type: ObjectType) -> RuntimeException {
        RuntimeException(ipc: .objectNotFound, ["objType": .string(type.rawValue)])
    }
}
