/// What a person does with rooms as a whole.
package enum RoomAction: Sendable, Hashable, Codable {
    /// Makes a room; its id and device id come from ``Input/fresh``. `expiresIn` is one of ``RoomLimits/expiryChoices``.
    case createRoom(name: String?, expiresIn: Int64)
    /// Joins by a code of six digits; with the words, if the person has them, the talk is verified.
    case joinRoom(code: String, words: SecretRef?, name: String?)
    /// Tries again what failed when the room was made or joined.
    case retryRoom(room: RoomID)
    /// Shows the room and, once both have it, opens the link.
    case openRoom(room: RoomID)
    /// Shows the list again; the link stays.
    case closeRoom(room: RoomID)
    /// Ends the link on purpose; nothing reconnects until ``openRoom(room:)``.
    case leaveRoom(room: RoomID)
    case renameRoom(room: RoomID, name: String)
    case pinRoom(room: RoomID, pinned: Bool)
    /// Moves a pinned room to the place `to` among the pinned ones, from 0.
    case movePin(room: RoomID, to: Int)
    case deleteRoom(room: RoomID)
    /// Deletes every room in which nothing more can happen.
    case clearClosed

    // The two forms. `nil` leaves a field as it is.

    case editCreate(name: String?, expiresIn: Int64?)
    case editJoin(code: String?, words: SecretRef?, name: String?)
}

/// Bounds that the rooms slice keeps.
package enum RoomLimits {
    /// Seconds for which a code can be valid.
    package static let expiryChoices: [Int64] = [60, 300, 3600, 43_200, 86_400]
    package static let defaultExpiry: Int64 = 300
    package static let rooms = 1000
    /// Messages kept in a room; beyond that the oldest go.
    package static let messages = 20_000
    /// Bytes that the texts and names in a room take when they are saved; beyond that the oldest messages go, so that what one
    /// person sends fills neither the other one's disk nor the time of a start.
    package static let savedBytes = 16 << 20
    /// Bytes of UTF-8 in one message.
    package static let textBytes = 65_536
    /// Bytes of UTF-8 in a composer: what a field holds on every screen. What is too long for a message can be shortened there.
    package static let draftBytes = 131_072
    /// Bytes of UTF-8 in a reaction: one character, which may be made of many.
    package static let reactionBytes = 32
    /// Bytes of UTF-8 of a message that are shown with an answer to it.
    package static let quoteBytes = 256
    /// Earlier texts of a message that was changed; beyond that the oldest go.
    package static let versions = 5
    /// Characters of a room's name.
    package static let nameCharacters = 64
    /// Bytes of a file's name.
    package static let fileNameBytes = 255
    /// Bytes of the path of a file on this machine.
    package static let pathBytes = 4096
    package static let fileBytes: Int64 = 4 << 30
    package static let waveformValues = 120
    /// Pixels of each side of a picture.
    package static let pictureSide = 65_535
    /// Characters of Base64 of a thumbnail: 16 KiB.
    package static let thumbnailCharacters = 21_848
    /// Milliseconds between two polls for the other person's arrival.
    package static let pollInterval: Int64 = 6000
    /// The same while a server still waits for somebody with a code that has run out by this machine's clock.
    package static let pollIntervalPastExpiry: Int64 = 60_000
    /// Milliseconds after which the peer is taken to have stopped typing.
    package static let typingTimeout: Int64 = 8000
    /// Milliseconds after which a person who goes on typing is reported again.
    package static let typingRepeat: Int64 = 4000
    /// Messages in one report to the peer of what was seen.
    package static let receipts = 1000
    /// Undelivered messages in a room.
    package static let pendingMessages = 1000
}
