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
    /// Whether the desktop tells nothing of a room. What comes still counts as unread.
    case muteRoom(room: RoomID, muted: Bool)
    /// Moves a pinned room to the place `to` among the pinned ones, from 0.
    case movePin(room: RoomID, to: Int)
    case deleteRoom(room: RoomID)
    /// Deletes every room in which nothing more can happen.
    case clearClosed

    /// Looks for words in what was said, in one room or in all; without words, ends the search.
    case searchMessages(query: String, room: RoomID?)
    /// Shows the conversation around a message.
    case showMessage(room: RoomID, message: MessageID)

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
    /// Messages of a room in memory, where nothing is kept on the disk or the host has no pages; beyond that the oldest go.
    package static let messages = 20_000
    /// Bytes that the texts and names of these take when they are saved; beyond that the oldest go.
    package static let savedBytes = 16 << 20
    /// Bytes that the texts and names of a room take on the disk; beyond that the oldest messages go, so that what one person sends
    /// does not fill the other one's disk.
    package static let historyBytes = 1 << 30
    /// Bytes of texts and names of a room in which somebody looks back that are in memory.
    package static let loadedBytes = 4 << 20
    /// Messages of such a room in memory: so many times as many as stay there otherwise.
    package static let loadedMessages = 10
    /// Messages that a search finds at most.
    package static let hits = 200
    /// Bytes of what is looked for.
    package static let queryBytes = 1000
    /// Bytes of the text around what was found.
    package static let snippetBytes = 1000
    /// Messages that go from the disk at once.
    package static let forgottenAtOnce = 500
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
    /// Bytes of a place as a person writes or pastes it.
    package static let placeBytes = 2048
    package static let fileBytes: Int64 = 4 << 30
    package static let waveformValues = 120
    /// Milliseconds of a voice message that is recorded here.
    package static let voiceMilliseconds: Int64 = 900_000
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
