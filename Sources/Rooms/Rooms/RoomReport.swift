package import DataChannels
package import Sealing

/// A report of the rooms subsystem that is not the answer to a request.
package enum RoomReport: Sendable {
    /// Whether the server will report at once when a guest comes (otherwise it has to be polled).
    ///
    /// This and the next two have the number of the watch that was passed to ``RoomsService/watch(_:number:)``.
    case watching(room: String, number: UInt64, Bool)
    /// Somebody came.
    case accepted(room: String, number: UInt64, serverRoom: String)
    /// No guest came in time, or the code is gone.
    case watchEnded(room: String, number: UInt64)
    /// The state of the link. This and the next three have the number of the link that was passed to
    /// ``RoomsService/openLink(_:number:words:iceServers:)``, because a late report may concern a link that was
    /// replaced.
    case link(room: String, number: UInt64, LinkState, path: Statistics.Path?)
    /// Why the two sides of a room are not connected now, while the link keeps trying. Without a failure the cause is
    /// gone. Later reports of the link say what happened next.
    case trouble(room: String, RoomsFailure?)
    /// The link gave up and reports nothing more.
    case linkFailed(room: String, number: UInt64, LinkFailure)
    case trust(room: String, number: UInt64, RoomTrust, safetyNumber: String?)
    /// Both sides have stored the secret for later verifications, so the words of the room are no longer needed.
    case remembered(room: String, number: UInt64)
    /// The other side has introduced itself, once for each connection: the digest of its identity as 64 hexadecimal
    /// digits, and the safety number of both identities, which stays the same for as long as both keep them.
    case identity(room: String, fingerprint: String, safetyNumber: String)
    /// The number of keys, when it has changed notably.
    case keys(room: String, SealingState)
    /// How many messages were dropped because they could not be opened, or were not sealed.
    case sealRefused(room: String, SealingError.Code, count: Int)
    /// The other side revoked trust: all keys of this room are destroyed, and the link ends.
    case trustRevoked(room: String)
    case received(room: String, ReceivedMessage)
    /// The other side has stored the message.
    case acknowledged(room: String, message: MessageID)
    /// The person at the other side has seen these messages.
    case read(room: String, messages: [MessageID])
    case typing(room: String, Bool)
    /// The other side left; `forever` if it deleted the room.
    case peerLeft(room: String, forever: Bool)
    /// How many bytes of this machine's file have been read, before it is offered.
    case fileRead(room: String, message: MessageID, bytes: UInt64)
    case fileProgress(room: String, message: MessageID, bytes: UInt64)
    /// All bytes arrived and were checked; with the path on the receiving side.
    case fileFinished(room: String, message: MessageID, path: String?)
    case fileFailed(room: String, message: MessageID, RoomsFailure)
    /// Both sides know how a file ended. Once everything that was reported before this is stored, call
    /// ``RoomsService/settleFile(_:in:)``; until then the end of the file is reported again by each process.
    case fileSettled(room: String, message: MessageID)
    /// Whether notes can be shared over the current connection.
    case noteChannel(room: String, NoteChannelState)
    /// The other side shares a note, or changed its title. Its notes stay known while the connection is down.
    case noteOffered(room: String, SharedNote)
    /// The other side no longer shares this note, or has exceeded its limit for one link.
    case noteStopped(room: String, note: String)
    /// Both sides share the note and are connected, or updates were lost: answer with ``NoteContent/stateVector(_:)``.
    case noteStateVectorWanted(room: String, note: String)
    /// The other side's state vector: answer with ``NoteContent/difference(_:)``, even if it is empty. The next one
    /// comes after the answer.
    case noteStateVector(room: String, note: String, bytes: [UInt8])
    /// An update of the other side, to merge. It may come twice, and before the updates that it builds on.
    case noteUpdate(room: String, note: String, bytes: [UInt8])
    /// The other side lacks a picture that a note shows: answer with ``NoteContent/picture(_:id:)``, also if it is not here. The next one
    /// comes after the answer was sent.
    case notePictureWanted(room: String, SharedPicture)
    /// A picture that was asked for; empty if the other side does not have it. Whether the bytes are those that the id names is not checked.
    case notePicture(room: String, SharedPicture, bytes: [UInt8])
    /// Where the other person is in a note, as they say.
    case noteCursor(room: String, NoteCursor)
    /// Whether what agents say can go over the current connection. What was sent before may be lost, also if this is repeated.
    case agentChannel(room: String, isOpen: Bool)
    /// A message of the other side about agents; their owner gives it its meaning.
    case agentMessage(room: String, bytes: [UInt8])
}
