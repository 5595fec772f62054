/// The messages of one room: those in memory, sorted by their order, each found by its id in log n steps, and the gaps between them,
/// whose messages only the disk has.
///
/// A message that goes costs the chunk that holds it, wherever it is, because an id leads to an order and not to a position.
package struct MessageLog: Sendable {
    /// Those that are in memory and can be shown.
    package internal(set) var all = ChunkedArray<Message>()
    /// Those that lie in a gap, and are in memory because something waits for them.
    var held: [MessageID: Message] = [:]
    /// Stretches that are not in memory, in their order.
    package internal(set) var gaps: [HistoryGap] = []
    /// The order of each message in ``all``.
    private var orders: [MessageID: UInt64] = [:]
    /// The earliest time at which a message in memory goes.
    private(set) var nextExpiry: Timestamp?
    /// Before this time no message goes that is not in memory.
    var gapExpiry: Timestamp?
    /// The number for the next message.
    private(set) var nextOrder: UInt64 = 1
    /// How many sent messages wait for an acknowledgement.
    private(set) var pendingCount = 0
    /// What the messages in ``all`` take when they are saved: see ``RoomLimits/savedBytes``.
    package private(set) var savedBytes = 0
    /// What those in gaps take.
    var gapBytes = 0
    /// ``Room/seenUpTo``, for the gaps, which count what the person has not seen.
    var seen: UInt64 = 0

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
    /// How many messages there are, in memory or not.
    package var count: Int { gaps.reduce(all.count) { $0 + $1.count } }
    package var isEmpty: Bool { count == 0 }

    /// A message that is in memory.
    package subscript(id: MessageID) -> Message? { position(of: id).map { all[$0] } ?? held[id] }

    /// Whether the message is in memory.
    package func contains(_ id: MessageID) -> Bool { orders[id] != nil || held[id] != nil }

    /// Where the message is in ``all``.
    func position(of id: MessageID) -> Int? {
        guard let order = orders[id] else { return nil }
        let position = all.lowerBound { ($0.order, $0.id) < (order, id) }
        return position < all.count && all[position].id == id ? position : nil
    }

    /// All that are in memory: first those in gaps, then the others, each in their order.
    package var inMemory: ChunkedArray<Message> {
        held.isEmpty ? all : ChunkedArray(chunks: ChunkedArray(heldInOrder).chunks + all.chunks)
    }

    private var heldInOrder: [Message] { held.values.sorted { ($0.order, $0.id) < ($1.order, $1.id) } }

    /// The messages in ``all`` with an order from `first` to `last`.
    func messages(from first: UInt64, through last: UInt64) -> Slice<ChunkedArray<Message>> {
        let end = all.lowerBound { $0.order <= last }
        return all[min(all.lowerBound { $0.order < first }, end)..<end]
    }

    /// Whether the person has yet to see this message.
    func isUnread(_ message: Message) -> Bool { message.direction == .received && message.order > seen }

    /// When this log is to be looked at, because messages go.
    var wakesAt: Timestamp? { [nextExpiry, gapExpiry].compactMap(\.self).min() }

    // MARK: - Changes

    /// Adds a message at the end. The caller has made sure that the id is new.
    mutating func append(_ message: Message) {
        var message = message
        message.order = nextOrder
        insert(message)
    }

    /// Changes a message in place; false if there is none with this id in memory.
    @discardableResult mutating func update(_ id: MessageID, _ change: (inout Message) -> Void) -> Bool {
        if let position = position(of: id) {
            let (isPending, bytes) = (all[position].status == .pending, all[position].savedBytes)
            change(&all[position])
            savedBytes += all[position].savedBytes - bytes
            pendingCount += (all[position].status == .pending ? 1 : 0) - (isPending ? 1 : 0)
            return true
        }
        guard let before = held[id] else { return false }
        var message = before
        change(&message)
        held[id] = message
        gapBytes += message.savedBytes - before.savedBytes
        pendingCount += (message.status == .pending ? 1 : 0) - (before.status == .pending ? 1 : 0)
        return true
    }

    /// Takes one message out; `nil` if there is none with this id in memory.
    mutating func remove(_ id: MessageID) -> Message? {
        if let position = position(of: id) {
            let removed = all.remove(at: position)
            forget([removed])
            return removed
        }
        return held[id].map { removeHeld([$0])[0] }
    }

    /// Takes the oldest `count` messages of ``all`` out and returns them, without a look at the others.
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
        lookForExpiry(after: removed)
    }

    private mutating func lookForExpiry(after removed: [Message]) {
        if removed.contains(where: { $0.expiresAt != nil && $0.expiresAt == nextExpiry }) {
            nextExpiry = inMemory.lazy.compactMap(\.expiresAt).min()
        }
    }

    /// Takes messages out of the gaps in which they lie.
    @discardableResult private mutating func removeHeld(_ removed: [Message]) -> [Message] {
        for message in removed {
            held[message.id] = nil
            pendingCount -= message.status == .pending ? 1 : 0
            gapBytes -= message.savedBytes
            takeFromGap(message.order, isUnread: isUnread(message))
        }
        if !removed.isEmpty { lookForExpiry(after: removed) }
        return removed
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

    /// Takes every message out, in memory or not, and returns those that were in memory.
    mutating func removeAll() -> [Message] {
        let removed = Array(inMemory)
        let seen = seen
        self = MessageLog([], nextOrder: nextOrder)
        self.seen = seen
        return removed
    }

    /// Takes the messages in memory out whose time has come. They mostly go in the order in which they came.
    mutating func removeExpired(at now: Timestamp) -> [Message] {
        let isExpired = { (message: Message) in message.expiresAt.map { $0 <= now } ?? false }
        let isDue = { (time: Timestamp?) in time.map { $0 <= now } ?? false }
        guard isDue(nextExpiry) else { return [] }
        var gone = removeHeld(heldInOrder.filter(isExpired)) + removeFirst(all.prefix(while: isExpired).count)
        if isDue(nextExpiry) {
            let others = all.removeAll(where: isExpired)
            forget(others)
            gone += others
        }
        return gone
    }

    private mutating func insert(_ message: Message) {
        orders[message.id] = message.order
        all.append(message)
        nextOrder = max(nextOrder, message.order &+ 1)
        savedBytes += message.savedBytes
        enter(message)
    }

    private mutating func enter(_ message: Message) {
        if message.status == .pending { pendingCount += 1 }
        if let expiry = message.expiresAt { nextExpiry = min(nextExpiry ?? expiry, expiry) }
    }
}

