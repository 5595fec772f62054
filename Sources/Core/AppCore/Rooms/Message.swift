/// One line of a conversation.
package struct Message: Sendable, Hashable, Codable, Identifiable {
    package enum Direction: String, Sendable, Hashable, Codable {
        case sent, received
        /// Added by the core itself.
        case note
    }

    package enum Status: String, Sendable, Hashable, Codable {
        /// Sent: not yet acknowledged by the peer. Shown as "waiting" or "sending", depending on the link.
        case pending
        /// Sent: the peer has stored it. Received: it is here; ``Room/seenUpTo`` says whether the person has seen it.
        case delivered
        /// Sent: the peer has seen it. Received, up to version 0.2: this person has.
        case read
        /// Sent: sealed into a file that a person carries. There is no report of its arrival.
        case carried
        /// Sent: given up; `failure` says why.
        case failed
        /// Received up to version 0.2, and not seen then.
        case unread
    }

    package var id: MessageID
    /// Counts up within the room; messages are shown in this order.
    package var order: UInt64
    package var direction: Direction
    package var body: Body
    /// When it was written or arrived, by this machine's clock.
    package var at: Timestamp
    /// When the sender wrote it, by the sender's clock.
    package var sentAt: Timestamp
    package var status: Status
    /// When it goes, by this machine's clock: from the lifetime that was agreed when it was written.
    package var expiresAt: Timestamp?
    /// The delivery that is under way.
    package var effect: EffectID?
    package var failure: Failure?
    /// How far the bytes of a file are.
    package var transfer: Transfer?
    /// Received: which kind of key it was sealed with.
    package var seal: Seal?
    /// Set for a message that is carried by hand instead of sent over the link.
    package var byHand: ByHand?
    /// What a reply answers.
    package var quote: Quote?
    /// At most one of each person; `nil` if there never was one.
    package var reactions: [Reaction]?
    /// The last time that its author changed it.
    package var change: MessageChange?
    /// What it said before its author changed it, the oldest first; at most ``RoomLimits/versions``.
    package var versions: [MessageVersion]?
}

/// A message in a file.
package struct ByHand: Sendable, Hashable, Codable {
    /// Where the host put the sealed file; `nil` while it is being made, and for a message that was received.
    package var handle: String?
}

extension Message {
    /// The effect that gets this message on its way.
    func delivery(in room: RoomID) -> Effect.Kind {
        byHand == nil
            ? .deliver(room: room, message: id, body: body, sentAt: sentAt)
            : .sealByHand(room: room, message: id, body: body, sentAt: sentAt)
    }
}

/// The state of a file's bytes, on either side.
package struct Transfer: Sendable, Hashable, Codable {
    package enum State: String, Sendable, Hashable, Codable {
        /// Waits for the receiver to accept or decline.
        case offered
        case running
        /// This person lets it rest.
        case paused
        case finished
        case declined
        case cancelled
        case failed
    }

    package var state: State
    /// Bytes that have arrived and were checked.
    package var done: Int64 = 0
    /// Bytes of this machine's file that were read before it was offered.
    package var read: Int64?
    /// Where the finished file is; only on the side that received it.
    package var path: String?
    package var failure: Failure?
}
