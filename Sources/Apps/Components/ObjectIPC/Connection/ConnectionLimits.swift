/// What one end of a connection takes from the other. Beyond a limit there is an exception, or the connection is closed.
public struct ConnectionLimits: Hashable, Sendable {
    /// Bytes of one message, both ways. A longer one that comes in closes the connection.
    public var message = 64 << 20
    /// Objects exposed at the same time.
    public var objects = 10_000
    /// Calls of the other side that are being served, observables not counted.
    public var calls = 1_000
    /// Observable calls of the other side that run.
    public var observables = 500
    /// Bytes of the requests of all these calls.
    public var requests = 128 << 20
    /// Calls of this side that wait for their replies.
    public var outstanding = 10_000
    /// Bytes on the way to the other side above which emitters of observables wait.
    public var unsent = 1 << 20
    /// Bytes on the way to the other side above which the connection is closed.
    public var backlog = 128 << 20
    /// Names in a path. A longer path closes the connection.
    public var pathDepth = 16
    /// Bytes of one name in a path. A longer name closes the connection.
    public var name = 128

    /// The limits that Alcove itself uses.
    public init() {}
}

/// Why a connection ended.
public enum ConnectionEnd: Hashable, Sendable {
    /// This side closed it.
    case closed
    /// The other side closed it, or is gone.
    case otherSide
    /// The other side sent what is not a message of the object IPC.
    case violation(String)
    /// The other side does not take what is sent to it, or asks for more than it takes.
    case exceeded(String)
}
