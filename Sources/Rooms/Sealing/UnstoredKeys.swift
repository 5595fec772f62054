import TrustedData

/// The keys that opened what was handed on, until its owner has stored it.
struct UnstoredKeys: Sendable {
    private var uses: [UInt64: KeyUse] = [:]
    /// Keys of copies: the same message, sealed anew by a sender that had begun again.
    private var copies: [(sequence: UInt64, use: KeyUse)] = []

    init() {}

    mutating func note(_ use: KeyUse) {
        if let before = uses.updateValue(use, forKey: use.sequence), before != use {
            copies.append((use.sequence, before))
        }
    }

    /// Messages up to this number are stored.
    /// - Returns: the keys that their owner has marked, and those of copies, which nobody has marked yet.
    mutating func take(upTo sequence: UInt64) -> (marked: [KeyUse], copies: [KeyUse]) {
        let taken = copies.filter { $0.sequence <= sequence }.map(\.use)
        copies.removeAll { $0.sequence <= sequence }
        let marked = uses.filter { $0.key <= sequence }
        for key in marked.keys { uses[key] = nil }
        return (Array(marked.values), taken)
    }

    /// This message is not stored by its owner.
    mutating func take(_ sequence: UInt64) -> KeyUse? { uses.removeValue(forKey: sequence) }
}
