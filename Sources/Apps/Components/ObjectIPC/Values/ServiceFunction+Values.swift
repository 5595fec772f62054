internal import Wire

/// Functions that take and give JSON with binary. A reply of nil is no body, which a caller takes for undefined.
extension ServiceFunction {
    /// Answers at once: see ``immediate(_:)``.
    public static func immediateValues(
        _ answer: @escaping @Sendable ([IPCValue], ObjectConnection) throws(RuntimeException) -> IPCValue?
    ) -> ServiceFunction {
        .immediate { call throws(RuntimeException) in
            try answer([IPCValue](body: call.body), call.connection).map { [$0].body }
        }
    }

    /// Answers once, later: see ``promise(_:)``.
    public static func promiseValues(
        _ answer: @escaping @Sendable ([IPCValue], ObjectConnection) async throws(RuntimeException) -> IPCValue?
    ) -> ServiceFunction {
        .promise { call throws(RuntimeException) in
            let arguments = try [IPCValue](body: call.body)
            let share = try arguments.share(in: call)
            defer { withExtendedLifetime(share) {} }
            return try await answer(arguments, call.connection).map { [$0].body }
        }
    }

    /// Emits values: see ``observable(_:)`` and ``ValueEmitter/emit(_:)-(IPCValue)``.
    public static func observableValues(
        _ observe:
            @escaping @Sendable ([IPCValue], ObjectConnection, ValueEmitter) async throws(RuntimeException) -> Void
    ) -> ServiceFunction {
        .observable { call, emitter throws(RuntimeException) in
            let arguments = try [IPCValue](body: call.body)
            let share = try arguments.share(in: call)
            defer { withExtendedLifetime(share) {} }
            try await observe(arguments, call.connection, emitter)
        }
    }
}

extension [IPCValue] {
    /// Takes memory for arguments that are kept for as long as a function waits. Small ones are bounded by their number.
    fileprivate func share(in call: ServiceCall) throws(RuntimeException) -> MemoryShare? {
        guard let memory = call.connection.memory, call.body?.count ?? 0 >= ObjectConnection.smallRequest else {
            return nil
        }
        let share = MemoryShare(of: memory)
        guard share.grow(by: reduce(0) { $0 + ($1.json?.text.utf8.count ?? 0) } * Self.memoryOfJSON) else {
            throw RuntimeException(ipc: .tooManyCalls)
        }
        return share
    }
}

extension ValueEmitter {
    /// Sends a value that is packed as JSON with binary.
    public func emit(_ value: IPCValue) async throws(RuntimeException) { try await emit([value].body) }

    /// Sends a message.
    public func emit(_ message: some ComponentMessage) async throws(RuntimeException) {
        try await emit(message.encoded)
    }

    /// Sends a value that is packed as JSON with binary, if there is room.
    @discardableResult
    public func offer(_ value: IPCValue) -> Bool { offer([value].body) }
}

extension ObjectConnection {
    /// Calls a function that takes and gives JSON with binary.
    public func call(_ path: [String], values arguments: [IPCValue]) async throws(RuntimeException) -> IPCValue {
        try IPCValue(reply: try await call(path, arguments.body))
    }
}
