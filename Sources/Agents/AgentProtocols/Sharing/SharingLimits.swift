/// How much the two sides of a shared agent may ask of each other.
package enum SharingLimits {
    /// Bytes of one message on the channel, without its first byte.
    package static let messageBytes = 32 << 10
    /// Bytes of one frame, in as many messages as that takes.
    package static let frameBytes = 1 << 20
    /// Agents that one person offers another.
    package static let offers = 32
    /// Bytes of the name of an agent.
    package static let nameBytes = 256
    /// Bytes of the id of an agent or a session.
    package static let idBytes = 64
    /// Bytes of a prompt.
    package static let promptBytes = 256 << 10
    /// Pictures of a prompt, the bytes of all of them, and the letters of Base64 in one frame.
    package static let pictures = 8
    package static let pictureBytes = 2 << 20
    package static let picturePieceBytes = 512 << 10
    /// Bytes of a piece of an answer in one event.
    package static let pieceBytes = 32 << 10
    /// Bytes of all texts of one event.
    package static let textBytes = 128 << 10
    /// Bytes of events that are on their way, or were not taken yet.
    package static let window = 1 << 20
    /// Bytes of events that are kept of a session.
    package static let logBytes = 4 << 20
    /// Events that are kept of a session.
    package static let logEvents = 20_000
    /// Sessions that are kept for one person.
    package static let sessions = 32
    /// Frames of a member that cannot be read: so many at once, and one more each second, over all connections. Beyond that nothing of theirs is read.
    package static let unreadable = 100
    /// Answers and other wishes of a session that wait for the connection.
    package static let wishes = 64
}
