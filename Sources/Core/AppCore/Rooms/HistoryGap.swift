/// A stretch of a room's messages that are on the disk and not in memory.
package struct HistoryGap: Sendable, Hashable, Codable {
    /// The order of a message before the stretch; 0 if there is none.
    package var after: UInt64
    /// The order of a message behind the stretch, or of the next one that comes.
    package var before: UInt64
    package var count: Int
    /// How many of them the person has not seen.
    package var unread = 0

    func contains(_ order: UInt64) -> Bool { after < order && order < before }
}

extension MessageLog {
    /// The gap directly before a place in ``all``; `nil` if the message before it is there, or if it is the first of all.
    func gap(before place: Int) -> HistoryGap? {
        guard place < all.count else { return gaps.last.flatMap { $0.after >= (all.last?.order ?? 0) ? $0 : nil } }
        let start = place > 0 ? all[place - 1].order : 0
        return gaps.last { $0.before <= all[place].order && $0.after >= start }
    }

    /// The gap directly behind a place in ``all``.
    func gap(behind place: Int) -> HistoryGap? {
        guard place < all.count else { return nil }
        let end = place + 1 < all.count ? all[place + 1].order : nextOrder
        return gaps.first { $0.after >= all[place].order && $0.before <= end }
    }

    /// The messages in memory directly before an order; nothing is missing between them.
    package func page(before order: UInt64) -> [Message] {
        let end = all.lowerBound { $0.order < order }
        guard end > 0, gap(before: end) == nil || end == all.count else { return [] }
        return Array(all[stretch(around: end - 1).lowerBound..<end])
    }

    /// Whether the message directly before this one is not in memory.
    package func isMissing(before message: MessageID) -> Bool {
        position(of: message).map { gap(before: $0) != nil } ?? false
    }

    /// How many messages stand before a place in ``all``, in memory or not.
    func rank(of place: Int) -> Int {
        let order = place < all.count ? all[place].order : nextOrder
        return gaps.reduce(place) { $0 + ($1.before <= order ? $1.count : 0) }
    }

    /// The places in ``all`` around one that nothing is missing between.
    func stretch(around place: Int) -> Range<Int> {
        guard !all.isEmpty else { return 0..<0 }
        let order = place < all.count ? all[place].order : nextOrder
        let start = gaps.last { $0.before <= order }.map { gap in all.lowerBound { $0.order < gap.before } }
        let end = gaps.first { $0.after >= order }.map { gap in all.lowerBound { $0.order <= gap.after } }
        return (start ?? 0)..<max(start ?? 0, end ?? all.count)
    }

    /// Whether a message may be missing in memory that has an order from `first` to `last`.
    func isMissing(from first: UInt64, through last: UInt64) -> Bool {
        gaps.contains { $0.after < last && $0.before > first }
    }

    /// The first message that the person has not seen; `nil` if there is none, or if it is not in memory.
    var firstUnseen: Message? {
        let first = messages(from: seen + 1, through: nextOrder).first { $0.direction == .received }
        return gaps.contains { $0.unread > 0 && $0.after < first?.order ?? .max } ? nil : first
    }

    /// Takes one message off what a gap holds.
    mutating func takeFromGap(_ order: UInt64, isUnread: Bool) {
        guard let index = gaps.firstIndex(where: { $0.contains(order) }) else { return }
        gaps[index].count -= 1
        if isUnread { gaps[index].unread -= 1 }
        if gaps[index].count <= 0 { gaps.remove(at: index) }
    }

    /// Notes that messages have gone from memory: one gap takes the place of those that lie within or next to it.
    mutating func widenGap(_ gap: HistoryGap) {
        var whole = gap
        gaps.removeAll { other in
            guard other.after >= gap.after, other.before <= gap.before else { return false }
            whole.count += other.count
            whole.unread += other.unread
            return true
        }
        let place = gaps.firstIndex { $0.after >= whole.after } ?? gaps.count
        gaps.insert(whole, at: place)
    }

    /// Notes that the person has seen everything up to this order.
    /// - Returns: how much of that was not in memory and had not been seen.
    mutating func seeGaps(through order: UInt64) -> Int {
        var seen = 0
        for index in gaps.indices where gaps[index].before <= order {
            seen += gaps[index].unread
            gaps[index].unread = 0
        }
        return seen
    }

