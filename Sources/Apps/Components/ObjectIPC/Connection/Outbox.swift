internal import Platform

/// Keeps what is sent in order, and observables from sending faster than the other side takes.
///
/// A thread that submits a message while no other sends becomes the sender, and goes on until the queue is empty. So messages leave one
/// at a time and in order, from whatever thread, and never while a lock is held; a message that is submitted while another
/// one is being sent, on the same thread or elsewhere, waits its turn.
struct Outbox {
    /// A value that waits until there is room.
    struct Waiting {
        let ticket: ServedCalls.Ticket
        let message: [UInt8]
        /// Told whether the value went out.
        let resume: @Sendable (Bool) -> Void
    }

    /// Bytes above which values wait.
    let limit: Int
    private var queue = FIFO<[UInt8]>()
    private var waiting = FIFO<Waiting>()
    private var isSending = false
    private var queued = 0
    /// Bytes that were sent and that the transport still holds.
    private var reported = 0
    private let memory: MemoryShare?
    /// What was last counted there.
    private var counted = 0
    /// Bytes that are too few to count them each time.
    private static let grain = 256 << 10

    init(limit: Int, memory: MemoryShare? = nil) {
        self.limit = limit
        self.memory = memory
    }

    /// Whether more waits than there is memory for.
    var isOver: Bool { counted > 0 && memory?.isOver == true }

    private mutating func count() {
        guard let memory, abs(unsent - counted) >= Self.grain || unsent == 0 && counted > 0 else { return }
        counted = unsent
        memory.count(counted)
    }

    /// Bytes on the way. Each message counts a little more than it is long, so that many small ones count as well.
    var unsent: Int { queued + reported }

    private static func cost(_ message: [UInt8]) -> Int { message.count + 64 }

    /// Whether the caller is to send this message now, and then what ``next()`` gives.
    mutating func submit(_ message: [UInt8]) -> Bool {
        guard isSending else {
            isSending = true
            return true
        }
        queue.append(message)
        queued += Self.cost(message)
        count()
        return false
    }

    /// Whether a value has to wait.
    var isFull: Bool { unsent > limit || !waiting.isEmpty }

    mutating func wait(_ value: Waiting) { waiting.append(value) }

    /// The next message to send, or nil when the sender is done.
    mutating func next() -> [UInt8]? {
        guard let message = queue.removeFirst() else {
            isSending = false
            return nil
        }
        queued -= Self.cost(message)
        count()
        return message
    }

    /// The values for which there is room now, each already counted; they are to be submitted in order.
    mutating func admit() -> [Waiting] {
        var admitted: [Waiting] = []
        while unsent <= limit, let value = waiting.removeFirst() {
            queue.append(value.message)
            queued += Self.cost(value.message)
            admitted.append(value)
        }
        count()
        return admitted
    }

    mutating func report(_ bytes: Int) {
        reported = min(max(0, bytes), 1 << 48)
        count()
    }

    /// Takes the values of one call out.
    mutating func withdraw(_ ticket: ServedCalls.Ticket) -> [Waiting] {
        waiting.isEmpty ? [] : waiting.removeAll { $0.ticket == ticket }
    }

    /// Forgets everything.
    mutating func clear() -> [Waiting] {
        queue = FIFO()
        queued = 0
        reported = 0
        count()
        return waiting.removeAll { _ in true }
    }

    /// Whether messages wait without a sender; then the caller becomes the sender.
    mutating func startSending() -> Bool {
        guard !isSending, !queue.isEmpty else { return false }
        isSending = true
        return true
    }
}
