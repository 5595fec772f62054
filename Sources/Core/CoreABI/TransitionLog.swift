import AppCore
import CAlcoveCore

/// The newest transitions, numbered from 1. Their number and their size are limited.
struct TransitionLog {
    struct Transition: Encodable {
        let seq: UInt64
        let timestampMs: Int64
        let action: Action
        let effects: [Effect]
    }

    /// The number of the newest transition.
    private(set) var last: UInt64 = 0
    private var oldest: UInt64 = 1
    private var kept: [UInt64: (transition: Transition, size: Int)] = [:]
    private var size = 0

    /// Bytes of JSON that all transitions came from.
    private static let sizeLimit = 16 << 20

    /// - Parameter size: bytes of JSON that the input came from.
    mutating func append(_ input: Input, _ effects: [Effect], size: Int) {
        last += 1
        self.size += size
        let transition = Transition(
            seq: last, timestampMs: input.at.milliseconds, action: input.action, effects: effects)
        kept[last] = (transition, size)
        while kept.count > ALCOVE_CORE_LOG_LIMIT || (self.size > Self.sizeLimit && kept.count > 1) { dropOldest() }
    }

    mutating func forget() {
        kept = [:]
        size = 0
        oldest = last + 1
    }

    /// The newest, oldest first.
    func newest(_ limit: UInt32) -> [Transition] {
        let count = min(UInt64(limit), UInt64(kept.count))
        return ((last + 1 - count)..<(last + 1)).compactMap { kept[$0]?.transition }
    }

    private mutating func dropOldest() {
        size -= kept.removeValue(forKey: oldest)?.size ?? 0
        oldest += 1
    }
}
