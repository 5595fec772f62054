/// A file that was offered, kept until both sides know how it ended.
package struct StoredFile: Sendable, Equatable, Codable {
    package enum Direction: String, Sendable, Codable {
        case outgoing, incoming
    }

    package var id: MessageID
    package var direction: Direction
    package var offer: OfferedFile
    /// The path from which bytes are read, or to which they are written.
    package var path: String
    /// Whether the receiver wants the bytes.
    package var isAccepted: Bool
    /// Nil while it is open.
    package var end: FileEnd?
    /// The state of this machine's file when it was read, so that it is not read again at each start; nil for incoming
    /// files.
    package var stamp: FileStamp?
    /// Whether this side lets it rest; nil if it never did.
    package var isPaused: Bool?

    package init(id: MessageID, direction: Direction, offer: OfferedFile, path: String, isAccepted: Bool) {
        self.id = id
        self.direction = direction
        self.offer = offer
        self.path = path
        self.isAccepted = isAccepted
    }

    /// A file that was cancelled before it was offered; kept until its message, now empty, is delivered.
    static func neverOffered(_ id: MessageID) -> StoredFile {
        let nothing = OfferedFile(name: "", bytes: 0, sha256: [])
        var file = StoredFile(id: id, direction: .outgoing, offer: nothing, path: "", isAccepted: false)
        file.end = FileEnd(outcome: .cancelled, isOurs: true)
        return file
    }

    var isNeverOffered: Bool { offer.sha256.isEmpty }

    /// The content of its message if it has ended. The other side is not told about a file that was never offered.
    var contentAfterEnd: MessageContent? {
        guard end != nil else { return nil }
        return isNeverOffered ? .withdrawn : .file(offer)
    }

    /// Whether there is something to send or do for it on a new connection.
    var isUnsettled: Bool { end != nil && !isNeverOffered || end == nil && direction == .incoming && isAccepted }
}

/// How a file ended, and which side decided that.
package struct FileEnd: Sendable, Equatable, Codable {
    package enum Outcome: Sendable, Equatable, Codable {
        /// All bytes arrived, and are those that were offered; with the path on the receiving side.
        case arrived(path: String?)
        /// All bytes arrived, but are not those that were offered.
        case damaged
        case declined
        case cancelled
    }

    package var outcome: Outcome
    /// Whether this side decided it, and has to tell the other side until that confirms.
    package var isOurs: Bool

    package init(outcome: Outcome, isOurs: Bool) {
        self.outcome = outcome
        self.isOurs = isOurs
    }
}

extension FileEnd.Outcome {
    /// Whether received bytes are deleted.
    var hasFailed: Bool {
        switch self {
        case .arrived: false
        case .damaged, .declined, .cancelled: true
        }
    }

    /// The signal for the other side.
    func signal(_ id: MessageID) -> Envelope.Signal {
        switch self {
        case .arrived: .fileChecked(id, intact: true)
        case .damaged: .fileChecked(id, intact: false)
        case .declined: .fileAnswer(id, offset: nil)
        case .cancelled: .fileCancelled(id)
        }
    }

    /// How the owner is told.
    func report(_ id: MessageID, room: String) -> RoomReport {
        switch self {
        case .arrived(let path): .fileFinished(room: room, message: id, path: path)
        case .damaged: .fileFailed(room: room, message: id, RoomsFailure(.fileCorrupt))
        case .declined: .fileFailed(room: room, message: id, RoomsFailure(.fileDeclined))
        case .cancelled: .fileFailed(room: room, message: id, RoomsFailure(.fileCancelled))
        }
    }
}
