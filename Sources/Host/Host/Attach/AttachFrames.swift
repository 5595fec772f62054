package import AppCore

/// The version of the protocol between a host process and its clients: `docs/protocols/host-socket.md`.
package let attachVersion = 1

/// What a client says to the host process: one JSON object on one line, `{"type":"act",…}`.
package enum ClientFrame: Sendable, Hashable, Codable {
    /// The first frame. With the `session` of an earlier connection the client goes on in its view; with `screens` it goes back to where it
    /// was, if the host has been started anew. `options` are those of the client's command line that configure a host process; `can`
    /// names what the client can show, as ``ViewAbility`` does.
    case hello(
        v: Int, session: String?, rev: UInt64?, screens: [Screen]?, options: [String: [String]]? = nil,
        can: [String]? = nil)
    /// Which rows of long lists are wanted, by the lists' ids, whether the view is shown, whether another window is in front of it, and the last message of rooms that has been on the
    /// screen: with `seen`, even if it is empty, an open conversation alone no longer counts as seen. The latest counts.
    case look(windows: [String: Window.Request]?, front: Bool?, seen: [String: MessageID]? = nil, away: Bool? = nil)
    /// What a person does at a node: the verb of one of its offers, and what was entered. `fresh` makes it happen once, however often it is
    /// sent. With `room` it happens only if that room is the one on the view's screen: meanwhile the view may have been led elsewhere.
    case act(
        n: UInt64, fresh: Fresh?, node: String, offer: Offer.Verb, inputs: [String: JSONValue]?, room: RoomID? = nil)
    /// An action of `docs/core.md`, for programs that know what they want.
    case dispatch(n: UInt64, fresh: Fresh?, action: Action)
    /// What became of an effect that the view carries out itself: an event that answers it.
    case answer(n: UInt64, fresh: Fresh?, event: Action)
    /// Gives the host a secret to keep, or with `once` to hold until an action has used it. The reply has a reference to it.
    case secret(n: UInt64, text: String, once: Bool?)
    /// Asks for something: a ``HostQuery``, with what it is about.
    case ask(
        n: UInt64, query: String, ref: SecretRef? = nil, room: RoomID? = nil, content: Bool? = nil,
        port: Int? = nil, text: String? = nil, session: AgentSessionID? = nil, item: Int? = nil,
        since: Timestamp? = nil)
    /// Bytes for the next question that takes some, in base64. Several frames are joined.
    case give(n: UInt64, bytes: String)
    /// Whether `changed` is wanted.
    case watch(on: Bool)
    /// The client shows this revision: the host may send the next one.
    case ack(rev: UInt64)
    /// Ends the host process; with `restart` it begins anew, in the program that lies on the disk now.
    case stop(n: UInt64, restart: Bool? = nil)
    case ping

    /// Asks for the note that the view shows as a document. `vector` is what the client has of it already.
    case docOpen(n: UInt64, note: NoteID, vector: String)
    /// What was written in an open document, or with `more` a part of it. `seq` is the client's own number, for `docSaved`.
    case docUpdate(doc: NoteID, seq: UInt64, update: String, more: Bool? = nil)
    /// The client has the last update of the host.
    case docAck(doc: NoteID)
    /// Where the person is in the document; nowhere without `cursor`.
    case docCursor(doc: NoteID, cursor: DocumentCursor?)
    /// Takes a file that was given to the page into the notes, as a picture.
    case docPicture(n: UInt64, doc: NoteID, handle: String)
    case docClose(doc: NoteID)

    /// Whether a person did or looked at something.
    var isActivity: Bool {
        switch self {
        case .act, .dispatch, .answer, .secret, .give, .docUpdate, .docPicture: true
        // What is only printed as it comes needs nobody.
        case .look(let windows, let front, _, _): windows != nil || front == true
        case .hello, .ask, .watch, .ack, .stop, .ping, .docOpen, .docAck, .docCursor, .docClose: false
        }
    }
}

/// What the host process says to a client.
package enum HostFrame: Sendable, Hashable, Codable {
    /// The client has a view. `differs` names those of its options that the host process does not run with. Programs hear with which it runs, to
    /// start it again if it is killed.
    case welcome(
        v: Int, view: ViewID, session: String, locked: Bool, differs: [String]? = nil,
        options: [String: [String]]? = nil)
    /// The whole tree of the view, and the path of screens to it.
    case tree(rev: UInt64, root: SemanticNode, screens: [Screen])
    /// What is different since revision `from`: see `TreeDiff`.
    case patch(
        from: UInt64, rev: UInt64, removed: [String]?, placed: [TreeDiff.Placement]?, updated: [TreeDiff.Change]?)
    /// An `act` or `dispatch` happened and is saved; with `code` it did not, or is not saved.
    case did(n: UInt64, code: Code?)
    case reply(n: UInt64, result: JSONValue?, code: Code?)
    /// Something in the state changed since the last `ask` for it.
    case changed
    /// The connection ends. With `retryMs` it is worth coming again.
    case bye(reason: Code, retryMs: Int64?)
    case pong

    /// What others wrote in an open document. The next one comes after `docAck`.
    case docUpdate(doc: NoteID, seq: UInt64, update: String)
    /// A part of an update is here: the next one may come.
    case docMore(doc: NoteID)
    /// What the client wrote up to this number is on the disk.
    case docSaved(doc: NoteID, seq: UInt64)
    /// Where others are in the document.
    case docCursors(doc: NoteID, people: [DocumentPerson])
    /// The document is not open any more.
    case docClosed(doc: NoteID, reason: Code)

    /// Why something did not happen.
    package enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is no such node or offer, or no longer.
        case gone
        /// What was entered does not fit.
        case misfit
        /// The disk takes nothing: it happened, and is saved when there is room.
        case unsaved
        /// It could not be done; the result is a ``Failure``.
        case failed
        /// It takes a profile that is open.
        case locked
        case unknownQuery = "unknown_query"
        case unknownSecret = "unknown_secret"
        /// The line is no frame, or the first frame is not `hello`.
        case badFrame = "bad_frame"
        /// The host speaks another version of this protocol.
        case wrongVersion = "wrong_version"
        /// As many clients as possible are there.
        case tooMany = "too_many"
        /// The host process ends.
        case ending
        /// The client sent too much at once.
        case flood
    }
}

