import AppCore
import Sealing

/// The one-time keys that opened messages which are not on disk yet.
///
/// The core says by an effect that it stores a message. The keys of that message are marked as used in the transaction that
/// saves the records of the same step, so a message is either not stored and can be opened again, or stored and never again.
struct OpenedKeys {
    private var byNumber: [RoomID: [UInt64: KeyUse]] = [:]
    private var byHand: [MessageID: KeyUse] = [:]

    mutating func note(_ use: KeyUse, room: RoomID, sequence: UInt64) { byNumber[room, default: [:]][sequence] = use }

    mutating func note(_ use: KeyUse, byHand message: MessageID) { byHand[message] = use }

    /// The keys of the messages that these effects acknowledge.
    mutating func spent(by effects: [Effect]) -> [KeyUse] {
        effects.flatMap { effect -> [KeyUse] in
            switch effect.kind {
            case .acknowledge(let room, let sequence):
                guard let waiting = byNumber[room] else { return [] }
                byNumber[room] = waiting.filter { $0.key > sequence }
                return waiting.filter { $0.key <= sequence }.map(\.value)
            case .acknowledgeByHand(_, let message): return byHand[message].map { [$0] } ?? []
            default: return []
            }
        }
    }

    /// The key of a message that was carried by hand and is stored now.
    mutating func acknowledged(byHand message: MessageID) -> KeyUse? { byHand.removeValue(forKey: message) }
}

/// What the messages that a step stores leave behind at the subsystem: keys that are used now, and numbers that have arrived. Both
/// are saved with the records, so that a message which is stored is never asked for again.
struct Received {
    var keys: [KeyUse] = []
    /// The last number of each room.
    var numbers: [RoomID: UInt64] = [:]

    init() {}

    init(_ keys: [KeyUse], _ effects: [Effect]) {
        self.keys = keys
        for case .acknowledge(let room, let sequence) in effects.lazy.map(\.kind) {
            numbers[room] = max(numbers[room] ?? 0, sequence)
        }
    }

    var isEmpty: Bool { keys.isEmpty && numbers.isEmpty }
}
