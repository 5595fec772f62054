/// What a person does with the people they trust.
package enum CircleAction: Sendable, Hashable, Codable {
    /// Says that the other person of a verified room is in the circle, under `name` if there is one. When both have said
    /// it, the room outlives its code.
    case trustPeer(room: RoomID, name: String?)
    /// Leaves the other person's trust unanswered; ``trustPeer(room:name:)`` stays possible.
    case declineTrust(room: RoomID)
    /// Makes a new pool of one-time keys on both sides, over the link.
    case renewKeys(room: RoomID)
    /// Ends the trust: keys on this device are destroyed, the peer is told, and a tombstone stays. `reason` is for this
    /// person alone.
    case revokeTrust(room: RoomID, reason: String?)
    /// Seals a message into a file that somebody carries to the other machine.
    case sealByHand(room: RoomID, text: String)
    /// Opens such a file; `handle` is where the host finds it.
    case openByHand(handle: String)
}
