import AppCore

/// What became of every effect that the core asked for, so that no effect is lost silently.
struct EffectBooks: Sendable {
    /// Why an effect has no answer yet.
    enum Reason: String, Sendable {
        /// The answer is on the agenda.
        case planned
        /// A watch or a link: it lasts.
        case lasting
        /// It goes out once the network or the other person is there.
        case held
        /// The disk is full, and effects go out only after what changed is on it.
        case disk
        /// A rule said so: it will never be answered.
        case lost
        /// It failed for now, and the core asks again.
        case retried
    }

    private var entries: [EffectID: (kind: Effect.Kind, reason: Reason)] = [:]
    /// Lost ones, in their order.
    private(set) var lost: [Effect] = []

    static let lostLimit = 10_000

    var count: Int { entries.count }
    /// Effects without an answer, oldest first.
    var open: [(effect: Effect, reason: Reason)] {
        entries.sorted { $0.key < $1.key }.map { (Effect(id: $0.key, kind: $0.value.kind), $0.value.reason) }
    }

    subscript(effect: EffectID) -> Effect.Kind? { entries[effect]?.kind }

    mutating func enter(_ effect: Effect, _ reason: Reason) { entries[effect.id] = (effect.kind, reason) }

    /// Changes the reason, if the effect is still open.
    mutating func note(_ effect: EffectID, _ reason: Reason) { entries[effect]?.reason = reason }

    mutating func lose(_ effect: Effect) {
        entries[effect.id]?.reason = .lost
        lost.append(effect)
        if lost.count > Self.lostLimit { lost.removeFirst(lost.count - Self.lostLimit) }
    }

    mutating func close(_ effect: EffectID) { entries[effect] = nil }

    mutating func removeAll() { entries.removeAll() }

    /// Forgets what the core no longer waits for.
    mutating func keep(_ waiting: Set<EffectID>) { entries = entries.filter { waiting.contains($0.key) } }

    /// The effects in `waiting` that have no entry and so will never be answered. Any result is a fault.
    func forgotten(among waiting: [Effect]) -> [Effect] { waiting.filter { entries[$0.id] == nil } }
}
