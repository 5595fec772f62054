internal import Components
internal import Synchronization

/// One rpc connection between two components: the caller's calls on one side, the service's answers on the other.
///
/// It knows nothing of components or processes. A few megabytes wait in each direction, then the sender waits: a service that does not
/// listen, or a caller that does not read, holds up only this pipe.
final class ServicePipe: Sendable {
    typealias ID = ObjectIdentifier

    /// Bytes that wait for the service, and for each call of the caller.
    static let backlog = 4 << 20
    /// Calls that may be open at the same time.
    static let openCalls = 1_000
    /// What a message counts beside its bytes.
    private static let messageCost = 256

    /// What the service hears.
    enum Incoming: Sendable {
        case start(call: UInt32, method: String, Payload?)
        case cancel(call: UInt32)

        fileprivate var call: UInt32 {
            switch self {
            case .start(let call, _, _), .cancel(let call): call
            }
        }
    }

    /// What the service says about a call.
    enum Answer: Sendable {
        case interim(Payload?)
        case end(Payload?)
        case error(RuntimeException)

        fileprivate var cost: Int {
            switch self {
            case .interim(let datum), .end(let datum): datum?.bytes.count ?? 0
            case .error: 0
            }
        }

        fileprivate var isInterim: Bool { if case .interim = self { true } else { false } }
    }

    private struct Call {
        let answers: FlowQueue<Answer>
        /// Whether the service has said its last.
        var isOver = false
    }

    private struct State {
        var isClosed = false
        var next: UInt32 = 1
        var calls: [UInt32: Call] = [:]
        var isWatched = false
        /// Whether the service was given its side of it.
        var isAccepted = false
    }

    let service: String
    let server: Instance.ID
    private let state = Mutex(State())
    /// What the service has not heard yet.
    private let incoming: FlowQueue<Incoming>
    private let serverMemory: MemoryBudget?
    /// Called once, when either side has closed it.
    private let closed: @Sendable (ID) -> Void

    /// - Parameters:
    ///   - server: the component that serves.
    ///   - memory: of both, for what each sends and the other has not taken yet.
    init(
        service: String, server: Instance.ID, memory: (caller: MemoryBudget, server: MemoryBudget)? = nil,
        closed: @escaping @Sendable (ID) -> Void
    ) {
        incoming = FlowQueue(limit: Self.backlog, memory: memory?.caller)
        serverMemory = memory?.server
        self.service = service
        self.server = server
        self.closed = closed
    }

    static func exception(_ flag: String) -> RuntimeException { RuntimeException(type: "rpc", flag: flag) }

    // MARK: The caller's side

    /// Makes a call that has one answer. If the service has more to say, the first value is the answer, as everywhere in the object IPC.
    func request(method: String, _ datum: Payload?) async throws(RuntimeException) -> Payload? {
        let (call, answers) = try begin()
        defer { leave(call) }
        try await tell(.start(call: call, method: method, datum), cost: datum?.bytes.count ?? 0)
        switch await answers.next() {
        case .interim(let value), .end(let value): return value
        case .error(let exception): throw exception
        case nil: throw Self.exception("connectionClosed")
        }
    }

    /// Makes a call and hands on each value, until the service ends it. A cancelled task tells the service that there is no reader any
    /// longer.
    func observe(
        method: String, _ datum: Payload?, _ take: (Payload?) async throws(RuntimeException) -> Void
    ) async throws(RuntimeException) {
        let (call, answers) = try begin()
        defer { leave(call) }
        try await tell(.start(call: call, method: method, datum), cost: datum?.bytes.count ?? 0)
        while let answer = await answers.next() {
            switch answer {
            case .interim(let value): try await take(value)
            case .end(let value):
                if let value { try await take(value) }
                return
            case .error(let exception): throw exception
            }
        }
        throw Self.exception("connectionClosed")
    }

    private func begin() throws(RuntimeException) -> (UInt32, FlowQueue<Answer>) {
        try state.withLock { state throws(RuntimeException) in
            guard !state.isClosed else { throw Self.exception("connectionClosed") }
            guard state.calls.count < Self.openCalls else { throw Self.exception("tooManyCalls") }
            while state.calls[state.next] != nil { state.next &+= 1 }
            let call = state.next
            state.next &+= 1
            let answers = FlowQueue<Answer>(limit: Self.backlog, memory: serverMemory)
            state.calls[call] = Call(answers: answers)
            return (call, answers)
        }
    }

    /// The caller waits no longer. If the service has not ended the call, it hears of that; if it has not heard of the call, it never does.
    private func leave(_ call: UInt32) {
        guard let left = state.withLock({ $0.calls.removeValue(forKey: call) }) else { return }
        left.answers.finish(throwingAway: true)
        guard !left.isOver else { return }
        incoming.remove { $0.call == call }
        Task { _ = await incoming.add(.cancel(call: call), cost: Self.messageCost) }
    }

    private func tell(_ message: Incoming, cost: Int) async throws(RuntimeException) {
        switch await incoming.add(message, cost: cost + Self.messageCost) {
        case .added: return
        case .over: throw Self.exception("connectionClosed")
        case .tooMany: throw Self.exception("serviceBusy")
        }
    }

