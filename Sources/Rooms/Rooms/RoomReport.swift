package import DataChannels
package import Sealing

/// What the rooms subsystem reports by itself, beside the answers to requests.
package enum RoomReport: Sendable {
    /// Whether the server will tell us at once when somebody comes (else it has to be asked).
    ///
    /// This and the next two have the number of the watch, as ``RoomsService/watch(_:number:)`` was given it.
    case watching(room: String, number: UInt64, Bool)
    /// Somebody came.
    case accepted(room: String, number: UInt64, serverRoom: String)
    /// Nobody came in time, or the code is gone.
    case watchEnded(room: String, number: UInt64)
    /// How the link stands. This and the next three have the number of the link, as
    /// ``RoomsService/openLink(_:number:words:iceServers:)`` was given it: a report that is heard late may be about a link that
    /// another one has replaced.
    case link(room: String, number: UInt64, LinkState, path: Statistics.Path?)
    /// What keeps the two of a room apart just now, while it is tried again. What the link reports after it says how it went on.
    /// Without a failure nothing does any more.
    case trouble(room: String, RoomsFailure?)
    /// The link gave up; nothing more comes from it.
    case linkFailed(room: String, number: UInt64, LinkFailure)
    case trust(room: String, number: UInt64, RoomTrust, safetyNumber: String?)
    /// Both sides have stored what proves them to each other from now on: the words of the room are not needed any more.
    case remembered(room: String, number: UInt64)
    /// The other side has introduced itself, once a connection: the digest of its identity as 64 hexadecimal digits, and the
    /// safety number of both identities, which stays the same for as long as both keep them.
    case identity(room: String, fingerprint: String, safetyNumber: String)
    /// How many keys there are, when that has changed notably.
    case keys(room: String, SealingState)
    /// So many things came that could not be opened, or were not sealed, and were dropped.
    case sealRefused(room: String, SealingError.Code, count: Int)
    /// The other side has ended the trust: all keys of this room are destroyed. The link ends.
    case trustRevoked(room: String)
    case received(room: String, ReceivedMessage)
    /// The other side has stored the message.
    case acknowledged(room: String, message: MessageID)
    /// The other side has seen these.
    case read(room: String, messages: [MessageID])
    case typing(room: String, Bool)
    /// The other side left; `forever` if it deleted the room.
    case peerLeft(room: String, forever: Bool)
    /// So many bytes of a file of this machine were read, before it is offered.
    case fileRead(room: String, message: MessageID, bytes: UInt64)
    case fileProgress(room: String, message: MessageID, bytes: UInt64)
    /// All bytes arrived and were checked; the path on the side that received them.
    case fileFinished(room: String, message: MessageID, path: String?)
    case fileFailed(room: String, message: MessageID, RoomsFailure)
    /// Both sides know how a file ended. Once everything that was reported before this is stored, call
    /// ``RoomsService/settleFile(_:in:)``; until then the end of the file is reported again by each process.
    case fileSettled(room: String, message: MessageID)
    /// Whether notes can be shared over the connection that stands.
    case noteChannel(room: String, NoteChannelState)
    /// The other side shares a note, or calls it something else now. What it shared stays known while the connection is down.
    case noteOffered(room: String, SharedNote)
    /// The other side does not share this note any more, or has sent more of it than is taken over one link.
    case noteStopped(room: String, note: String)
    /// Both sides share the note and are connected, or something was lost: say what this side has, with
    /// ``NoteContent/stateVector(_:)``.
    case noteStateVectorWanted(room: String, note: String)
    /// What the other side has: say what it lacks, with ``NoteContent/difference(_:)``, also if that is nothing. The next one
    /// comes after the answer.
    case noteStateVector(room: String, note: String, bytes: [UInt8])
    /// What the other side has written, to be joined with what is here. May come twice, and before what it builds on.
    case noteUpdate(room: String, note: String, bytes: [UInt8])
}
