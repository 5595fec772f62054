/// The messages of one room that the other side has not acknowledged, in the order of their numbers.
///
/// A value without I/O. Every number is in the ``DeliveryStore`` before it is used; after a restart the entries come back
/// without their texts, which their owner delivers again.
package struct Outbox: Sendable {
    package struct Entry: Sendable, Equatable {
        package var sequence: UInt64
        package var id: MessageID
        /// The envelope; nil until its owner has delivered it again.
        package var bytes: [UInt8]?
        /// The same as it goes over the wire; nil until there was a key for it.
        package var sealed: [UInt8]?
        /// How often it was sealed again because the other side could not open it.
        package var resealed = 0
    }

    /// Messages that may wait; more are refused.
    package static let limit = 10_000

    private var entries: [Entry]
    private var positions: [MessageID: UInt64]
    /// The highest number that was ever used.
    private(set) package var last: UInt64
    /// Entries before this position are acknowledged; they are cut off from time to time, so that an acknowledgement
    /// costs the same however long the queue is.
    private var head = 0

    package init(numbers: [(sequence: UInt64, id: MessageID)] = [], last: UInt64 = 0) {
        entries = numbers.map { Entry(sequence: $0.sequence, id: $0.id) }.sorted { $0.sequence < $1.sequence }
        positions = Dictionary(entries.map { ($0.id, $0.sequence) }, uniquingKeysWith: { _, later in later })
        self.last = max(last, entries.last?.sequence ?? 0)
    }

    package var pending: ArraySlice<Entry> { entries[head...] }

    /// The number of the first message that is still held; the next one if there is none.
    package var first: UInt64 { pending.first?.sequence ?? last + 1 }

    /// The number that a message waits under.
    package func sequence(of id: MessageID) -> UInt64? { positions[id] }

    /// Whether there is room for another message.
    package var isFull: Bool { pending.count >= Self.limit }

    /// Takes a message in under the next number.
    package mutating func append(_ id: MessageID, _ bytes: [UInt8]) {
        last += 1
        positions[id] = last
        entries.append(Entry(sequence: last, id: id, bytes: bytes))
    }

    /// Gives a message that waits its text, or another one.
    package mutating func fill(_ sequence: UInt64, with bytes: [UInt8]) {
        guard let index = index(of: sequence) else { return }
        entries[index].bytes = bytes
        entries[index].sealed = nil
    }

    /// Whether a message that waits has its text.
    package func holds(_ sequence: UInt64) -> Bool { index(of: sequence).map { entries[$0].bytes != nil } ?? false }

    /// The next ones after a number.
    package func entries(after sequence: UInt64, atMost limit: Int) -> ArraySlice<Entry> {
        pending[start(after: sequence)...].prefix(limit)
    }

    package mutating func note(_ sequence: UInt64, sealed: [UInt8]) {
        if let index = index(of: sequence) { entries[index].sealed = sealed }
    }

    /// Has a message sealed again, at most so often.
    /// - Returns: whether it is.
    package mutating func unseal(_ sequence: UInt64, atMost limit: Int) -> Bool {
        guard let index = index(of: sequence), entries[index].resealed < limit else { return false }
        entries[index].resealed += 1
        entries[index].sealed = nil
        return true
    }

    /// Has everything after a number that `body` says so of sealed again.
    package mutating func unseal(after sequence: UInt64, where body: ([UInt8]) -> Bool) {
        for index in start(after: sequence)..<entries.endIndex where entries[index].sealed.map(body) == true {
            entries[index].sealed = nil
        }
    }

    /// A new connection: what was sealed again often enough may be again.
    package mutating func beginAnew() {
        for index in head..<entries.endIndex { entries[index].resealed = 0 }
    }

    private func index(of sequence: UInt64) -> Int? {
        guard sequence > 0 else { return nil }
        let index = start(after: sequence - 1)
        return index < entries.endIndex && entries[index].sequence == sequence ? index : nil
    }

    /// Where the entries behind a number begin; they are in order.
    private func start(after sequence: UInt64) -> Int {
        var (low, high) = (head, entries.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence > sequence { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The other side has stored messages of numbers up to this one, which this side does not remember: what waits gets
    /// numbers after it.
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

    /// A message is not wanted any more; its number stays, and goes out with nothing in it.
    package mutating func withdraw(_ id: MessageID, with bytes: [UInt8]) {
        guard let sequence = positions.removeValue(forKey: id) else { return }
        fill(sequence, with: bytes)
    }

    /// The other side has stored everything up to a number.
    /// - Returns: the messages that are thereby delivered.
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
