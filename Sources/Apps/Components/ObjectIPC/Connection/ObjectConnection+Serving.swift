import Synchronization

// The service side: calls of the other end.
extension ObjectConnection {
    func serve(_ number: UInt64, _ envelope: Envelope) {
        guard let function = function(at: envelope.path) else {
            return refuse(number, .functionNotFound(envelope.path))
        }
        guard isAdmitted(number) else { return }
        let call = ServiceCall(body: envelope.body, connection: self, number: number)
        switch function {
        case .immediate(let answer):
            do throws(RuntimeException) {
                reply(to: number, with: try answer(call))
            } catch {
                reply(to: number, with: error)
            }
        case .promise(let answer):
            guard let ticket = begin(number, call, isObservable: false) else { return }
            run(ticket) { () async throws(RuntimeException) in try await answer(call) }
        case .observable(let observe):
            guard let ticket = begin(number, call, isObservable: true) else { return }
            let emitter = ValueEmitter(connection: self, ticket: ticket)
            run(ticket) { () async throws(RuntimeException) in
                try await observe(call, emitter)
                return nil
            }
        }
    }

    /// Answers with an exception of our own, and tells the owner.
    func refuse(_ number: UInt64, _ exception: RuntimeException) {
        refused(exception)
        reply(to: number, with: exception)
    }

    private func function(at path: [String]) -> ServiceFunction? {
        guard let first = path.first else { return nil }
        return owner(of: first)?.function(at: path.dropFirst())
    }

    /// The tree of capabilities, or an exposed object.
    private func owner(of name: String) -> ServiceObject? {
        if name == Self.rootName { return root }
        guard let id = ObjectID(name) else { return nil }
        return state.withLock { $0.exposed[id.number] }
    }

    /// Whether the connection is open, and the number free. A number in progress is refused.
    private func isAdmitted(_ number: UInt64) -> Bool {
        let (isOpen, isUsed) = state.withLock { ($0.end == nil, $0.served.isUsed(number)) }
        if isUsed { reply(to: number, with: RuntimeException(ipc: .duplicateFnCallNum)) }
        return isOpen && !isUsed
    }

    /// A ticket for a call that takes its time, unless it is one too many.
    private func begin(_ number: UInt64, _ call: ServiceCall, isObservable: Bool) -> ServedCalls.Ticket? {
        let size = call.body?.count ?? 0
        guard countsRequest(size) else {
            refuse(number, RuntimeException(ipc: .tooManyCalls))
            return nil
        }
        let ticket = state.withLock { state in
            // Another thread may have closed the connection by now.
            state.end == nil
                ? state.served.begin(number, isObservable: isObservable, size: size, limits: limits) : nil
        }
        guard let ticket else {
            forgetRequest(size)
            if end == nil { refuse(number, RuntimeException(ipc: .tooManyCalls)) }
            return nil
        }
        return ticket
    }

    /// Takes memory for a request that is kept while it is worked on. Small ones are bounded by their number.
    private func countsRequest(_ size: Int) -> Bool {
        size < Self.smallRequest || requestMemory?.grow(by: size) ?? true
    }

    private func forgetRequest(_ size: Int) { if size >= Self.smallRequest { requestMemory?.shrink(by: size) } }

    /// Bytes of requests that are not worth counting.
    static let smallRequest = 4096

    /// Starts a function at once, on this thread, so that functions start in the order of their calls.
    private func run(
        _ ticket: ServedCalls.Ticket,
        _ function: @escaping @Sendable () async throws(RuntimeException) -> (any CallBody)?
    ) {
        let task = Task.immediate { [self] in
            let result: Result<(any CallBody)?, RuntimeException>
            do throws(RuntimeException) {
                result = .success(try await function())
            } catch {
                result = .failure(error)
            }
            finish(ticket, result)
        }
        // A call that is not there any more has ended, or was cancelled before there was a task to cancel.
        let isAttached = state.withLock { $0.served.attach(ticket, cancel: { task.cancel() }) }
        if !isAttached { task.cancel() }
    }

    private func finish(_ ticket: ServedCalls.Ticket, _ result: Result<(any CallBody)?, RuntimeException>) {
        let (isWanted, waiting) = state.withLock { ($0.served.finish(ticket), $0.outbox.withdraw(ticket)) }
        for value in waiting { value.resume(false) }
        forgetRequest(ticket.size)
        guard isWanted else { return }
        switch result {
        case .success(let body): reply(to: ticket.number, with: body)
        case .failure(let exception): reply(to: ticket.number, with: exception)
        }
    }

    func serveListing(_ number: UInt64, _ path: [String]) {
        guard isAdmitted(number) else { return }
        let names = path.first.flatMap(owner(of:))?.object(at: path.dropFirst())?.names ?? []
        reply(to: number, with: CommonProto.StringArrayValue(values: names).encoded)
    }

    func cancelServed(_ number: UInt64) {
        let (cancelled, waiting) = state.withLock { state -> (ServedCancellation?, [Outbox.Waiting]) in
            guard let cancelled = state.served.cancel(number) else { return (nil, []) }
            return (cancelled, state.outbox.withdraw(cancelled.ticket))
        }
        cancelled?.cancel?()
        for value in waiting { value.resume(false) }
    }

    private typealias ServedCancellation = (ticket: ServedCalls.Ticket, cancel: (@Sendable () -> Void)?)

    func reply(to number: UInt64, with body: (any CallBody)?) {
        guard body?.encodedSize ?? 0 <= limits.message - Self.envelopeSize else {
            return reply(to: number, with: RuntimeException(ipc: .messageTooLong))
        }
        post(Envelope.encode(.end, number: number, body: body))
    }

    func reply(to number: UInt64, with exception: RuntimeException) {
        post(Envelope.encode(.error, number: number, body: exception.errorValue))
    }

    /// The most bytes that an envelope adds to the body of a reply or a value.
    static let envelopeSize = 64
}
