import Sealing

/// The keys that opened what was handed on, until its owner has stored it.
struct UnstoredKeys: Sendable {
    /// By the number of the message; more than one if a sender that had begun again sealed it anew.
    private var uses: [UInt64: Set<KeyUse>] = [:]

    init() {}

    mutating func note(_ use: KeyUse) { uses[use.sequence, default: []].insert(use) }

    /// Messages up to this number are stored.
    /// - Returns: the keys that their owner has marked, and those of messages that came under several, of which it has
    ///   marked one.
    mutating func take(upTo sequence: UInt64) -> (marked: [KeyUse], copies: [KeyUse]) {
        var result = (marked: [KeyUse](), copies: [KeyUse]())
        for (number, keys) in uses where number <= sequence {
            if keys.count == 1 { result.marked += keys } else { result.copies += keys }
            uses[number] = nil
        }
        return result
    }

    /// This message is not stored by its owner.
    mutating func take(_ sequence: UInt64) -> [KeyUse] { Array(uses.removeValue(forKey: sequence) ?? []) }
}
