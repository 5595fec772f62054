package import AgentProtocols

/// What a shared agent said in one session, as its owner keeps it for the other person: numbered from 1, bounded, and sent from any number on. A
/// plain value.
///
/// What was taken is kept as long as there is room, because a member whose machine lost power may ask for it again. What was not taken is never
/// dropped: the log is full then, and the agent is held back.
package struct SharedLog: Sendable {
    /// One event with its number.
    package struct Entry: Sendable, Hashable {
        package let sequence: Int
        package let event: SharedEvent
        let cost: Int

        package init(sequence: Int, event: SharedEvent) {
            (self.sequence, self.event) = (sequence, event)
            cost = event.bytes.count + 64
        }
    }

    /// What is kept besides the events.
    package struct Summary: Sendable, Hashable {
        /// The number of the next event.
        package var next = 1
        /// Everything up to here was taken.
        package var taken = 0
        /// The last turn that was begun.
        package var turn = 0
        /// Whether the agent said something since its last end: then nobody has told yet that it is over.
        package var isOpen = false
        /// The supervisor under which the agent runs, and the last of its events that is in the log: after this process began anew, those that are
        /// come again.
        package var supervisor: String?
        package var heard = 0

        package init() {}
    }

    package private(set) var summary = Summary()
    private var entries: [Entry] = []
    private var cost = 0
    /// The last event that went out to whoever follows; nil while nobody does.
    private var sent: Int?
    /// Bytes of what went out and was not taken.
    private var onTheWay = 0

    package init() {}

    /// As it was kept. Events that do not follow each other are left out.
    package init(_ summary: Summary, _ kept: [Entry]) {
        self.summary = summary
        for entry in kept.sorted(by: { $0.sequence < $1.sequence }) {
            if let last = entries.last, entry.sequence != last.sequence + 1 { (entries, cost) = ([], 0) }
            entries.append(entry)
            cost += entry.cost
        }
        if let last = entries.last { self.summary.next = max(summary.next, last.sequence + 1) }
        if let last = entries.last, last.sequence + 1 != self.summary.next { (entries, cost) = ([], 0) }
        self.summary.taken = min(max(summary.taken, 0), self.summary.next - 1)
    }

    /// The number of the oldest event that is kept, or the next one.
    package var first: Int { entries.first?.sequence ?? summary.next }
    package var count: Int { entries.count }

    /// Whether no more should be said before something was taken.
    package var isFull: Bool {
        guard entries.count > SharingLimits.logEvents || cost > SharingLimits.logBytes else { return false }
        return first > summary.taken
    }

    /// Adds events at the end, also to a full log.
    package mutating func append(_ events: [SharedEvent]) -> [Entry] {
        var added: [Entry] = []
        for event in events {
            let entry = Entry(sequence: summary.next, event: event)
            summary.next += 1
            summary.isOpen = event.kind != .ended
            if event.kind == .turnBegan, let turn = event.object.count("turn") {
                summary.turn = max(summary.turn, turn)
            }
            entries.append(entry)
            cost += entry.cost
            added.append(entry)
        }
        makeRoom()
        return added
    }

    /// The oldest that were taken go when there is too much.
    private mutating func makeRoom() {
        var gone = 0
        guard entries.count > SharingLimits.logEvents || cost > SharingLimits.logBytes else { return }
        // Some more than is needed, because the others move up.
        while gone < entries.count, entries[gone].sequence <= summary.taken,
            entries.count - gone > SharingLimits.logEvents / 8 * 7 || cost > SharingLimits.logBytes / 8 * 7
        {
            cost -= entries[gone].cost
            gone += 1
        }
        entries.removeFirst(gone)
    }

    /// The agent runs under a supervisor, whose events are counted from the beginning.
    mutating func supervised(by supervisor: String) {
        if summary.supervisor != supervisor { (summary.supervisor, summary.heard) = (supervisor, 0) }
    }

    /// Everything up to this event of the supervisor's is in the log.
    mutating func reached(_ position: Int) { summary.heard = max(summary.heard, position) }

    /// Somebody goes on after an event. One that was never said here was lost with this machine's power: numbers go on behind it, because no
    /// number may mean two things.
    /// - Returns: what to answer; the events follow.
    package mutating func follow(_ session: String, after: Int) -> SharingFrame.Content {
        if after >= summary.next {
            (entries, cost) = ([], 0)
            summary.next = after + 1
            summary.isOpen = true
        }
        received(through: after)
        (sent, onTheWay) = (max(after, first - 1), 0)
        return .state(session: session, first: first, last: summary.next - 1, turn: summary.turn)
    }

    package mutating func unfollow() { sent = nil }

    /// Everything up to a number was taken. Late and repeated ones change nothing.
    package mutating func received(through sequence: Int) {
        let known = min(sequence, summary.next - 1)
        guard known > summary.taken else { return }
        if let sent, sent > summary.taken, let start = index(of: summary.taken + 1) {
            let end = min(known, sent) - first
            if end >= start { onTheWay -= entries[start...end].reduce(0) { $0 + $1.cost } }
        }
        summary.taken = known
        makeRoom()
    }

    /// The next event to send: as long as somebody follows and takes what was sent.
    package mutating func nextToSend() -> Entry? {
        guard let sent, onTheWay < SharingLimits.window, let index = index(of: sent + 1) else { return nil }
        self.sent = sent + 1
        if sent + 1 > summary.taken { onTheWay += entries[index].cost }
        return entries[index]
    }

    private func index(of sequence: Int) -> Int? {
        let index = sequence - first
        return entries.indices.contains(index) ? index : nil
    }
}
