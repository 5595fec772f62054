/// The messages of one room that the other side has not acknowledged, in the order of their numbers.
///
/// A value without I/O. Every number is in the ``DeliveryStore`` before it is used; after a restart the entries return
/// without their content, which their owner delivers again.
package struct Outbox: Sendable {
    package struct Entry: Sendable, Equatable {
        package var sequence: UInt64
        package var id: MessageID
        /// The envelope; nil until its owner has delivered it again.
        package var bytes: [UInt8]?
        /// The bytes on the wire; nil until there was a key.
        package var sealed: [UInt8]?
        /// How often it was sealed again because the other side could not open it.
        package var resealed = 0
    }

    /// The most messages that may wait; more are refused.
    package static let limit = 10_000

    private var entries: [Entry]
    private var positions: [MessageID: UInt64]
    /// The highest number that was ever used.
    private(set) package var last: UInt64
    /// Entries before this position are acknowledged. They are removed from time to time, so that the cost of an
    /// acknowledgement does not depend on the length of the queue.
    private var head = 0

    package init(numbers: [(sequence: UInt64, id: MessageID)] = [], last: UInt64 = 0) {
        entries = numbers.map { Entry(sequence: $0.sequence, id: $0.id) }.sorted { $0.sequence < $1.sequence }
        positions = Dictionary(entries.map { ($0.id, $0.sequence) }, uniquingKeysWith: { _, later in later })
        self.last = max(last, entries.last?.sequence ?? 0)
    }

    package var pending: ArraySlice<Entry> { entries[head...] }

    /// The number of the first message that is still held; the next one if there is none.
    package var first: UInt64 { pending.first?.sequence ?? last + 1 }

    /// The number of a waiting message.
    package func sequence(of id: MessageID) -> UInt64? { positions[id] }

    /// Whether there is room for another message.
    package var isFull: Bool { pending.count >= Self.limit }

    /// Adds a message under the next number.
    package mutating func append(_ id: MessageID, _ bytes: [UInt8]) {
        last += 1
        positions[id] = last
        entries.append(Entry(sequence: last, id: id, bytes: bytes))
    }

    /// Sets or replaces the content of a waiting message.
    package mutating func fill(_ sequence: UInt64, with bytes: [UInt8]) {
        guard let index = index(of: sequence) else { return }
        entries[index].bytes = bytes
        entries[index].sealed = nil
    }

    /// Whether a waiting message has its content.
    package func holds(_ sequence: UInt64) -> Bool { index(of: sequence).map { entries[$0].bytes != nil } ?? false }

    /// The next ones after a number.
    package func entries(after sequence: UInt64, atMost limit: Int) -> ArraySlice<Entry> {
        pending[start(after: sequence)...].prefix(limit)
    }

    package mutating func note(_ sequence: UInt64, sealed: [UInt8]) {
        if let index = index(of: sequence) { entries[index].sealed = sealed }
    }

    /// Lets a message be sealed again, at most `limit` times.
    /// - Returns: whether it is.
    package mutating func unseal(_ sequence: UInt64, atMost limit: Int) -> Bool {
        guard let index = index(of: sequence), entries[index].resealed < limit else { return false }
        entries[index].resealed += 1
        entries[index].sealed = nil
        return true
    }

    /// Lets messages after a number be sealed again, if `body` returns true for them.
    package mutating func unseal(after sequence: UInt64, where body: ([UInt8]) -> Bool) {
        for index in start(after: sequence)..<entries.endIndex where entries[index].sealed.map(body) == true {
            entries[index].sealed = nil
        }
    }

    /// A new connection: messages that reached the limit may be sealed again.
    package mutating func beginAnew() {
        for index in head..<entries.endIndex { entries[index].resealed = 0 }
    }

    private func index(of sequence: UInt64) -> Int? {
        guard sequence > 0 else { return nil }
        let index = start(after: sequence - 1)
        return index < entries.endIndex && entries[index].sequence == sequence ? index : nil
    }

    /// The position of the first entry after a number; entries are in order.
    private func start(after sequence: UInt64) -> Int {
        var (low, high) = (head, entries.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The other side has stored messages up to this number, which this side does not remember. Waiting messages get
    /// later numbers.
    package mutating func renumber(after number: UInt64) {
        entries = Array(pending)
        (head, last) = (0, number)
        positions = [:]
        for index in entries.indices {
            last += 1
            entries[index].sequence = last
            entries[index].bytes = entries[index].bytes.flatMap { Envelope.renumbered($0, last) }
            entries[index].sealed = nil
            positions[entries[index].id] = last
        }
    }

    /// A message was withdrawn. Its number stays, and is sent with empty content.
    package mutating func withdraw(_ id: MessageID, with bytes: [UInt8]) {
        guard let sequence = positions.removeValue(forKey: id) else { return }
        fill(sequence, with: bytes)
    }

    /// The other side has stored everything up to a number.
    /// - Returns: the messages that this delivered.
    package mutating func acknowledge(upTo sequence: UInt64) -> ArraySlice<Entry> {
        let end = pending.firstIndex { $0.sequence > sequence } ?? entries.endIndex
        let delivered = entries[head..<end]
        for entry in delivered where positions[entry.id] == entry.sequence { positions[entry.id] = nil }
        head = end
        if head > 1024, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return delivered
    }
}
