import AppCore

/// What the world is going to do, in the order of its time; what is due at the same time keeps its order.
struct Agenda: Sendable {
    struct Item: Sendable {
        let due: Timestamp
        let number: UInt64
        let deed: Deed
    }

    enum Deed: Sendable {
        /// The core hears something; with an effect, it is dropped when that effect is over.
        case tell(Event, about: EffectID?)
        /// An effect that had to wait is looked at.
        case carryOut(Effect)
        /// The other person comes into a room that was made here.
        case arrive(RoomID)
        /// The moment that the core asked for.
        case ring
    }

    private var items: [Item] = []
    private var next: UInt64 = 0

    var isEmpty: Bool { items.isEmpty }
    /// When the next thing happens.
    var nextDue: Timestamp? { items.first?.due }
    var all: [Item] { items }

    mutating func add(_ deed: Deed, at due: Timestamp) {
        let item = Item(due: due, number: next, deed: deed)
        next &+= 1
        // Nearly everything is added at the end or at the front; the list is short.
        let position = items.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
        items.insert(item, at: position)
    }

    /// Takes out the first thing that is due.
    mutating func pop(until now: Timestamp) -> Deed? {
        guard let first = items.first, first.due <= now else { return nil }
        items.removeFirst()
        return first.deed
    }

    mutating func remove(where condition: (Deed) -> Bool) { items.removeAll { condition($0.deed) } }

    mutating func removeAll() { items.removeAll() }
}
