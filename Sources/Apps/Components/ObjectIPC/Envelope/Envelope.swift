/// One message of the object IPC: `ipc.Envelope` of proto3.
struct Envelope: Hashable, Sendable {
    /// `msg_type`.
    enum Kind: String, Sendable {
        /// Caller: a call begins.
        case start
        /// Service: one value of an observable call.
        case interim
        /// Service: the reply, or the end of an observable.
        case end
        /// Service: the call failed; the body is `common.ErrorValue`.
        case error
        /// Caller: no more values are wanted.
        case cancel
        /// Caller: an object is not needed any more. The only kind without a call number.
        case drop
        /// Caller: which names are there at an object?
        case listObject = "list-obj"
    }

    /// Nil is a kind that is not known here.
    var kind: Kind?
    var number: UInt64?
    var path: [String] = []
    /// Nil is no body at all, which is not an empty one.
    var body: ArraySlice<UInt8>?
}
