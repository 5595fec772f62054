import Sealing

/// The keys of opened messages, until their owner has stored these.
struct UnstoredKeys: Sendable {
    /// By the number of the message. There are several if a sender that lost its state sealed it again.
    private var uses: [UInt64: Set<KeyUse>] = [:]

    init() {}

    mutating func note(_ use: KeyUse) { uses[use.sequence, default: []].insert(use) }

    /// Messages up to this number are stored.
    /// - Returns: the keys that their owner has marked, and the other keys of messages that were sealed several times.
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