    /// Takes messages into memory that lay in gaps: all that there are with an order from `first` to `last`.
    /// - Parameter earlier: how many there are before the first of them; needed if a gap goes on before and behind them.
    mutating func fill(_ messages: [Message], from first: UInt64, through last: UInt64, earlier: Earlier?) {
        var mended: [HistoryGap] = []
        var pages: [[Message]] = []
        var passed = Earlier(count: 0, unread: 0)
        for gap in gaps {
            defer { passed = Earlier(count: passed.count + gap.count, unread: passed.unread + gap.unread) }
            guard gap.after < last, gap.before > first else {
                mended.append(gap)
                continue
            }
            let page = messages.filter { gap.contains($0.order) }
            pages.append(page)
            let rest = (count: max(gap.count - page.count, 0), unread: max(gap.unread - page.count(where: isUnread), 0))
            let (hasHead, hasTail) = (first > gap.after + 1, last < gap.before - 1)
            var (head, tail) = (gap, gap)
            head.before = first
            tail.after = last
            if hasHead, hasTail, let earlier {
                let shown = all[..<all.lowerBound { $0.order <= gap.after }]
                head.count = min(max(earlier.count - passed.count - shown.count, 0), rest.count)
                let unread = earlier.unread - passed.unread - shown.count(where: isUnread)
                head.unread = min(max(unread, 0), rest.unread, head.count)
            } else {
                (head.count, head.unread) = hasHead ? rest : (0, 0)
            }
            (tail.count, tail.unread) = hasTail ? (rest.count - head.count, rest.unread - head.unread) : (0, 0)
            mended += [head, tail].filter { $0.count > 0 }
        }
        gaps = mended
        for page in pages { show(page) }
    }

    /// What stands before a message.
    struct Earlier {
        var count: Int
        /// How much of it the person has not seen.
        var unread: Int
    }
}

/// What a start of the program has to know of a room's messages to leave most of them on the disk: a record of its own, so that a
/// message costs no change of the room's.
package struct LogSummary: Sendable, Hashable, Codable {
    /// How many there are.
    package var count: Int
    package var bytes: Int
    package var unread: Int
    /// The number of the next one.
    package var next: UInt64
    /// Those with this order and higher belong into memory.
    package var from: UInt64
    /// None goes before this time.
    package var expires: Timestamp?
}

extension MessageLog {
    /// Restores a log of which the disk has more.
    /// - Parameter messages: those from ``LogSummary/from`` on, and those before for which something waits.
    init(_ messages: some Sequence<Message>, of summary: LogSummary, seen: UInt64) {
        let (old, new) = (messages.filter { $0.order < summary.from }, messages.filter { $0.order >= summary.from })
        self.init(new)
        self.seen = seen
        number(from: summary.next)
        let missing = summary.count - all.count
        guard missing > 0 else { return }
        let unread = all.count(where: isUnread)
        gaps = [
            HistoryGap(
                after: 0, before: max(summary.from, 1), count: missing,
                unread: min(max(summary.unread - unread, 0), missing))
        ]
        gapBytes = max(summary.bytes - savedBytes, 0)
        gapExpiry = summary.expires
        for message in old { hold(message) }
    }

    /// - Parameter recent: how many of the newest belong into memory.
    func summary(unread: Int, recent: Int) -> LogSummary {
        let start = max(stretch(around: all.count).lowerBound, all.count - recent)
        return LogSummary(
            count: count, bytes: savedBytes + gapBytes, unread: unread, next: nextOrder,
            from: start < all.count ? all[start].order : nextOrder, expires: wakesAt)
    }
}

extension MessageLog {
    /// Messages have gone from the disk that were there alone.
    mutating func forget(_ orders: [UInt64], bytes: Int, isUnread: (UInt64) -> Bool) {
        gapBytes = max(gapBytes - bytes, 0)
        let gone = Set(orders)
        for message in held.values where gone.contains(message.order) { held[message.id] = nil }
        for order in orders { takeFromGap(order, isUnread: isUnread(order)) }
    }

    /// Only what is in memory is left.
    mutating func closeGaps() {
        let (kept, seen) = (Array(inMemory), seen)
        self = MessageLog(kept, nextOrder: nextOrder)
        self.seen = seen
    }
}
