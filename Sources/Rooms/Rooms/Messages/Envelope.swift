/// One data channel message between two sides of a room. `docs/protocols/room-messages.md` describes the format.
package enum Envelope: Sendable, Equatable {
    /// The content of a sealed message: numbered, kept in the outbox until it is acknowledged, delivered once and in order.
    case message(Numbered)
    case signal(Signal)

    package struct Numbered: Sendable, Equatable {
        package var id: MessageID
        /// Counts the sender's messages of this room, from 1.
        package var sequence: UInt64
        /// When it was written, by the sender's clock, in milliseconds since 1970.
        package var sentAt: UInt64
        package var content: MessageContent

        package init(id: MessageID, sequence: UInt64, sentAt: UInt64, content: MessageContent) {
            self.id = id
            self.sequence = sequence
            self.sentAt = sentAt
            self.content = content
        }
    }

    /// The bytes of a message under another number; nil if they are no message.
    static func renumbered(_ bytes: [UInt8], _ sequence: UInt64) -> [UInt8]? {
        guard case .message(var message)? = try? Envelope(bytes: bytes) else { return nil }
        message.sequence = sequence
        return Envelope.message(message).bytes
    }

    /// A message that matters only while the link is connected. It is lost with the link, and sent again if it still
    /// matters.
    package enum Signal: Sendable, Equatable {
        /// The first envelope on every connection: all messages up to `received` have arrived; waiting messages begin
        /// with the number `first`. A side with a channel of notes sends `notes`,
        /// one with a channel of agents `agents`.
        case hello(received: UInt64, first: UInt64, notes: Bool = false, agents: Bool = false)
        /// Everything up to this number is stored.
        case receipt(received: UInt64)
        /// The person has seen these.
        case read([MessageID])
        case typing(Bool)
        /// Send the bytes of this file from `offset` on; nil: do not send them.
        case fileAnswer(MessageID, offset: UInt64?)
        case fileChunk(MessageID, offset: UInt64, [UInt8])
        /// The receiver has checked the whole file: it is intact or damaged.
        case fileChecked(MessageID, intact: Bool)
        case fileCancelled(MessageID)
        /// The receiver wants no more bytes until it answers the offer again.
        case filePaused(MessageID)
        /// The end of the file that the other side reported is stored here.
        case fileSettled(MessageID)
        /// A control message of the sender's sealing session: its identity, and which keys it has.
        case sealing([UInt8])
        /// The sender leaves; `forever` if it deletes the room.
        case goodbye(forever: Bool)
        /// A kind that this version does not know.
        case unknown
    }

    /// Limits that the reader enforces, in bytes unless said otherwise.
    package enum Limit {
        package static let envelope = 256 * 1024
        package static let text = 64 * 1024
        package static let fileName = 255
        package static let waveform = 120
        /// A thumbnail of a picture.
        package static let thumbnail = 16 * 1024
        package static let chunk = 64 * 1024
        /// One control message of a sealing session.
        package static let sealing = 64 * 1024
        /// Message ids in one read receipt.
        package static let readIDs = 1000
    }
}
