/// A place where two people talk.
///
/// The encoded form is the durable record; `live`, `messages` and `unreadCount` are not part of it.
package struct Room: Sendable, Hashable, Codable, Identifiable {
    package enum Role: String, Sendable, Hashable, Codable { case creator, joiner }

    package enum Status: String, Sendable, Hashable, Codable {
        /// The server was asked for a room.
        case creating
        /// The server was asked to let this device in with a code.
        case joining
        /// The code may be passed on; the other person has not come yet.
        case pending
        /// Both have the room.
        case accepted
        /// The other person deleted the room, or the server knows it no longer.
        case closed
        /// The code ran out before anybody came.
        case expired
        /// The words differed: the code is burnt.
        case spent
        /// It could not be made or joined; `failure` says why.
        case failed
        /// The trust between the two has ended; ``Room/revokedBy`` says who ended it. The keys are destroyed.
        case revoked

        /// Whether nothing more can happen in the room.
        package var isOver: Bool {
            switch self {
            case .creating, .joining, .pending, .accepted: false
            case .closed, .expired, .spent, .failed, .revoked: true
            }
        }
    }

    package let id: RoomID
    package var name: String
    /// Changes with every meeting, like ``device`` and ``serverRoom``.
    package var role: Role
    package var status: Status
    /// The rendezvous server that knows this room; a later change of the setting does not touch it.
    package let server: String
    package var device: DeviceID
    /// The digits that find the room; without the words.
    package var code: String?
    /// The words that prove it; with the creator they come from the host, with the joiner from the person.
    package var words: SecretRef?
    package var serverRoom: ServerRoomID?
    package let createdAt: Timestamp
    /// Seconds that the code was asked to be valid.
    package var expiresIn: Int64?
    /// When the code runs out, by the server.
    package var expiresAt: Timestamp?
    package var failure: Failure?
    /// Place among the pinned rooms, from 0; `nil` if it is not pinned.
    package var pin: Int?
    /// Whether the link is to be open whenever the app is; false after leaving, until the person opens it again.
    package var wantsLink = false
    /// What both agreed on.
    package var lifetime = Lifetime.keep
    /// Whether this side keeps nothing on its disk, whatever was agreed.
    package var isEphemeral = false
    /// This side's proposal that waits for the peer.
    package var outgoingProposal: LifetimeProposal?
    /// The peer's proposal that waits for this side.
    package var incomingProposal: LifetimeProposal?
    /// The peer's newest proposal, answered or not, so that a repetition of it is not taken for a new one.
    package var newestPeerProposal: MessageID?
    /// When this person said that the other one is in their circle.
    package var trustGiven: Timestamp?
    /// When the other person said it.
    package var trustReceived: Timestamp?
    /// When this person left that unanswered.
    package var trustDeclined: Timestamp?
    /// When the two last found each other without a code.
    package var metAt: Timestamp?
    /// When the link to a member last stood.
    package var lastSeen: Timestamp?
    /// Who the other side is, once its machine has proved it.
    package var identity: PeerIdentity?
    package var revokedBy: Party?
    /// Notes that the two edit together.
    package var sharedNotes = SharedNotes()
    /// False if the server gave no proof that the room is this side's, so that others may act on it.
    package var tickets: Bool?
    /// How many of the oldest messages went because the room was full; `nil` if none did.
    package var forgotten: Int?
    /// The order of the newest message that the person has seen, and with it all before; one number, so that looking at many
    /// messages changes one record. `nil` in records up to version 0.2, where each message says it for itself.
    package var seenUpTo: UInt64? = 0 { didSet { messages.seen = seenUpTo ?? 0 } }
    /// Whether what the other person changes or deletes stays here as it came; `nil` for no.
    package var keepsChanged: Bool?
    /// Whether the desktop tells nothing of what comes; `nil` for no.
    package var isMuted: Bool?

    /// Whether an agent was ever shared with the other person; `nil` for no.
    package internal(set) var sharesAgents: Bool?

    package internal(set) var live = Live()
    package internal(set) var messages = MessageLog()
    /// How many received messages the person has not seen. It follows from ``messages`` and ``seenUpTo``.
    package internal(set) var unreadCount = 0

    private enum CodingKeys: CodingKey {
        case id, name, role, status, server, device, code, words, serverRoom, createdAt, expiresIn, expiresAt, failure,
            pin, wantsLink, lifetime, isEphemeral, outgoingProposal, incomingProposal, newestPeerProposal, trustGiven,
            trustReceived, trustDeclined, metAt, lastSeen, identity, revokedBy, sharedNotes, tickets, forgotten,
            seenUpTo, keepsChanged, isMuted, sharesAgents
    }
}

