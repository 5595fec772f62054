/// The messages of one room, sorted by their order, each found by its id in log n steps.
///
/// A message that goes costs the chunk that holds it, wherever it is, because an id leads to an order and not to a position.
package struct MessageLog: Sendable {
    package private(set) var all = ChunkedArray<Message>()
    /// The order of each message.
    private var orders: [MessageID: UInt64] = [:]
    /// The earliest time at which a message goes.
    private(set) var nextExpiry: Timestamp?
    /// The number for the next message.
    private(set) var nextOrder: UInt64 = 1
    /// How many sent messages wait for an acknowledgement.
    private(set) var pendingCount = 0
    /// What the messages take when they are saved: see ``RoomLimits/savedBytes``.
    package private(set) var savedBytes = 0

    package init() {}

    /// Orders are below this, which JSON numbers hold exactly and nobody reaches by talking.
    static let orderLimit: UInt64 = 1 << 53

    /// Restores a log. Messages with an id that occurred before are dropped, and so are those beyond ``orderLimit``.
    init(_ messages: some Sequence<Message>) {
        for message in messages.sorted(by: { ($0.order, $0.id) < ($1.order, $1.id) })
        where !contains(message.id) && message.order < Self.orderLimit {
            insert(message)
        }
    }

    /// A log of some of its messages, which numbers the next one as before.
    init(_ messages: some Sequence<Message>, nextOrder: UInt64) {
        self.init(messages)
        self.nextOrder = nextOrder
    }

    package var last: Message? { all.last }
    package var count: Int { all.count }
    package var isEmpty: Bool { all.isEmpty }

    package subscript(id: MessageID) -> Message? {
        position(of: id).map { all[$0] }
    }

    package func contains(_ id: MessageID) -> Bool { orders[id] != nil }

    /// Where the message is in ``all``.
    func position(of id: MessageID) -> Int? {
        guard let order = orders[id] else { return nil }
        let position = all.lowerBound { ($0.order, $0.id) < (order, id) }
        return position < all.count && all[position].id == id ? position : nil
    }

    /// The messages with an order from `first` to `last`.
    func messages(from first: UInt64, through last: UInt64) -> Slice<ChunkedArray<Message>> {
        let end = all.lowerBound { $0.order <= last }
        return all[min(all.lowerBound { $0.order < first }, end)..<end]
    }

    /// Adds a message at the end. The caller has made sure that the id is new.
    mutating func append(_ message: Message) {
        var message = message
        message.order = nextOrder
        insert(message)
    }

    /// Changes a message in place; false if there is none with this id.
    @discardableResult mutating func update(_ id: MessageID, _ change: (inout Message) -> Void) -> Bool {
        guard let position = position(of: id) else { return false }
        pendingCount -= all[position].status == .pending ? 1 : 0
        let before = all[position].savedBytes
        change(&all[position])
        pendingCount += all[position].status == .pending ? 1 : 0
        savedBytes += all[position].savedBytes - before
        return true
    }

    /// Takes one message out; `nil` if there is none with this id.
    mutating func remove(_ id: MessageID) -> Message? {
        guard let position = position(of: id) else { return nil }
        let removed = all.remove(at: position)
        forget([removed])
        return removed
    }

    /// Takes the oldest `count` messages out and returns them, without a look at the others.
    mutating func removeFirst(_ count: Int) -> [Message] {
        let removed = Array(all.prefix(count))
        all.removeFirst(removed.count)
        forget(removed)
        return removed
    }

    /// Takes what was counted of these messages off the counts.
    private mutating func forget(_ removed: [Message]) {
        for message in removed {
            orders[message.id] = nil
            pendingCount -= message.status == .pending ? 1 : 0
            savedBytes -= message.savedBytes
        }
        if removed.contains(where: { $0.expiresAt != nil && $0.expiresAt == nextExpiry }) {
            nextExpiry = all.lazy.compactMap(\.expiresAt).min()
        }
    }

    /// Takes the oldest messages out until at most so many are left, of at most so many bytes, and returns them.
    mutating func removeOldest(leaving count: Int, bytes: Int) -> [Message] {
        var (gone, left) = (max(0, all.count - count), savedBytes)
        for message in all.prefix(gone) { left -= message.savedBytes }
        while left > bytes, gone < all.count {
            left -= all[gone].savedBytes
            gone += 1
        }
        return removeFirst(gone)
    }

    /// Takes every message out that fulfils `condition`, and returns them. Looks at all, and copies the chunks that change.
    mutating func removeAll(where condition: (Message) -> Bool) -> [Message] {
        let removed = all.removeAll(where: condition)
        forget(removed)
        return removed
    }

    /// Takes the messages out whose time has come. They mostly go in the order in which they came.
    mutating func removeExpired(at now: Timestamp) -> [Message] {
        let isExpired = { (message: Message) in message.expiresAt.map { $0 <= now } ?? false }
        let isDue = { (time: Timestamp?) in time.map { $0 <= now } ?? false }
        guard isDue(nextExpiry) else { return [] }
        let oldest = removeFirst(all.prefix(while: isExpired).count)
        return isDue(nextExpiry) ? oldest + removeAll(where: isExpired) : oldest
    }

    private mutating func insert(_ message: Message) {
        orders[message.id] = message.order
        all.append(message)
        nextOrder = max(nextOrder, message.order &+ 1)
        savedBytes += message.savedBytes
        if message.status == .pending { pendingCount += 1 }
        if let expiry = message.expiresAt { nextExpiry = min(nextExpiry ?? expiry, expiry) }
    }
}

extension MessageLog: Hashable {
    package static func == (left: MessageLog, right: MessageLog) -> Bool {
        left.nextOrder == right.nextOrder && left.all == right.all
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(nextOrder)
        hasher.combine(all.count)
    }
}

extension MessageLog: Codable {
    private enum Key: CodingKey { case all, nextOrder }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(try container.decode([Message].self, forKey: .all))
        nextOrder = max(nextOrder, min(try container.decode(UInt64.self, forKey: .nextOrder), Self.orderLimit))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(all, forKey: .all)
        try container.encode(nextOrder, forKey: .nextOrder)
    }
}
