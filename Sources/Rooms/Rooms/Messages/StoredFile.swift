/// A file that was offered, kept until both sides know how it ended.
package struct StoredFile: Sendable, Equatable, Codable {
    package enum Direction: String, Sendable, Codable {
        case outgoing, incoming
    }

    package var id: MessageID
    package var direction: Direction
    package var offer: OfferedFile
    /// Where the bytes are read from, or written to while they come.
    package var path: String
    /// Whether the receiver wants the bytes.
    package var isAccepted: Bool
    /// Nil while it is open.
    package var end: FileEnd?
    /// The file of this machine as it was when it was read, so that it is not read again at each start; nil of one that comes.
    package var stamp: FileStamp?

    package init(id: MessageID, direction: Direction, offer: OfferedFile, path: String, isAccepted: Bool) {
        self.id = id
        self.direction = direction
        self.offer = offer
        self.path = path
        self.isAccepted = isAccepted
    }

    /// A file that is called off before its offer was made; kept until its message is delivered, which says nothing.
    static func neverOffered(_ id: MessageID) -> StoredFile {
        let nothing = OfferedFile(name: "", bytes: 0, sha256: [])
        var file = StoredFile(id: id, direction: .outgoing, offer: nothing, path: "", isAccepted: false)
        file.end = FileEnd(outcome: .cancelled, isOurs: true)
        return file
    }

    var isNeverOffered: Bool { offer.sha256.isEmpty }

    /// What its message says if it has ended: of a file that was never offered the other side does not hear.
    var contentAfterEnd: MessageContent? {
        guard end != nil else { return nil }
        return isNeverOffered ? .withdrawn : .file(offer)
    }

    /// Whether something is to be said or done about it on a new connection.
    var isUnsettled: Bool { end != nil && !isNeverOffered || end == nil && direction == .incoming && isAccepted }
}

/// How a file ended, and which side said so.
package struct FileEnd: Sendable, Equatable, Codable {
    package enum Outcome: Sendable, Equatable, Codable {
        /// All bytes came, and are those that were offered; the path on the side that received them.
        case arrived(path: String?)
        /// All bytes came, and are not those that were offered.
        case damaged
        case declined
        case cancelled
    }

    package var outcome: Outcome
    /// Whether this side decided it and has to tell the other one, which says so when it has stored it.
    package var isOurs: Bool

    package init(outcome: Outcome, isOurs: Bool) {
        self.outcome = outcome
        self.isOurs = isOurs
    }
}

extension FileEnd.Outcome {
    /// Whether nothing is to be kept of what has come.
    var hasFailed: Bool {
        switch self {
        case .arrived: false
        case .damaged, .declined, .cancelled: true
        }
    }

    /// How the other side is told.
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
