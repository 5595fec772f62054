/// A message that came from the other side.
public struct ReceivedMessage: Sendable {
    public var id: MessageID
    /// Its number; ``RoomsService/acknowledge(upTo:in:)`` takes it once the message is stored.
    public var sequence: UInt64
    /// When it was written, by the sender's clock, in milliseconds since 1970.
    public var sentAt: UInt64
    public var content: MessageContent
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
