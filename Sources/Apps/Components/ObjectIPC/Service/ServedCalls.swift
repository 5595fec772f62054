/// The calls of the other side that this side works on.
struct ServedCalls {
    /// One call. A number may be used again after a call was cancelled, so numbers alone do not tell calls apart.
    struct Ticket: Hashable {
        let number: UInt64
        fileprivate let serial: UInt64
        let isObservable: Bool
        /// Bytes of the request, which stays in memory for as long as the function runs.
        let size: Int
    }

    private struct Call {
        let ticket: Ticket
        var cancel: (@Sendable () -> Void)?
    }

    private var calls: [UInt64: Call] = [:]
    private var serial: UInt64 = 0
    /// Functions that have not returned yet; a cancelled one may take its time.
    private(set) var running = 0
    private(set) var observing = 0
    private var size = 0

    /// A ticket for a call whose number is not in use. Nil beyond the limits.
    mutating func begin(_ number: UInt64, isObservable: Bool, size: Int, limits: ConnectionLimits) -> Ticket? {
        guard isObservable ? observing < limits.observables : running < limits.calls,
            self.size + size <= limits.requests
        else { return nil }
        serial += 1
        self.size += size
        if isObservable { observing += 1 } else { running += 1 }
        let ticket = Ticket(number: number, serial: serial, isObservable: isObservable, size: size)
        calls[number] = Call(ticket: ticket)
        return ticket
    }

    /// Whether the number belongs to a call in progress.
    func isUsed(_ number: UInt64) -> Bool { !calls.isEmpty && calls[number] != nil }

    /// Whether values and the reply of this call are still wanted.
    func isActive(_ ticket: Ticket) -> Bool { calls[ticket.number]?.ticket == ticket }

    /// Notes how to cancel a call. False when it ended already.
    mutating func attach(_ ticket: Ticket, cancel: @escaping @Sendable () -> Void) -> Bool {
        guard isActive(ticket) else { return false }
        calls[ticket.number]?.cancel = cancel
        return true
    }

    /// Ends an observable call because its caller does not want more.
    mutating func cancel(_ number: UInt64) -> (ticket: Ticket, cancel: (@Sendable () -> Void)?)? {
        guard let call = calls[number], call.ticket.isObservable else { return nil }
        calls[number] = nil
        return (call.ticket, call.cancel)
    }

    /// The function has returned. Whether its reply is still wanted.
    mutating func finish(_ ticket: Ticket) -> Bool {
        if ticket.isObservable { observing -= 1 } else { running -= 1 }
        size -= ticket.size
        guard isActive(ticket) else { return false }
        calls[ticket.number] = nil
        return true
    }

    /// Ends all calls: how to cancel them.
    mutating func removeAll() -> [@Sendable () -> Void] {
        defer { calls = [:] }
        return calls.values.compactMap(\.cancel)
    }
}
