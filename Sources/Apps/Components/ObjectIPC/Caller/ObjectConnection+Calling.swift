import Synchronization

// The caller side: calls of objects of the other end.
extension ObjectConnection {
    /// Calls a function that answers once. An observable function's first value is taken for the answer.
    ///
    /// - Returns: the reply, in the memory of the message that brought it.
    /// - Throws: what the function threw; `ipcNotConnected`, `stopFromOtherSide` or `connectorStop` when the connection is or goes
    ///   down; `callCancelled` when the task is cancelled.
    public func call(
        _ path: [String], _ body: (any CallBody)? = nil
    ) async throws(RuntimeException) -> ArraySlice<UInt8>? {
        try await request(.start, path, body)
    }

    /// The names at an object of the other side; none when there is no such object.
    public func listObjects(_ path: [String]) async throws(RuntimeException) -> [String] {
        try CommonProto.StringArrayValue(body: try await request(.listObject, path, nil)).values
    }

    /// Calls an observable function. The call is made at once, and cancelled when the sequence, or the loop over it, goes away.
    public func observe(_ path: [String], _ body: (any CallBody)? = nil) -> ValueSequence {
        ValueSequence(of: path, body, on: self)
    }

    /// Calls an observable function.
    ///
    /// - Parameters:
    ///   - path: the names of the object and of its function.
    ///   - body: the request.
    ///   - next: gets each value, on the thread that received it.
    ///   - end: told once when there are no more values, unless the call was cancelled: with an exception when the call failed.
    /// - Returns: a number to cancel the call with, or nil when it could not be made and `end` was told.
    @discardableResult
    public func observe(
        _ path: [String], _ body: (any CallBody)? = nil, next: @escaping @Sendable ([UInt8]) -> Void,
        end: @escaping @Sendable (RuntimeException?) -> Void
    ) -> UInt64? {
        start(OutgoingCalls.Call(.start, path, body, .values(next: next, end: end)))
    }

    /// Cancels an observable call of this side. Nothing is heard of it any more.
    public func cancel(_ number: UInt64) { _ = abandon(number) }

    private func abandon(_ first: UInt64) -> OutgoingCalls.Receiver? {
        guard let (number, call) = state.withLock({ $0.calls.abandon(first) }) else { return nil }
        post(Envelope.encode(.cancel, number: number))
        return call.receiver
    }

    private func request(
        _ kind: Envelope.Kind, _ path: [String], _ body: (any CallBody)?
    ) async throws(RuntimeException) -> ArraySlice<UInt8>? {
        /// The call's number, once it has one, and whether the task was cancelled.
        let progress = Mutex<(number: UInt64?, isCancelled: Bool)>((nil, false))
        @Sendable func abandonIfCancelled(_ change: (inout (number: UInt64?, isCancelled: Bool)) -> Void) {
            let progress = progress.withLock { progress in
                change(&progress)
                return progress
            }
            guard progress.isCancelled, let number = progress.number else { return }
            abandon(number)?.fail(RuntimeException(ipc: .callCancelled))
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let call = OutgoingCalls.Call(kind, path, body, .reply { continuation.resume(returning: $0) })
                if let number = start(call) { abandonIfCancelled { $0.number = number } }
            }
        } onCancel: {
            abandonIfCancelled { $0.isCancelled = true }
        }
        return try result.get()
    }

    /// Registers a call and sends it. What hinders it is told to its receiver.
    private func start(_ call: OutgoingCalls.Call) -> UInt64? {
        do throws(RuntimeException) {
            try check(call)
            let number = try state.withLock { state throws(RuntimeException) in
                guard state.end == nil else { throw RuntimeException(ipc: .ipcNotConnected) }
                guard state.calls.count < limits.outstanding else { throw RuntimeException(ipc: .tooManyCalls) }
                return state.calls.add(call)
            }
            post(call.envelope(number))
            return number
        } catch {
            call.receiver.fail(error)
            return nil
        }
    }

    /// What would make the other side close the connection is not sent.
    private func check(_ call: OutgoingCalls.Call) throws(RuntimeException) {
        guard call.path.count <= limits.pathDepth, call.path.allSatisfy({ $0.utf8.count <= limits.name }) else {
            throw .functionNotFound(call.path)
        }
        let path = call.path.reduce(0) { $0 + $1.utf8.count + Self.nameSize }
        guard (call.body?.encodedSize ?? 0) + path <= limits.message - Self.envelopeSize else {
            throw RuntimeException(ipc: .messageTooLong)
        }
    }

    /// The most bytes that a name of a path adds to an envelope besides its own.
    private static let nameSize = 6
}

// Answers that come in. One to a call that is not known belongs to a call that was cancelled.
extension ObjectConnection {
    func receiveValue(_ number: UInt64, _ body: ArraySlice<UInt8>?) {
        guard let (receiver, isLast) = state.withLock({ $0.calls.value(for: number) }) else { return }
        if isLast { post(Envelope.encode(.cancel, number: number)) }
        switch receiver {
        case .reply(let reply): reply(.success(body))
        case .values(let next, _): next(body.map(Array.init) ?? [])
        }
    }

    func receiveEnd(_ number: UInt64, _ body: ArraySlice<UInt8>?) {
        guard let call = state.withLock({ $0.calls.remove(number) }) else { return }
        switch call.receiver {
        case .reply(let reply): reply(.success(body))
        case .values(_, let end): end(nil)
        }
    }

    func receiveError(_ number: UInt64, _ body: ArraySlice<UInt8>) {
        let exception = RuntimeException(errorValue: body)
        if exception.has(.duplicateFnCallNum), let again = state.withLock({ $0.calls.retry(number) }) {
            return post(again.call.envelope(again.number))
        }
        state.withLock { $0.calls.remove(number) }?.receiver.fail(exception)
    }
}