extension Room {
    /// The name to show.
    package var title: String {
        if !name.isEmpty { return name }
        return code.map { "Room \($0)" } ?? "New room"
    }

    /// Whether messages stay off the disk and go when the room is left.
    package var keepsNothing: Bool { isEphemeral || lifetime == .ephemeral }

    /// The last thing that happened, for sorting.
    package var lastActivity: Timestamp { messages.last?.at ?? createdAt }

    /// What the host needs to find the room again.
    package var address: RoomAddress {
        // A code finds the first place only; after that there are meetings.
        RoomAddress(
            room: id, role: role, server: server, device: device, code: hasMet ? nil : code, serverRoom: serverRoom)
    }

    /// Whether a message that is written now can be on its way at once.
    package var isTalking: Bool {
        live.link == .connected && (live.verification == .verified || live.verification == .unverified)
    }
}

/// The part of a room that ends with the process.
package struct Live: Sendable, Hashable, Codable {
    package var link = LinkState.closed
    package var path: LinkPath?
    /// The ``Effect/Kind/openLink(address:words:iceServers:)`` that holds the link.
    package var linkEffect: EffectID?
    package var verification = Verification.none
    /// 60 digits in 12 groups, the same on both machines.
    package var safetyNumber: String?
    /// What the person found when comparing the safety number by other means.
    package var comparison: Bool?
    /// The long-lived watch for the other person's arrival.
    package var watchEffect: EffectID?
    package var isWatched = false
    /// The poll that is under way.
    package var checkEffect: EffectID?
    package var nextCheck: Timestamp?
    package var peerTypesUntil: Timestamp?
    /// When this side last told the peer that its person types; `nil` when it does not.
    package var toldTypingAt: Timestamp?
    /// The views in which the person types.
    package var typingViews: [ViewID] = []
    /// The order from which on the peer does not know yet what the person has seen; `nil` if it knows all.
    package var unreportedFrom: UInt64?
    /// When a link that failed is tried again.
    package var reopenAt: Timestamp?
    /// Why the last link failed.
    package var linkFailure: Failure?
    /// The link over which the peer has shown its identity, since it stands.
    package var introducedOver: EffectID?
    /// The agents that the other person was told of over this link.
    package internal(set) var offered: [AgentOffer]?
    /// The search for a member that is under way.
    package var meetEffect: EffectID?
    /// When a link to a member who is not there is given up for another search.
    package var giveUpAt: Timestamp?
    /// The one-time keys that are left, as the host last said.
    package var keys: KeyState?
    /// The renewal of the keys that is under way.
    package var renewEffect: EffectID?
    /// Sealed messages that could not be opened.
    package var refusals = Refusals()
    /// Shared notes, as far as the link has them.
    package var shares = NoteShares()
}

package enum LinkState: String, Sendable, Hashable, Codable, CaseIterable {
    case closed
    /// Reaching the rendezvous server, or the peer.
    case connecting
    /// In the room; the other side is not there.
    case waitingForPeer = "waiting_for_peer"
    /// The words are being checked; nothing has been said yet.
    case verifying
    case connected
    /// Was connected; the host is mending it.
    case reconnecting
}

package enum LinkPath: String, Sendable, Hashable, Codable, CaseIterable {
    /// Straight from machine to machine.
    case direct
    /// Through the address a router shows to the outside.
    case reflexive
    /// Through a TURN server, which sees only ciphertext.
    case relayed
}

package enum Verification: String, Sendable, Hashable, Codable, CaseIterable {
    /// Not known yet.
    case none
    /// Joined without words, or the peer did: compare the safety number.
    case unverified
    /// Both sides know the words.
    case verified
    /// The words differ. The room is over.
    case failed
}

/// Where a room is, for the host, which talks to the server and the peer.
package struct RoomAddress: Sendable, Hashable, Codable {
    package var room: RoomID
    package var role: Room.Role
    package var server: String
    package var device: DeviceID
    package var code: String?
    package var serverRoom: ServerRoomID?

    package init(
        room: RoomID, role: Room.Role, server: String, device: DeviceID, code: String? = nil,
        serverRoom: ServerRoomID? = nil
    ) {
        self.room = room
        self.role = role
        self.server = server
        self.device = device
        self.code = code
        self.serverRoom = serverRoom
    }
}

/// A STUN or TURN server.
package struct IceServer: Sendable, Hashable, Codable {
    /// `stun:`, `turn:` or `turns:` URLs (RFC 7064, RFC 7065).
    package var urls: [String]
    package var username: String?
    package var credential: SecretRef?

    package init(urls: [String], username: String? = nil, credential: SecretRef? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }
}
