internal import Wire

/// The connection over which an identity is introduced. Both sides see the same one, mirrored.
public struct ChannelBinding: Hashable, Sendable {
    /// Who made the room and who came to it.
    public enum Role: UInt8, Hashable, Sendable {
        /// Made the room.
        case creator = 0
        /// Joined it with the invitation.
        case joiner = 1

        var other: Role { self == .creator ? .joiner : .creator }
    }

    /// The SHA-256 digest of this side's DTLS certificate, 32 bytes.
    public var localFingerprint: [UInt8]
    /// That of the other side's.
    public var remoteFingerprint: [UInt8]
    /// The room on the server, the same text for both.
    public var room: String
    /// What this side is in it.
    public var role: Role

    /// Both sides name the same connection: each the other's fingerprint as remote.
    public init(localFingerprint: [UInt8], remoteFingerprint: [UInt8], room: String, role: Role) {
        self.localFingerprint = localFingerprint
        self.remoteFingerprint = remoteFingerprint
        self.room = room
        self.role = role
    }

    /// The bytes that the side in the role `speaker` signs with its identity. Every part but the last has a fixed
    /// length.
    func statement(by speaker: Role, identity: IdentityKey) -> [UInt8] {
        let (creator, joiner) =
            role == .creator ? (localFingerprint, remoteFingerprint) : (remoteFingerprint, localFingerprint)
        return [speaker.rawValue] + identity.bytes + creator + joiner + Array(room.utf8)
    }

    var isValid: Bool {
        localFingerprint.count == 32 && remoteFingerprint.count == 32 && localFingerprint != remoteFingerprint
    }
}
