public import Sealing

/// A message that came from the other side, and was opened.
public struct ReceivedMessage: Sendable {
    public var id: MessageID
    /// Its number; ``RoomsService/acknowledge(upTo:in:)`` takes it once the message is stored.
    public var sequence: UInt64
    /// When it was written, by the sender's clock, in milliseconds since 1970.
    public var sentAt: UInt64
    public var content: MessageContent
    /// The key that opened it. Mark it (`SealingTables.mark`) in the transaction that stores the message: then it can be
    /// opened again or is stored, and never both.
    public var use: KeyUse

    /// Whether it was sealed to a key that is used more than once, because there was no other.
    public var isLastResort: Bool { use.index == nil }

    init(_ message: Envelope.Numbered, openedWith use: KeyUse) {
        id = message.id
        sequence = message.sequence
        sentAt = message.sentAt
        content = message.content
        self.use = use
    }
}

/// A message for the other side.
public struct OutgoingMessage: Sendable {
    public var id: MessageID
    /// Milliseconds since 1970.
    public var sentAt: UInt64
    public var content: Content

    public enum Content: Sendable {
        case ready(MessageContent)
        /// A file of this machine; what the other side needs to know of it is read when it is sent.
        case file(path: String, name: String, voice: VoiceNote?)
    }

    public init(id: MessageID, sentAt: UInt64, content: Content) {
        self.id = id
        self.sentAt = sentAt
        self.content = content
    }
}