// What is in memory, and what is not.

extension MessageLog {
    /// Numbers the next message so, or higher.
    mutating func number(from order: UInt64) { nextOrder = max(nextOrder, min(order, Self.orderLimit)) }

    /// Takes a message that lies in a gap into memory, without showing it; false if it is known, or in no gap.
    @discardableResult mutating func hold(_ message: Message) -> Bool {
        guard !contains(message.id), gaps.contains(where: { $0.contains(message.order) }) else { return false }
        held[message.id] = message
        enter(message)
        return true
    }

    /// Lets messages in gaps go from memory for which nothing waits any more.
    mutating func release() {
        let free = held.values.filter { !$0.isHeld }
        for message in free { held[message.id] = nil }
        lookForExpiry(after: free)
    }

    /// Puts messages that lay in a gap where they belong. The gaps have been mended already.
    mutating func show(_ messages: [Message]) {
        var shown: [Message] = []
        for message in messages where orders[message.id] == nil {
            // What is in memory is newer than what was on the disk.
            let known = held.removeValue(forKey: message.id)
            let message = known ?? message
            gapBytes -= message.savedBytes
            savedBytes += message.savedBytes
            orders[message.id] = message.order
            if known == nil { enter(message) }
            shown.append(message)
        }
        guard let first = shown.first, !shown.isEmpty else { return }
        let place = all.lowerBound { ($0.order, $0.id) < (first.order, first.id) }
        all.insert(contentsOf: shown, at: place)
    }

    /// Lets messages of ``all`` go from memory; those for which something waits stay, but are not shown.
    mutating func unload(_ places: Range<Int>) {
        guard !places.isEmpty else { return }
        let gone = Array(all[places])
        let before = places.upperBound < all.count ? all[places.upperBound].order : nextOrder
        let after = places.lowerBound > 0 ? all[places.lowerBound - 1].order : 0
        all.removeSubrange(places)
        for message in gone {
            orders[message.id] = nil
            savedBytes -= message.savedBytes
            gapBytes += message.savedBytes
            if message.isHeld { held[message.id] = message }
            if let expiry = message.expiresAt, !message.isHeld { gapExpiry = min(gapExpiry ?? expiry, expiry) }
        }
        widenGap(HistoryGap(after: after, before: before, count: gone.count, unread: gone.count(where: isUnread)))
        lookForExpiry(after: gone)
    }
}

extension MessageLog: Hashable {
    package static func == (left: MessageLog, right: MessageLog) -> Bool {
        left.nextOrder == right.nextOrder && left.all == right.all && left.gaps == right.gaps && left.held == right.held
            && left.gapBytes == right.gapBytes && left.gapExpiry == right.gapExpiry
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(nextOrder)
        hasher.combine(all.count)
    }
}

extension MessageLog: Codable {
    private enum Key: CodingKey { case all, nextOrder, gaps, held, gapBytes, gapExpiry }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(try container.decode([Message].self, forKey: .all))
        nextOrder = max(nextOrder, min(try container.decode(UInt64.self, forKey: .nextOrder), Self.orderLimit))
        gaps = try container.decodeIfPresent([HistoryGap].self, forKey: .gaps) ?? []
        gapBytes = try container.decodeIfPresent(Int.self, forKey: .gapBytes) ?? 0
        gapExpiry = try container.decodeIfPresent(Timestamp.self, forKey: .gapExpiry)
        for message in try container.decodeIfPresent([Message].self, forKey: .held) ?? [] { hold(message) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(all, forKey: .all)
        try container.encode(nextOrder, forKey: .nextOrder)
        if !gaps.isEmpty { try container.encode(gaps, forKey: .gaps) }
        if !held.isEmpty { try container.encode(heldInOrder, forKey: .held) }
        if gapBytes != 0 { try container.encode(gapBytes, forKey: .gapBytes) }
        try container.encodeIfPresent(gapExpiry, forKey: .gapExpiry)
    }
}
