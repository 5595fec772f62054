/// A function that is called over a port: its arguments and its result are the bytes of messages, or raw bytes.
public enum NativeFunction: Sendable {
    /// Answers at once, on the thread that brought the call. It must not wait, and costs no task.
    case immediate(@Sendable (_ arguments: [UInt8]) throws(NativeError) -> [UInt8])
    /// Answers later. Its task is cancelled when the ports are closed.
    case promise(@Sendable (_ arguments: [UInt8]) async throws(NativeError) -> [UInt8])
}

/// How a call over a port fails.
public enum NativeError: Error, Hashable, Sendable {
    /// An error that a script can act on. It travels as JSON.
    case exception(RuntimeException)
    /// A text for people; scripts get it as it is.
    case text(String)
}

/// What may go over the ports of one component at the same time.
public struct FunctionCallLimits: Hashable, Sendable {
    /// Bytes of arguments and of a result.
    public var message = 64 << 20
    /// Calls in progress, for each direction.
    public var calls = 4096
    /// Bytes of the arguments of all calls in progress.
    public var arguments = 128 << 20

    /// The limits that Alcove itself uses.
    public init() {}
}
