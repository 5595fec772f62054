/// The messages of one room that the other side has not acknowledged, in the order of their numbers.
///
/// A value without I/O. Every number is in the ``DeliveryStore`` before it is used; after a restart the entries come back
/// without their texts, which their owner delivers again.
package struct Outbox: Sendable {
    package struct Entry: Sendable, Equatable {
        package var sequence: UInt64
        package var id: MessageID
        /// The envelope as it goes over the wire; nil until its owner has delivered it again.
        package var bytes: [UInt8]?
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
        guard let index = pending.firstIndex(where: { $0.sequence == sequence }) else { return }
        entries[index].bytes = bytes
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
