/// What a function of a service object does with a call. Requests are the bytes of the method's messages, replies these bytes or
/// the messages themselves; nil is no body at all.
///
/// All three kinds start on the thread that brings the call, in the order of the calls, as they would in a script. What is
/// going to take long leaves that thread first: by awaiting an actor or a `@concurrent` function.
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