/// A place in a document: where a selection begins and where it ends, as Yjs spells relative positions, in base64.
package struct DocumentCursor: Sendable, Hashable, Codable {
    package var anchor: String
    package var head: String
}

/// Somebody who is in the same document.
package struct DocumentPerson: Sendable, Hashable, Codable {
    package var id: String
    package var name: String
    package var anchor: String
    package var head: String
}

/// What a client may ask.
package enum HostQuery: String, Sendable, CaseIterable {
    /// The whole state.
    case state
    /// The text behind `ref`.
    case secret
    /// What the process says of itself.
    case status
    /// One-time keys that are left in `room`: ``KeysLeft``.
    case keysLeft = "keys_left"
    /// The signed notice that the trust in the person of `room` has ended, in base64.
    case notice
    /// Seals the bytes given for the person of `room`; the result is in base64.
    case sealFile = "seal_file"
    /// Opens the sealed bytes given: ``OpenedFile``.
    case openFile = "open_file"
    /// The content of the file that was opened last is where it is wanted: its key is destroyed.
    case fileStored = "file_stored"
    /// Has the page served, at `port` if it is given; the result is an address that lets one browser in, once.
    case page
    /// A QR code of `text`: ``DrawnCode``.
    case qrCode = "qr_code"
    /// Gives up what is being sealed or opened by hand.
    case giveUp = "give_up"
    /// The session with an agent `session`, with its items from `item` on and those that changed at or after `since`: ``AgentTalk``.
    case talk
    /// What happened in the last stretch of the run, or with `content` what the profile holds: ``RecordedFlight``.
    case report
}

/// A file that was opened for a client.
struct OpenedFile: Codable {
    let room: RoomID
    let seal: Seal
    /// In base64.
    let content: String
}

/// A QR code, as a client draws it.
struct DrawnCode: Codable {
    /// Row by row, a character for each module: 1 is dark. The quiet zone around them is not among them.
    let rows: [String]
}

/// A frame as one flat object: `.ask(n: 1, query: "state")` is `{"type":"ask","n":1,"query":"state"}`.
package enum AttachLine {
    /// Bytes of a line that a client may send: the longest prompt for an agent, each character of it escaped.
    package static let limit = 2 << 20

    private struct Flat<Frame: Codable>: Codable {
        let frame: Frame

        init(_ frame: Frame) { self.frame = frame }

        init(from decoder: any Decoder) throws {
            let tagged = try TaggedDecoder(decoder)
            guard let frame = try tagged.decodeIfKnown(Frame.self) else { throw tagged.unknown() }
            self.frame = frame
        }

        func encode(to encoder: any Encoder) throws { try frame.encode(to: TaggedEncoder(encoder)) }
    }

    package static func encode(_ frame: some Codable) -> [UInt8] {
        // Frames are JSON already, and their numbers are finite.
        (try? JSON.encode(Flat(frame))) ?? []
    }

    /// The answer to a request in which one thing cannot be read: an action, a verb that this version does not know, or an id that is
    /// none; `nil` if the line is something else.
    static func refusal(of line: [UInt8]) -> HostFrame? {
        guard let frame = try? JSON.decode(JSONValue.self, from: line),
            let n = frame["n"]?.integer.flatMap(UInt64.init(exactly:))
        else { return nil }
        switch frame["type"]?.string {
        case "dispatch" where frame["action"]?.object != nil, "answer" where frame["event"]?.object != nil:
            return .did(n: n, code: .misfit)
        // Nothing offers what nobody knows.
        case "act" where frame["node"]?.string != nil && isUnknown(frame["offer"]?.string):
            return .did(n: n, code: .gone)
        case "doc_open" where isForeign(frame["note"]?.string), "doc_picture" where isForeign(frame["doc"]?.string):
            return .reply(n: n, result: nil, code: .gone)
        default: return nil
        }
    }

    private static func isUnknown(_ verb: String?) -> Bool { verb.map { Offer.Verb(rawValue: $0) == nil } ?? false }

    private static func isForeign(_ note: String?) -> Bool { note.map { !NoteID.isValid($0[...]) } ?? false }

    /// - Throws: `DecodingError` for anything that is not such a frame.
    package static func decode<Frame: Codable>(_ type: Frame.Type, from line: [UInt8]) throws -> Frame {
        try JSON.decode(Flat<Frame>.self, from: line).frame
    }
}
