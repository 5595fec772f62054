import AppCore
import TrustedData

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
            case .acknowledgeByHand(_, let message): return byHand.removeValue(forKey: message).map { [$0] } ?? []
            default: return []
            }
        }
    }

    /// What is forgotten here comes again: it was not acknowledged.
    mutating func forget() { self = OpenedKeys() }
}
