import AppCore
import Foundation
import Rooms
import Storage
import TrustedData

/// Carries the core's wishes about trust, keys and meetings to the wing.
extension AppHost {
    func executeCircle(_ effect: Effect) async {
        let id = effect.id
        switch effect.kind {
        case .meet(let address, let limit):
            inBackground(id) {
                let met = try await self.rooms.meet(
                    Rooms.RoomAddress(address), limit: limit.map { .milliseconds($0) })
                return .memberMet(
                    effect: id, role: met.role == .initiator ? .creator : .joiner, device: DeviceID(met.device),
                    serverRoom: ServerRoomID(met.serverRoom))
            }
        case .stopMeeting(let room):
            inBackground(id) {
                await self.rooms.stopMeeting(room.text)
                return .effectDone(effect: id)
            }
        case .renewKeys(let room): await attempt(id, answers: true) { try await self.rooms.renewKeys(room.text) }
        case .revokeTrust(let address, _):
            held.forget([address.room])
            inBackground(id) {
                try await self.rooms.revoke(Rooms.RoomAddress(address))
                return .effectDone(effect: id)
            }
        case .sealByHand(let room, let message, let body, let sentAt):
            inBackground(id) { try await self.sealByHand(id, room, message, body, sentAt) }
        case .openByHand(let handle): inBackground(id) { try await self.openByHand(id, handle) }
        case .acknowledgeByHand(_, let message):
            let use = opened.acknowledged(byHand: message)
            await attempt(id, answers: true) { if let use { try await self.rooms.eraseKey(use) } }
        default: break
        }
    }

    /// The message goes to a file in the profile, for the person to take away.
    private func sealByHand(
        _ id: EffectID, _ room: RoomID, _ message: AppCore.MessageID, _ body: Body, _ sentAt: Timestamp
    ) async throws -> Event {
        let outgoing = OutgoingMessage(
            id: try Rooms.MessageID(message.text), sentAt: UInt64(clamping: sentAt.milliseconds),
            content: try OutgoingMessage.Content(body))
        let sealed = try await rooms.sealByHand(outgoing, in: room.text)
        let path = profile.sealedFolder + "/" + Profile.sealedName(message)
        try FileManager.default.createDirectory(
            atPath: profile.sealedFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try AtomicFile.write(sealed, to: path)
        return .sealedByHand(effect: id, handle: path)
    }

    private func openByHand(_ id: EffectID, _ handle: String) async throws -> Event {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(handle, atMost: Self.handCarriedLimit)
        } catch {
            throw Failure(.fileUnreadable, error.localizedDescription)
        }
        let (room, message) = try await rooms.openByHand(bytes)
        guard let body = Body(message.content) else { throw SealingError(.unreadable, "it says nothing known") }
        let name = AppCore.MessageID(message.id.description)
        opened.note(message.use, byHand: name)
        return .openedByHand(
            effect: id, room: RoomID(room), message: name,
            sentAt: Timestamp(milliseconds: Int64(clamping: message.sentAt)), body: body, seal: Seal(message))
    }

    /// Bytes of a file that was carried by hand: what the longest text needs, and room to spare.
    private static let handCarriedLimit = 1 << 20
}

extension Seal {
    init(_ message: ReceivedMessage) { self = message.isLastResort ? .lastResort : .oneTime }
}

extension KeyState {
    /// Nil as long as the other side has announced no keys.
    init?(_ state: SealingState) {
        let level: Level
        switch state.level {
        case .none: return nil
        case .enough: level = .enough
        case .low: level = .low
        case .lastResort: level = .lastResort
        }
        self.init(
            ours: state.keysToOpen, theirs: state.keysToSeal, epoch: Int(clamping: state.sealingEpoch), level: level)
    }
}