    // MARK: The service's side

    /// The service has its side of it.
    func accept() { state.withLock { $0.isAccepted = true } }

    var isAccepted: Bool { state.withLock { $0.isAccepted } }

    /// Hands on what callers want, in order, until the connection is closed. Only one may watch.
    func watch(_ take: (Incoming) async throws(RuntimeException) -> Void) async throws(RuntimeException) {
        try state.withLock { state throws(RuntimeException) in
            guard !state.isWatched else { throw Self.exception("connectionAlreadyWatched") }
            state.isWatched = true
        }
        while let message = await incoming.next() { try await take(message) }
    }

    /// Says something about a call, after waiting for the caller to have taken what was said before. What comes for a call that is over
    /// is dropped.
    func answer(call number: UInt32, _ answer: Answer) async throws(RuntimeException) {
        let answers = try state.withLock { state throws(RuntimeException) -> FlowQueue<Answer>? in
            guard !state.isClosed else { throw Self.exception("connectionClosed") }
            guard let call = state.calls[number], !call.isOver else { return nil }
            if answer.isInterim { return call.answers }
            state.calls[number]?.isOver = true
            return call.answers
        }
        guard let answers else { return }
        if case .tooMany = await answers.add(answer, cost: answer.cost + Self.messageCost) {
            // Nothing more is said about the call, so it must not wait for its end.
            if !answer.isInterim { answers.finish() }
            throw Self.exception("callerBusy")
        }
    }

    // MARK: The end

    /// Ends it for both. What is open fails with `connectionClosed`.
    func close() {
        let open = state.withLock { state -> [Call]? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.calls = [:] }
            return Array(state.calls.values)
        }
        guard let open else { return }
        // What the service has said to the end is still for the caller.
        for call in open { call.answers.finish(throwingAway: !call.isOver) }
        incoming.finish(throwingAway: true)
        closed(ObjectIdentifier(self))
    }
}

/// What the caller of a service gets: an `RPCConnection`.
enum CallerSide {
    static func object(for pipe: ServicePipe) -> ServiceObject {
        ServiceObject(
            type: .rpcConnection,
            functions: [
                "close": .immediate { _ throws(RuntimeException) in
                    pipe.close()
                    return nil
                },
                "makeRequestReplyCall": .promise { call async throws(RuntimeException) in
                    let (method, datum) = try Self.request(call)
                    let answer = try await pipe.request(method: method, datum)
                    return try answer?.passed(to: call.connection).encoded
                },
                "startObservableCall": .observable { call, values async throws(RuntimeException) in
                    let (method, datum) = try Self.request(call)
                    try await pipe.observe(method: method, datum) { value async throws(RuntimeException) in
                        try await values.emit(value?.passed(to: call.connection).encoded ?? [])
                    }
                },
            ],
            dropped: { pipe.close() })
    }

    private static func request(_ call: ServiceCall) throws(RuntimeException) -> (method: String, Payload?) {
        let request = try RpcProto.CallStartRequestBody(body: call.body)
        guard let datum = request.req else { return (request.method, nil) }
        return (request.method, try Payload(datum, from: call.connection))
    }
}

/// What a service gets for each of its callers: an `IncomingConnection`.
enum ServiceSide {
    static func object(for pipe: ServicePipe) -> ServiceObject {
        ServiceObject(
            type: .incomingConnection,
            functions: [
                "close": .immediate { _ throws(RuntimeException) in
                    pipe.close()
                    return nil
                },
                "send": .promise { call async throws(RuntimeException) in
                    let message = try RpcProto.OutgoingMsg(body: call.body)
                    try await pipe.answer(call: message.callNum, Self.answer(message, from: call.connection))
                    return nil
                },
                "watch": .observable { call, values async throws(RuntimeException) in
                    try await pipe.watch { incoming async throws(RuntimeException) in
                        try await values.emit(Self.message(incoming, for: call.connection).encoded)
                    }
                },
            ],
            dropped: { pipe.close() })
    }

    private static func answer(
        _ message: RpcProto.OutgoingMsg, from connection: ObjectConnection
    ) throws(RuntimeException) -> ServicePipe.Answer {
        func datum() throws(RuntimeException) -> Payload? {
            guard let data = message.data else { return nil }
            return try Payload(data, from: connection)
        }
        switch message.callStatus {
        case "interim": return .interim(try datum())
        case "end": return .end(try datum())
        case "error":
            return .error(RuntimeException(errorValue: (message.err ?? CommonProto.ErrorValue()).encoded[...]))
        default: throw ServicePipe.exception("unknownCallStatus")
        }
    }

    private static func message(
        _ incoming: ServicePipe.Incoming, for connection: ObjectConnection
    ) throws(RuntimeException) -> RpcProto.IncomingMsg {
        switch incoming {
        case .cancel(let call): return RpcProto.IncomingMsg(msgType: "cancel", callNum: call)
        case .start(let call, let method, let datum):
            return RpcProto.IncomingMsg(
                msgType: "start", callNum: call, method: method, data: try datum?.passed(to: connection))
        }
    }
}
