package import AppCore
import Foundation
import Rooms
import Sealing
import Storage

/// Carries the core's wishes about trust, keys and meetings to the subsystem.
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
        case .openByHand(let handle): inBackground(id, saying: { try await self.openByHand(id, handle) })
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
        try checkIsWanted(id)
        let sealed = try await rooms.sealByHand(outgoing, in: room.text)
        // Nothing waits for it any more: the message is shown as not sealed, and its file is not made.
        try checkIsWanted(id)
        let path = profile.sealedFolder + "/" + Profile.sealedName(message)
        try FileManager.default.createDirectory(
            atPath: profile.sealedFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try AtomicFile.write(sealed, to: path)
        return .sealedByHand(effect: id, handle: path)
    }

    /// Gives up what is being sealed or opened by hand, because nothing waits for it any more: the core hears that it failed, and
    /// what still comes of it does not count.
    package func giveUpHandCarried() {
        let given = read { state in state.pendingEffects.byID.filter { $0.value.isHandCarried }.keys.sorted() }
        dispatch(given.map { Action.event(.effectFailed(effect: $0, failure: Failure(.timeout))) })
    }

    private func checkIsWanted(_ effect: EffectID) throws {
        guard read({ $0.pendingEffects.byID[effect] != nil }) else { throw CancellationError() }
    }

    private func openByHand(_ id: EffectID, _ handle: String) async throws -> [Event] {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(handle, atMost: Self.handCarriedLimit)
        } catch {
            throw Failure(.fileUnreadable, error.localizedDescription)
        }
        let (room, message): (String, ReceivedMessage)
        switch try await rooms.openByHand(bytes) {
        case .message(let from, let found): (room, message) = (from, found)
        case .revocation(let room):
            // Both in one step, so that one is never visible without the other.
            return [
                .trustRevoked(room: RoomID(room)), .effectFailed(effect: id, failure: Failure(.trustRevoked)),
            ]
        }
        guard let body = Body(message.content) else { throw SealingError(.unreadable, "it says nothing known") }
        let name = AppCore.MessageID(message.id.description)
        opened.note(message.use, byHand: name)
        return [
            .openedByHand(
                effect: id, room: RoomID(room), message: name,
                sentAt: Timestamp(milliseconds: Int64(clamping: message.sentAt)), body: body, seal: Seal(message))
        ]
    }

    /// Bytes of a file that was carried by hand: what the longest text needs, and room to spare.
    private static let handCarriedLimit = 1 << 20
}

extension Effect.Kind {
    /// Whether somebody waits for a file that is carried by hand.
    package var isHandCarried: Bool {
        switch self {
        case .sealByHand, .openByHand, .acknowledgeByHand: true
        default: false
        }
    }
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
