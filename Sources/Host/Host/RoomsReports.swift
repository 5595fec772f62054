import AppCore
import DataChannels
import Rooms
import Sealing

/// What the rooms subsystem reports, in the core's words.
extension AppHost {
    func handle(_ report: RoomReport) async {
        if case .received(let room, let message) = report {
            opened.note(message.use, room: RoomID(room), sequence: message.sequence)
        }
        if report.isAboutNotes { return await sharing.take(report) }
        if report.isAboutAgents { return await agentSharing.take(report) }
        if let event = event(for: report) {
            dispatch(.event(event))
            return
        }
        // If one of these fails, it is asked for again.
        switch report {
        // What later versions may say.
        case .received(let room, let message): try? await rooms.pass(over: message.sequence, in: room)
        case .fileSettled(let room, let message): if isSaved { try? await rooms.settleFile(message, in: room) }
        default: break
        }
    }

    private func event(for report: RoomReport) -> Event? {
        switch report {
        case .watching(let room, let number, let on):
            return watch(room, number).map { .roomWatching(effect: $0, on: on) }
        case .accepted(let room, let number, let serverRoom):
            return watch(room, number, ends: true).map {
                .roomAccepted(effect: $0, serverRoom: ServerRoomID(serverRoom))
            }
        case .watchEnded(let room, let number):
            return watch(room, number, ends: true).map {
                .effectFailed(effect: $0, failure: Failure(.codeExpired))
            }
        case .link(let room, let number, let state, let path):
            // Why a link is closed is said by what follows, or known to the code that closed it.
            guard state != .closed else { return nil }
            return link(room, number).map {
                .linkChanged(effect: $0, link: AppCore.LinkState(state), path: path.map(LinkPath.init))
            }
        case .trouble(let room, let failure):
            return .roomTroubled(room: RoomID(room), failure: failure.map { Failure($0) })
        case .linkFailed(let room, let number, let failure):
            return link(room, number, ends: true).map { .effectFailed(effect: $0, failure: Failure(failure)) }
        case .trust(let room, let number, let trust, let safetyNumber):
            return link(room, number).map {
                .verificationChanged(effect: $0, outcome: Verification(trust), safetyNumber: safetyNumber)
            }
        case .remembered(let room, let number): return link(room, number).map { .peerRemembered(effect: $0) }
        case .received(let room, let message):
            guard let body = Body(message.content) else { return nil }
            return .messageReceived(
                room: RoomID(room),
                message: AppCore.MessageID(message.id.description),
                sequence: message.sequence,
                sentAt: Timestamp(milliseconds: Int64(clamping: message.sentAt)),
                body: body,
                seal: Seal(message)
            )
        case .acknowledged(_, let message):
            return held.deliveries.removeValue(forKey: AppCore.MessageID(message.description)).map {
                .acknowledged(effect: $0)
            }
        case .read(let room, let messages):
            return .receipts(room: RoomID(room), messages: messages.map { AppCore.MessageID($0.description) })
        case .typing(let room, let on): return .typingChanged(room: RoomID(room), on: on)
        case .peerLeft(let room, let forever): return .peerLeft(room: RoomID(room), forever: forever)
        case .fileProgress(let room, let message, let bytes):
            return .fileProgress(
                room: RoomID(room), message: AppCore.MessageID(message.description), bytes: Int64(clamping: bytes))
        case .fileRead(let room, let message, let bytes):
            return .fileRead(
                room: RoomID(room), message: AppCore.MessageID(message.description), bytes: Int64(clamping: bytes))
        case .fileFinished(let room, let message, let path):
            return .fileFinished(room: RoomID(room), message: AppCore.MessageID(message.description), path: path)
        case .fileFailed(let room, let message, let failure):
            return .fileFailed(
                room: RoomID(room), message: AppCore.MessageID(message.description), failure: Failure(failure))
        case .fileSettled, .noteChannel, .noteOffered, .noteStopped, .noteStateVectorWanted, .noteStateVector,
            .noteUpdate, .noteCursor, .notePictureWanted, .notePicture, .agentChannel, .agentMessage:
            return nil
        case .identity(let room, let fingerprint, let safetyNumber):
            return .identityKnown(room: RoomID(room), fingerprint: fingerprint, safetyNumber: safetyNumber)
        case .keys(let room, let state): return keys(of: RoomID(room), state)
        case .sealRefused(let room, let code, _):
            // What else goes wrong with keys is asked for again, or ends the link, which says why.
            guard [.unreadable, .forged, .replayed, .reused, .unknownKey].contains(code) else { return nil }
            return .sealedRefused(room: RoomID(room), reason: Failure(code).code)
        case .trustRevoked(let room): return .trustRevoked(room: RoomID(room))
        }
    }

    private func keys(of room: RoomID, _ state: SealingState) -> Event? {
        guard let keys = KeyState(state) else { return nil }
        return .keysChanged(room: room, ours: keys.ours, theirs: keys.theirs, epoch: keys.epoch, level: keys.level)
    }

    /// How many keys members of the circle have, before anybody is connected.
    func keys(of members: [RoomID]) async -> [Event] {
        var events: [Event] = []
        for room in members {
            if let state = try? await rooms.sealingState(room.text), let event = keys(of: room, state) {
                events.append(event)
            }
        }
        return events
    }

    // A link or watch that was replaced may have reports that were not heard yet. They say nothing about the one that took its
    // place, so each report has the number of the effect that asked.

    private func link(_ room: String, _ number: UInt64, ends: Bool = false) -> EffectID? {
        Self.effect(number, in: &held.links, of: RoomID(room), ends: ends)
    }

    private func watch(_ room: String, _ number: UInt64, ends: Bool = false) -> EffectID? {
        Self.effect(number, in: &held.watches, of: RoomID(room), ends: ends)
    }

    private static func effect(
        _ number: UInt64, in held: inout [RoomID: EffectID], of room: RoomID, ends: Bool
    ) -> EffectID? {
        guard let effect = held[room], effect.number == number else { return nil }
        if ends { held[room] = nil }
        return effect
    }
}

extension Record {
    /// The room whose record this is, if it is a member of the circle.
    var member: RoomID? {
        guard case .room(let id) = key, let room = try? JSON.decode(Room.self, from: json.utf8), room.isMember else {
            return nil
        }
        return id
    }
}
