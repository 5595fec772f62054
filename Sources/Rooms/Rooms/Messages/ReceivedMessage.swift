package import Sealing

/// An opened message of the other side.
package struct ReceivedMessage: Sendable {
    package var id: MessageID
    /// Its number; ``RoomsService/acknowledge(upTo:in:)`` takes it once the message is stored.
    package var sequence: UInt64
    /// When it was written, by the sender's clock, in milliseconds since 1970.
    package var sentAt: UInt64
    package var content: MessageContent
    /// The key that opened it. Mark it (`SealingTables.mark`) in the transaction that stores the message. Then the
    /// message either can be opened again or is stored, never both.
    package var use: KeyUse

    /// Whether it was sealed to the last-resort key, because no other was left.
    package var isLastResort: Bool { use.index == nil }

    init(_ message: Envelope.Numbered, openedWith use: KeyUse) {
        id = message.id
        sequence = message.sequence
        sentAt = message.sentAt
        content = message.content
        self.use = use
    }
}

/// A message for the other side.
package struct OutgoingMessage: Sendable {
    package var id: MessageID
    /// Milliseconds since 1970.
    package var sentAt: UInt64
    package var content: Content

    package enum Content: Sendable {
        case ready(MessageContent)
        /// A file of this machine. Its name, length and digest are read when it is sent.
        case file(path: String, name: String, voice: VoiceNote?, picture: PictureNote? = nil)
    }

    package init(id: MessageID, sentAt: UInt64, content: Content) {
        self.id = id
        self.sentAt = sentAt
        self.content = content
    }
}
