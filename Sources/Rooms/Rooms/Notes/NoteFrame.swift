package import Wire

/// One message on the channel of notes. `docs/protocols/note-sharing.md` describes the format.
package enum NoteFrame: Sendable, Equatable {
    /// The notes that the sender shares follow, each as an offer, and then `listed`.
    case begin
    case offer(SharedNote)
    /// These were all.
    case listed
    case stopped(String)
    /// Requests the other side's state vector.
    case wanted(String)
    case part(Part)
    case cursor(NoteCursor)
    /// Requests a picture that a note shows.
    case pictureWanted(SharedPicture)
    /// A kind that this version does not know.
    case unknown

    package enum Kind: UInt64, Sendable { case stateVector, update, picture }

    /// A part of a state vector, update or picture; the parts of one follow each other.
    package struct Part: Sendable, Equatable {
        package var note: String
        package var kind: Kind
        /// Bytes of the whole.
        package var total: Int
        package var offset: Int
        package var bytes: [UInt8]
        /// The id of the picture that it is a part of; empty for what is none.
        package var picture = ""
    }
}

private enum Field {
    static let (begin, offer, listed, stopped, wanted, part, cursor, pictureWanted) = (1, 2, 3, 4, 5, 6, 7, 8)
}

extension NoteFrame {
    /// Reads a frame of the other side. Total: any bytes give a frame or an error.
    package init(bytes: [UInt8]) throws(WireError) {
        var frame = NoteFrame.unknown
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case Field.begin where try field.bool(): frame = .begin
            case Field.offer: frame = .offer(try SharedNote(field.message()))
            case Field.listed where try field.bool(): frame = .listed
            case Field.stopped: frame = .stopped(try field.noteID())
            case Field.wanted: frame = .wanted(try field.noteID())
            case Field.part: frame = .part(try Part(field.message()))
            case Field.cursor: frame = .cursor(try NoteCursor(field.message()))
            case Field.pictureWanted: frame = .pictureWanted(try SharedPicture(field.message()))
            default: break
            }
        }
        self = frame
    }

    /// The frame as protobuf.
    package var bytes: [UInt8] {
        var writer = ProtobufWriter()
        switch self {
        case .begin: writer.write(true, Field.begin)
        case .offer(let note):
            var offer = ProtobufWriter()
            offer.write(note.id, 1)
            offer.write(note.title, 2)
            writer.write(message: offer, Field.offer)
        case .listed: writer.write(true, Field.listed)
        case .stopped(let note): writer.write(note, Field.stopped)
        case .wanted(let note): writer.write(note, Field.wanted)
        case .part(let part): writer.write(message: part.written, Field.part)
        case .cursor(let cursor): writer.write(message: cursor.written, Field.cursor)
        case .pictureWanted(let picture): writer.write(message: picture.written, Field.pictureWanted)
        case .unknown: break
        }
        return writer.bytes
    }
}

extension NoteFrame.Part {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        var (note, kind, total, offset): (String?, UInt64, UInt64, UInt64) = (nil, 0, 0, 0)
        var (bytes, picture): ([UInt8], String) = ([], "")
        while let field = try reader.next() {
            switch field.number {
            case 1: note = try field.noteID()
            case 2: kind = try field.uint64()
            case 3: total = try field.uint64()
            case 4: offset = try field.uint64()
            case 5: bytes = try field.bytes(atMost: NoteLimits.part)
            case 6: picture = try field.string(atMost: 32)
            default: break
            }
        }
        guard let note, let kind = NoteFrame.Kind(rawValue: kind) else {
            throw WireError(.malformed, "a part belongs to no note, or is of an unknown kind")
        }
        guard kind == .picture ? SharedPicture(picture, of: note) != nil : picture.isEmpty else {
            throw WireError(.malformed, "a part belongs to no picture, or is none of one")
        }
        let limit = kind.limit
        guard total <= limit, offset <= total, bytes.count <= Int(total - offset) else {
            throw WireError(.limitExceeded, "a part does not lie within its whole, or the whole is too large")
        }
        self.init(note: note, kind: kind, total: Int(total), offset: Int(offset), bytes: bytes, picture: picture)
    }

    fileprivate var written: ProtobufWriter {
        var writer = ProtobufWriter(reserving: bytes.count + 100)
        writer.write(note, 1)
        writer.write(kind.rawValue, 2)
        writer.write(UInt64(total), 3)
        writer.write(UInt64(offset), 4)
        writer.write(bytes, 5)
        if kind == .picture { writer.write(picture, 6) }
        return writer
    }
}

extension NoteFrame.Kind {
    /// Bytes of the whole.
    fileprivate var limit: Int {
        switch self {
        case .stateVector: NoteLimits.stateVector
        case .update: NoteLimits.update
        case .picture: NoteLimits.picture
        }
    }
}

extension SharedPicture {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        var (note, id): (String?, String) = (nil, "")
        while let field = try reader.next() {
            switch field.number {
            case 1: note = try field.noteID()
            case 2: id = try field.string(atMost: 32)
            default: break
            }
        }
        guard let note, let picture = SharedPicture(id, of: note) else {
            throw WireError(.malformed, "a picture belongs to no note, or has no id")
        }
        self = picture
    }

    fileprivate var written: ProtobufWriter {
        var writer = ProtobufWriter()
        writer.write(note, 1)
        writer.write(id, 2)
        return writer
    }
}

extension NoteCursor {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        var (note, anchor, head): (String?, [UInt8], [UInt8]) = (nil, [], [])
        while let field = try reader.next() {
            switch field.number {
            case 1: note = try field.noteID()
            case 2: anchor = try field.bytes(atMost: NoteLimits.place)
            case 3: head = try field.bytes(atMost: NoteLimits.place)
            default: break
            }
        }
        guard let note else { throw WireError(.malformed, "a cursor belongs to no note") }
        self.init(note: note, anchor: anchor, head: head)
    }

    fileprivate var written: ProtobufWriter {
        var writer = ProtobufWriter()
        writer.write(note, 1)
        if isSomewhere {
            writer.write(anchor, 2)
            writer.write(head, 3)
        }
        return writer
    }
}

extension SharedNote {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        var (id, title) = ("", "")
        while let field = try reader.next() {
            switch field.number {
            case 1: id = try field.string(atMost: 64)
            case 2: title = try field.string(atMost: NoteLimits.title)
            default: break
            }
        }
        guard let note = SharedNote(id: id, title: title) else { throw WireError(.malformed, "a note has no id") }
        self = note
    }
}

extension ProtobufField {
    fileprivate func noteID() throws(WireError) -> String {
        guard let note = SharedNote(id: try string(atMost: 64), title: "") else {
            throw WireError(.malformed, "a note has no id")
        }
        return note.id
    }
}
