import AppCore
import DataChannels
import Rooms
import TrustedData

/// What the rooms wing reports, in the core's words.
extension AppHost {
    func handle(_ report: RoomReport) async {
        if case .received(let room, let message) = report {
            opened.note(message.use, room: RoomID(room), sequence: message.sequence)
        }
        if report.isAboutNotes { return await sharing.take(report) }
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
        case .watching(let room, let on):
            return held.watches[RoomID(room)].map { .roomWatching(effect: $0, on: on) }
        case .accepted(let room, let serverRoom):
            return held.watches.removeValue(forKey: RoomID(room)).map {
                .roomAccepted(effect: $0, serverRoom: ServerRoomID(serverRoom))
            }
        case .watchEnded(let room):
            return held.watches.removeValue(forKey: RoomID(room)).map {
                .effectFailed(effect: $0, failure: Failure(.codeExpired))
            }
        case .link(let room, let state, let path): return link(RoomID(room), state, path)
        case .linkFailed(let room, let failure):
            return held.links.removeValue(forKey: RoomID(room)).map {
                .effectFailed(effect: $0, failure: Failure(failure))
            }
        case .trust(let room, let trust, let safetyNumber):
            return held.links[RoomID(room)].map {
                .verificationChanged(effect: $0, outcome: Verification(trust), safetyNumber: safetyNumber)
            }
        case .remembered(let room): return held.links[RoomID(room)].map { .peerRemembered(effect: $0) }
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
        case .fileFinished(let room, let message, let path):
            return .fileFinished(room: RoomID(room), message: AppCore.MessageID(message.description), path: path)
        case .fileFailed(let room, let message, let failure):
            return .fileFailed(
                room: RoomID(room), message: AppCore.MessageID(message.description), failure: Failure(failure))
        case .fileSettled, .noteChannel, .noteOffered, .noteStopped, .noteStateVectorWanted, .noteStateVector,
            .noteUpdate:
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

    /// Tells the core how many keys the members of the circle have, before anybody is connected.
    func reportKeysOfMembers() async {
        for room in read({ $0.rooms.filter(\.isMember).map(\.id) }) {
            guard let state = try? await rooms.sealingState(room.text), let event = keys(of: room, state) else {
                continue
            }
            dispatch(.event(event))
        }
    }

    private func link(_ room: RoomID, _ state: Rooms.LinkState, _ path: Statistics.Path?) -> Event? {
        // Why a link is closed is said by what follows, or known to whoever closed it.
        guard let id = held.links[room], state != .closed else { return nil }
        return .linkChanged(
            effect: id,
            link: AppCore.LinkState(state),
            path: path.map(LinkPath.init)
        )
    }
}
