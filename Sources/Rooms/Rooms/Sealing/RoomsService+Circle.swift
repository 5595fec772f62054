import DataChannels
package import Sealing

/// Trust and keys: renewed, ended, and messages that are carried by hand.
extension RoomsService {
    /// Makes a new epoch of keys here and asks the other side to do the same, now or when the link is back. Later
    /// messages are safe from someone who copied the keys before.
    /// - Throws: ``SealingError`` with `noKeysYet` or `revoked`.
    package func renewKeys(_ room: String) async throws { try await conversation(room).renewKeys() }

    /// Revokes trust in the other side of a room. Before anything else, identity and keys are destroyed and a tombstone
    /// is left (`SealingDirectory.tombstones()`); then the other side is told if the link stands, the link is closed,
    /// and everything else about the room is dropped, here and at the server. Repeating it continues where it stopped.
    /// Without a link, ``revocationNotice(_:)`` can be carried by hand.
    /// - Throws: ``SealingError`` if the disk fails; then nothing has changed. ``RoomsFailure`` if the server does not
    ///   answer; then only that step is left.
    package func revoke(_ address: RoomAddress) async throws {
        let notice: [UInt8]?
        do {
            notice = try await conversation(address.room).revoke()
        } catch let error as SealingError where error.code == .revoked {
            // It was done before, but perhaps the other side was not told.
            notice = try revocationNotice(address.room)
        }
        if let notice { await end(address.room, .revoking(notice: notice)) }
        try await delete([address])
    }

    /// The signed notice that this side has revoked trust, for ``openByHand(_:)`` on the other side.
    /// - Returns: nil if this side did not, or if the other side never introduced itself.
    /// - Throws: ``SealingError`` with `storageFailed`.
    package func revocationNotice(_ room: String) throws -> [UInt8]? {
        try SealingDirectory(store: sealingStore).tombstones().first { tombstone in
            tombstone.pairing == room && !tombstone.isByPeer && tombstone.peerFingerprint != nil
        }?.notice
    }

    /// Seals a message into a file to carry by hand. It is not in the outbox, and its arrival is not reported.
    /// - Throws: ``SealingError`` with `noKeysYet`, `revoked` or `tooLarge`; ``RoomsFailure`` for a file.
    package func sealByHand(_ message: OutgoingMessage, in room: String) throws -> [UInt8] {
        guard case .ready(let content) = message.content else {
            throw RoomsFailure(.badRequest, "a file is not carried by hand")
        }
        let number = OfflineSequence.number(for: message.id)
        let envelope = Envelope.message(
            .init(id: message.id, sequence: number, sentAt: message.sentAt, content: content))
        return try conversation(room).session.seal(envelope.bytes, sequence: number)
    }

    /// Opens such a file. Nothing is marked yet: see ``ReceivedMessage/use``. Afterwards call ``eraseKey(_:)``.
    ///
    /// A file may also contain the other side's notice that it revoked trust; then all keys of this room are destroyed.
    /// - Throws: ``SealingError`` with `unreadable`, `unknownKey` (also if it is not for this profile), `forged`, `replayed`,
    ///   `reused` or `revoked`.
    package func openByHand(_ bytes: [UInt8]) async throws -> CarriedContent {
        let directory = SealingDirectory(store: sealingStore)
        if let room = try directory.pairing(forNotice: bytes) {
            guard try await conversation(room).received(control: bytes) == .trustRevoked else {
                throw SealingError(.forged, "the notice is not from the other side of this room")
            }
            closeLink(room)
            return .revocation(room: room)
        }
        let header = try SealingSession.peek(bytes)
        guard let room = try directory.pairing(for: header) else {
            throw SealingError(.unknownKey, "the message is not for this profile")
        }
        let (message, use) = try await opening(byHand: header, in: room) { session throws(SealingError) in
            try session.open(message: bytes)
        }
        guard OfflineSequence.isOne(message.sequence) else {
            throw SealingError(.unreadable, "a message that belongs to a connection is not taken from a file")
        }
        return .message(room: room, ReceivedMessage(message, openedWith: use))
    }

    /// Opens a file that was carried by hand.
    func opening<Opened>(
        byHand header: SealedHeader, in room: String, _ open: (SealingSession) throws(SealingError) -> Opened
    ) async throws -> Opened {
        let conversation = try conversation(room)
        do throws(SealingError) {
            return try open(conversation.session)
        } catch {
            await conversation.refuse(byHand: header, error)
            throw error
        }
    }

    /// Destroys the key of a message that was carried by hand, once it is stored and the key is marked.
    package func eraseKey(_ use: KeyUse) throws { try conversation(use.pairing).session.erase([use]) }
}

/// The content of a file that was carried by hand.
package enum CarriedContent: Sendable {
    case message(room: String, ReceivedMessage)
    /// The other side of this room has revoked trust.
    case revocation(room: String)
}

/// Numbers of messages that are carried by hand. They are far above those of the outbox, and derived from the message's
/// id.
enum OfflineSequence {
    private static let first: UInt64 = 1 << 62

    static func number(for id: MessageID) -> UInt64 {
        id.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & (first - 1) | first
    }

    static func isOne(_ sequence: UInt64) -> Bool { sequence >= first }
}
