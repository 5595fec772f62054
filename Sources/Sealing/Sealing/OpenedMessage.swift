/// A message that was opened.
public struct OpenedMessage: Hashable, Sendable {
    /// The content that the sender sealed.
    public let content: [UInt8]
    /// Its header. Every field is authentic now.
    public let header: SealedHeader
    /// Mark it in the transaction that stores the content, and erase it after that.
    public let use: KeyUse

    /// The sender's number of the message.
    public var sequence: UInt64 { header.sequence }
    /// Whether it was sealed to a key that is used more than once: its content is safe only until that epoch ends.
    public var isLastResort: Bool { header.isLastResort }
}

/// One use of a one-time key by its owner: which private key opened a message and must be gone once the message is stored.
public struct KeyUse: Hashable, Sendable {
    /// The pairing that the key belongs to: the id of the room on this machine.
    public var pairing: String
    /// The epoch of the pool.
    public var epoch: UInt32
    /// The key's place in the pool; nil for the last-resort key of the epoch, which stays until the epoch ends.
    public var index: UInt32?
    /// The sender's number of the message. For the last-resort key it replaces the index: each number is opened once.
    public var sequence: UInt64
    /// Identifies the message (``SealedHeader/message``). It shows whether a key is used again for another message.
    public var message: UInt64

    /// Makes a use; see the members.
    public init(pairing: String, epoch: UInt32, index: UInt32?, sequence: UInt64 = 0, message: UInt64 = 0) {
        self.pairing = pairing
        self.epoch = epoch
        self.index = index
        self.sequence = sequence
        self.message = message
    }
}
