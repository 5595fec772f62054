package import Sealing

/// A message that came from the other side, and was opened.
package struct ReceivedMessage: Sendable {
    package var id: MessageID
    /// Its number; ``RoomsService/acknowledge(upTo:in:)`` takes it once the message is stored.
    package var sequence: UInt64
    /// When it was written, by the sender's clock, in milliseconds since 1970.
    package var sentAt: UInt64
    package var content: MessageContent
    /// The key that opened it. Mark it (`SealingTables.mark`) in the transaction that stores the message: then it can be
    /// opened again or is stored, and never both.
    package var use: KeyUse

    /// Whether it was sealed to a key that is used more than once, because there was no other.
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
        /// A file of this machine; what the other side needs to know of it is read when it is sent.
        case file(path: String, name: String, voice: VoiceNote?)
    }

    package init(id: MessageID, sentAt: UInt64, content: Content) {
        self.id = id
        self.sentAt = sentAt
        self.content = content
    }
}
