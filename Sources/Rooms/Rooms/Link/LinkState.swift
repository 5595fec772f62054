/// What a link reports while it is wanted. The link keeps itself alive; these are the states a person can notice.
package enum LinkState: String, Sendable, Equatable, Codable {
    /// Reaching the server, or negotiating for the first time.
    case connecting
    /// At the server; the other side is not there.
    case waitingForPeer = "waiting_for_peer"
    /// The peer connection is established; both sides prove that they have the same words.
    case verifying
    case connected
    /// Was connected, and is trying to be again.
    case reconnecting
    case closed
}

/// Why a link gave up. It retries after all other failures.
package enum LinkFailure: String, Error, Sendable, Equatable, Codable {
    /// The server does not know the room (any more).
    case roomGone = "room_gone"
    /// The room is full.
    case roomFull = "room_full"
    /// The server does not accept our proof for the room.
    case forbidden
    /// The other side showed another key than the one this room was made with.
    case peerKeyChanged = "peer_key_changed"
    /// The other side seals with another identity than the one that this room knows.
    case identityChanged = "identity_changed"
    /// Trust was revoked, by either side.
    case trustRevoked = "trust_revoked"
    /// The words did not match; the code is spent.
    case wordsDoNotMatch = "words_do_not_match"
}

/// Which side makes the offer. It is always the creator of the room, so the roles never change.
package enum LinkRole: String, Sendable, Equatable, Codable {
    case initiator
    case responder
}
