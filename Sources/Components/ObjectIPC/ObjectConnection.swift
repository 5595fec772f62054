// The two ends of the object IPC. Replaced by its owner; the shape of the public face is agreed.

/// One end of an object IPC connection over a pipe that keeps whole messages in order.
public final class ObjectConnection: Sendable {
    init() {}
}

/// Takes the values of an observable call.
public final class ValueEmitter: Sendable {
    init() {}
}
