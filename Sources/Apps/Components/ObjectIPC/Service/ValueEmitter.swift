import Synchronization

/// Takes the values of an observable call.
public final class ValueEmitter: Sendable {
    private let connection: ObjectConnection
    private let ticket: ServedCalls.Ticket

    init(connection: ObjectConnection, ticket: ServedCalls.Ticket) {
        self.connection = connection
        self.ticket = ticket
    }

    /// Sends a value, after waiting for room when the other side is slow: one value at a time is on its way then, and the
    /// producer stands still.
    ///
    /// - Throws: `callCancelled` when the caller wants no more values, so that loops end; `messageTooLong`.
    public func emit(_ value: [UInt8]) async throws(RuntimeException) {
        let message = try envelope(value)
        switch connection.emit(message, ticket) {
        case .sent: return
        case .full:
            let wasSent = await withCheckedContinuation { continuation in
                connection.wait(message, ticket) { continuation.resume(returning: $0) }
            }
            if !wasSent { throw RuntimeException(ipc: .callCancelled) }
        case .unwanted: throw RuntimeException(ipc: .callCancelled)
        }
    }

    /// Sends a value if there is room, for those that can neither wait nor keep it: a measure of progress for example.
    ///
    /// - Returns: whether it was sent.
    @discardableResult
    public func offer(_ value: [UInt8]) -> Bool {
        guard let message = try? envelope(value) else { return false }
        return connection.emit(message, ticket) == .sent
    }

    private func envelope(_ value: [UInt8]) throws(RuntimeException) -> [UInt8] {
        guard value.count <= connection.limits.message - ObjectConnection.envelopeSize else {
            throw RuntimeException(ipc: .messageTooLong)
        }
        return Envelope.encode(.interim, number: ticket.number, body: value)
    }
}

extension ObjectConnection {
    enum Emission { case sent, full, unwanted }

    /// Sends a value of an observable call, if it is wanted and there is room.
    func emit(_ message: [UInt8], _ ticket: ServedCalls.Ticket) -> Emission {
        let (emission, isSender) = state.withLock { state -> (Emission, Bool) in
            guard state.served.isActive(ticket) else { return (.unwanted, false) }
            if state.outbox.isFull { return (.full, false) }
            return (.sent, state.outbox.submit(message))
        }
        if isSender { sendAll(from: message) }
        return emission
    }

    /// Sends a value as soon as there is room. `resume` is told whether it went out.
    func wait(_ message: [UInt8], _ ticket: ServedCalls.Ticket, resume: @escaping @Sendable (Bool) -> Void) {
        let (isWanted, admitted, isSender) = state.withLock { state -> (Bool, [Outbox.Waiting], Bool) in
            guard state.served.isActive(ticket) else { return (false, [], false) }
            state.outbox.wait(Outbox.Waiting(ticket: ticket, message: message, resume: resume))
            // There may be room by now.
            return (true, state.outbox.admit(), state.outbox.startSending())
        }
        if !isWanted { resume(false) }
        for value in admitted { value.resume(true) }
        if isSender { sendAll(from: nil) }
    }
}
