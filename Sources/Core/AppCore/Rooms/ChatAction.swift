/// What a person does inside a room. New messages take their id from ``Input/fresh``.
package enum ChatAction: Sendable, Hashable, Codable {
    /// What stands in the composer; tells the peer that the person types.
    case setDraft(room: RoomID, text: String)
    /// Takes over what is written in the composers of other views.
    case takeDraft(room: RoomID)
    /// A program that works for the person leaves a text behind what waits in the room, for the person to send or not. The other side learns
    /// nothing of it. `author` is what the person calls the program.
    case leaveDraft(room: RoomID, text: String, author: String)
    case setTyping(room: RoomID, on: Bool)
    case sendText(room: RoomID, text: String)
    case sendFile(room: RoomID, name: String, bytes: Int64, handle: String, media: Media?)
    /// Has the view record a voice message in the conversation that it shows.
    case recordVoice(room: RoomID)
    /// Sends what the view has recorded.
    case sendVoice(room: RoomID)
    /// Throws it away.
    case cancelVoice(room: RoomID)
    /// Sends a place as the person wrote or pasted it: see ``Location/init(written:)``.
    case sharePlace(room: RoomID, text: String)
    case sendLocation(room: RoomID, latitude: Double, longitude: Double, accuracy: Double?)
    /// Answers a message.
    case reply(room: RoomID, message: MessageID, text: String)
    /// Reacts to a message with one emoji, instead of the one before; without one, takes it back.
    case react(room: RoomID, message: MessageID, emoji: String?)
    /// Gives a sent message another text, here and, if the other side agrees, there.
    case editMessage(room: RoomID, message: MessageID, text: String)
    /// Deletes a message here; a sent one also on the other side, if it agrees.
    case deleteMessage(room: RoomID, message: MessageID)
    /// Whether what the other person changes or deletes stays here as it came.
    case keepChanged(room: RoomID, on: Bool)
    /// Sends a failed message again.
    case retryMessage(room: RoomID, message: MessageID)
    case acceptFile(room: RoomID, message: MessageID)
    case declineFile(room: RoomID, message: MessageID)
    case cancelFile(room: RoomID, message: MessageID)
    /// Lets the bytes of a file rest, in either direction, until they are resumed. What has come stays.
    case pauseFile(room: RoomID, message: MessageID)
    case resumeFile(room: RoomID, message: MessageID)
    /// Has the system show a file that is here: one that came, or that was sent from here.
    case openFile(room: RoomID, message: MessageID)
    /// Brings messages into memory that stand before this one.
    case loadEarlier(room: RoomID, message: MessageID)
    /// Brings messages into memory that stand behind this one.
    case loadLater(room: RoomID, message: MessageID)
    /// Brings a message into memory, with those around it.
    case findMessage(room: RoomID, message: MessageID)
    /// Keeps a copy of a received file in a folder, or as a new file: a path from the root.
    case saveFile(room: RoomID, message: MessageID, to: String)
    /// What the person found when comparing the safety number with the peer's.
    case compareSafetyNumber(room: RoomID, matches: Bool)
    case proposeLifetime(room: RoomID, lifetime: Lifetime)
    case answerLifetime(room: RoomID, accept: Bool)
    /// Keeps nothing of this room on this disk, from now on.
    case setEphemeral(room: RoomID, on: Bool)
}
