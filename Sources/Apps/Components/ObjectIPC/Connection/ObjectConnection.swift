import Synchronization
import Wire

/// One end of an object IPC connection over a pipe that keeps whole messages in order. Both ends are alike: each serves the
/// objects that it exposes, and calls those of the other.
///
/// It has no thread: it works on those that call ``receive(_:)``, and on those of the functions that it serves. All calls are safe
/// from any thread; messages are received one at a time, by the owner of the pipe.
public final class ObjectConnection: Sendable {
    /// The name of the tree of capabilities in paths.
    public static let rootName = "w3n"

    /// How much the other end may use.
    public let limits: ConnectionLimits
    let root: ServiceObject?
    let state: Mutex<State>
    private let send: @Sendable ([UInt8]) -> Void
    let refused: @Sendable (RuntimeException) -> Void
    /// What the other side's requests take while they are worked on.
    let requestMemory: MemoryShare?
    /// Where that is counted which this side keeps for the other; nil if that is not counted.
    public let memory: MemoryBudget?
    private let closed: @Sendable (ConnectionEnd) -> Void

    struct State {
        var exposed: [UInt64: ServiceObject] = [:]
        var served = ServedCalls()
        var calls = OutgoingCalls()
        var remotes = RemoteObjects()
        var outbox: Outbox
        var end: ConnectionEnd?
    }

    /// - Parameters:
    ///   - root: what the other side finds at `w3n`; nil if only holders of a reference are served.
    ///   - limits: how much the other side may use.
    ///   - memory: where that is counted which this side keeps for the other; nil counts nothing.
    ///   - send: takes a message for the other side, one at a time and in order. It may call this connection, or the other end.
    ///   - refused: told what the other side was not given: a function that is not there, an object that it does not hold, more than
    ///     the limits allow.
    ///   - closed: told once, after everything that was under way has ended.
    public init(
        root: ServiceObject?, limits: ConnectionLimits = ConnectionLimits(), memory: MemoryBudget? = nil,
        send: @escaping @Sendable ([UInt8]) -> Void,
        refused: @escaping @Sendable (RuntimeException) -> Void = { _ in },
        closed: @escaping @Sendable (ConnectionEnd) -> Void = { _ in }
    ) {
        self.root = root
        self.limits = limits
        self.send = send
        self.refused = refused
        self.closed = closed
        self.memory = memory
        requestMemory = memory.map { MemoryShare(of: $0) }
        state = Mutex(State(outbox: Outbox(limit: limits.unsent, memory: memory.map { MemoryShare(of: $0) })))
    }

    /// Why the connection ended, or nil while it lives.
    public var end: ConnectionEnd? { state.withLock { $0.end } }

    /// Takes a message of the other side. Functions that answer at once have been called when it returns.
    public func receive(_ bytes: [UInt8]) {
        guard bytes.count <= limits.message else {
            return close(.violation("a message is longer than \(limits.message) bytes"))
        }
        let envelope: Envelope
        do throws(WireError) {
            envelope = try Envelope(bytes, limits: limits)
        } catch {
            return close(.violation("a message cannot be read: \(error.message)"))
        }
        guard let number = envelope.number else {
            guard envelope.kind == .drop, envelope.path.count == 1 else {
                return close(.violation("a message has no call number"))
            }
            return drop(envelope.path[0])
        }
        switch envelope.kind {
        case .start: serve(number, envelope)
        case .listObject: serveListing(number, envelope.path)
        case .cancel: cancelServed(number)
        case .interim: receiveValue(number, envelope.body)
        case .end: receiveEnd(number, envelope.body)
        case .error: receiveError(number, envelope.body ?? [])
        case .drop, nil: refuse(number, RuntimeException(ipc: .invalidType))
        }
    }

    /// Ends the connection from this side. Calls that wait fail with `connectorStop`.
    public func close() { close(.closed) }

    /// The pipe ended. Calls that wait fail with `stopFromOtherSide`.
    public func otherSideClosed() { close(.otherSide) }

    func close(_ end: ConnectionEnd) {
        let remains = state.withLock { state -> ClosedConnection? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.exposed = [:] }
            return ClosedConnection(
                objects: Array(state.exposed.values), cancellations: state.served.removeAll(),
                waiting: state.outbox.clear(), calls: state.calls.removeAll())
        }
        guard let remains else { return }
        for cancel in remains.cancellations { cancel() }
        for value in remains.waiting { value.resume(false) }
        let exception = RuntimeException(ipc: end == .otherSide ? .stopFromOtherSide : .connectorStop)
        for call in remains.calls { call.receiver.fail(exception) }
        for object in remains.objects { object.wasWithdrawn() }
        closed(end)
    }

    /// What was under way when the connection ended.
    private struct ClosedConnection {
        let objects: [ServiceObject]
        let cancellations: [@Sendable () -> Void]
        let waiting: [Outbox.Waiting]
        let calls: [OutgoingCalls.Call]
    }
}

// MARK: Sending

extension ObjectConnection {
    /// Sends a message after those that wait.
    func post(_ message: [UInt8]) {
        let isSender = state.withLock { $0.end == nil && $0.outbox.submit(message) }
        if isSender { sendAll(from: message) } else { closeIfBehind() }
    }

    /// Sends until nothing is left. Called by the one who became the sender.
    func sendAll(from first: [UInt8]?) {
        var message = first
        repeat {
            if let message { send(message) }
            let (next, admitted) = state.withLock { state in
                let admitted = state.outbox.admit()
                return (state.outbox.next(), admitted)
            }
            for value in admitted { value.resume(true) }
            message = next
        } while message != nil
    }

    /// Tells how many bytes of what was sent the pipe still holds. While there are too many, observables wait.
    ///
    /// The owner of a pipe with a buffer calls this as the buffer fills and empties; one that never calls it says that a message
    /// is gone when `send` returns.
    public func reportBacklog(_ bytes: Int) {
        let (admitted, isSender) = state.withLock { state in
            state.outbox.report(bytes)
            return (state.outbox.admit(), state.outbox.startSending())
        }
        for value in admitted { value.resume(true) }
        if isSender { sendAll(from: nil) }
        closeIfBehind()
    }

    private func closeIfBehind() {
        let (isBehind, isOver) = state.withLock { state in
            (state.end == nil && state.outbox.unsent > limits.backlog, state.end == nil && state.outbox.isOver)
        }
        if isBehind { close(.exceeded("more than \(limits.backlog) bytes wait for the other side")) }
        if isOver { close(.exceeded("what waits for the other side takes more memory than there is for it")) }
    }
}
