package import Wire

extension Envelope {
    /// Reads an envelope of the other side. Total: any bytes give an envelope or an error.
    package init(bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Limit.envelope else {
            throw WireError(.limitExceeded, "an envelope is longer than \(Limit.envelope) bytes")
        }
        var reader = ProtobufReader(bytes)
        var header = Header()
        var content: MessageContent?
        var relation: Relation?
        var signal: Signal?
        while let field = try reader.next() {
            if try header.read(field) { continue }
            if field.number == EnvelopeField.relation {
                relation = try Relation(try field.message())
            } else if let read = try MessageContent(field) {
                content = read
            } else if let read = try Signal(field) {
                signal = read
            }
        }
        if header.sequence == 0 {
            self = .signal(signal ?? .unknown)
            return
        }
        if let relation { content = (content ?? .text("")).related(relation) }
        guard let id = header.id else { throw WireError(.malformed, "a message has no id") }
        self = .message(
            Numbered(id: id, sequence: header.sequence, sentAt: header.sentAt, content: content ?? .unknown))
    }

    private struct Header {
        var id: MessageID?
        var sequence: UInt64 = 0
        var sentAt: UInt64 = 0

        mutating func read(_ field: ProtobufField) throws(WireError) -> Bool {
            switch field.number {
            case EnvelopeField.id: id = try field.messageID()
            case EnvelopeField.sequence: sequence = try field.bounded()
            case EnvelopeField.sentAt: sentAt = try field.bounded()
            default: return false
            }
            return true
        }
    }
}

extension MessageContent {
    /// Nil if the field does not belong to the content.
    fileprivate init?(_ field: ProtobufField) throws(WireError) {
        switch field.number {
        case EnvelopeField.text: self = .text(try field.string(atMost: Envelope.Limit.text))
        case EnvelopeField.file: self = .file(try OfferedFile(try field.message()))
        case EnvelopeField.location: self = .location(try SharedLocation(try field.message()))
        case EnvelopeField.lifetimeProposal: self = .lifetimeProposal(try AgreedLifetime(try field.message()))
        case EnvelopeField.lifetimeAnswer:
            var (proposal, accepted): (MessageID?, Bool) = (nil, false)
            try field.message().forEach { (field) throws(WireError) in
                switch field.number {
                case 1: proposal = try field.messageID()
                case 2: accepted = try field.bool()
                default: break
                }
            }
            self = .lifetimeAnswer(proposal: try WireError.require(proposal, "a proposal"), accepted: accepted)
        case EnvelopeField.withdrawn: self = .withdrawn
        case EnvelopeField.trust: self = .trust
        default: return nil
        }
    }
}

extension MessageContent {
    /// The same as a text about another message. Only texts have relations; a text that only stands in for one is none.
    fileprivate func related(_ relation: Relation) -> MessageContent {
        guard case .text(let text) = self else { return self }
        let isFallback = relation.fallback != nil || relation.kind == .followed || relation.kind == .kept
        return .related(relation, text: isFallback ? "" : text)
    }
}

extension Relation {
    /// Nil for a kind that this version does not know: the text stands for itself.
    fileprivate init?(_ reader: ProtobufReader) throws(WireError) {
        var (kind, message, version): (UInt64, MessageID?, UInt64) = (0, nil, 0)
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: message = try field.messageID()
            case 2: kind = try field.bounded()
            case 3: version = try field.bounded()
            default: break
            }
        }
        guard let kind = Kind(rawValue: kind) else { return nil }
        self.init(kind, try WireError.require(message, "a message"), version: version)
    }
}

extension OfferedFile {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        self.init(name: "", bytes: 0, sha256: [])
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: name = FileName.safe(try field.string(atMost: Envelope.Limit.fileName))
            case 2: bytes = try field.bounded()
            case 3: sha256 = try field.bytes(atMost: 32)
            case 4: voice = try VoiceNote(try field.message())
            case 5: picture = try PictureNote(try field.message())
            default: break
            }
        }
        guard sha256.count == 32 else { throw WireError(.malformed, "a file has no SHA-256") }
        if name.isEmpty { name = FileName.safe("") }
    }
}

extension VoiceNote {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        self.init(duration: 0, waveform: [])
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: duration = try field.bounded()
            case 2: waveform = try field.bytes(atMost: Envelope.Limit.waveform)
            default: break
            }
        }
        guard duration <= 24 * 3_600_000 else { throw WireError(.limitExceeded, "a voice note is longer than a day") }
    }
}

extension PictureNote {
    /// A thumbnail that is no picture is left out.
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        self.init(width: 0, height: 0, thumbnail: [])
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: width = try field.bounded()
            case 2: height = try field.bounded()
            case 3: thumbnail = try field.bytes(atMost: Envelope.Limit.thumbnail)
            default: break
            }
        }
        guard (1...65_535).contains(width), (1...65_535).contains(height) else {
            throw WireError(.malformed, "a picture has no size")
        }
        if !Self.isPicture(thumbnail) { thumbnail = [] }
    }
}

extension SharedLocation {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        self.init(latitude: 0, longitude: 0, accuracy: nil, measuredAt: nil)
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: latitude = try field.double()
            case 2: longitude = try field.double()
            case 3: accuracy = try field.double()
            case 4: measuredAt = try field.bounded()
            default: break
            }
        }
        let isOnEarth =
            abs(latitude) <= 90 && abs(longitude) <= 180 && (accuracy.map { $0 >= 0 && $0.isFinite } ?? true)
        guard isOnEarth else { throw WireError(.malformed, "a location is not on Earth") }
    }
}

extension AgreedLifetime {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        self = .keep
        try reader.forEach { (field) throws(WireError) in
            switch field.number {
            case 1: self = .seconds(try field.bounded())
            case 2 where try field.bool(): self = .ephemeral
            default: break
            }
        }
    }
}

extension Envelope.Signal {
    /// Nil if the field does not belong to a signal.
    fileprivate init?(_ field: ProtobufField) throws(WireError) {
        if field.number == EnvelopeField.sealing {
            self = .sealing(try field.bytes(atMost: Envelope.Limit.sealing))
            return
        }
        let isKnown =
            EnvelopeField.hello...EnvelopeField.fileSettled ~= field.number || field.number == EnvelopeField.filePaused
        guard isKnown else { return nil }
        let parts = try SignalParts(try field.message())
        switch field.number {
        case EnvelopeField.hello:
            self = .hello(
                received: parts.first ?? 0, first: parts.second ?? 0, notes: parts.third == 1,
                agents: parts.fourth == 1)
        case EnvelopeField.receipt: self = .receipt(received: parts.first ?? 0)
        case EnvelopeField.read: self = .read(parts.ids)
        case EnvelopeField.typing: self = .typing(parts.first == 1)
        case EnvelopeField.fileAnswer:
            self = .fileAnswer(try parts.id(), offset: parts.second == 1 ? parts.third ?? 0 : nil)
        case EnvelopeField.fileChunk: self = .fileChunk(try parts.id(), offset: parts.second ?? 0, parts.data)
        case EnvelopeField.fileChecked: self = .fileChecked(try parts.id(), intact: parts.second == 1)
        case EnvelopeField.fileCancelled: self = .fileCancelled(try parts.id())
        case EnvelopeField.filePaused: self = .filePaused(try parts.id())
        case EnvelopeField.goodbye: self = .goodbye(forever: parts.first == 1)
        default: self = .fileSettled(try parts.id())
        }
    }
}

/// The fields of any signal: ids or a number under 1, numbers or bytes after it.
private struct SignalParts {
    var ids: [MessageID] = []
    var first: UInt64?
    var second: UInt64?
    var third: UInt64?
    var fourth: UInt64?
    var data: [UInt8] = []

    init(_ reader: ProtobufReader) throws(WireError) {
        try reader.forEach { (field) throws(WireError) in
            switch (field.number, field.isBytes) {
            case (1, true):
                guard ids.count < Envelope.Limit.readIDs else {
                    throw WireError(.limitExceeded, "a signal names more than \(Envelope.Limit.readIDs) messages")
                }
                ids.append(try field.messageID())
            case (1, false): first = try field.bounded()
            case (2, _): second = try field.bounded()
            case (3, true): data = try field.bytes(atMost: Envelope.Limit.chunk)
            case (3, false): third = try field.bounded()
            case (4, false): fourth = try field.bounded()
            default: break
            }
        }
    }

    func id() throws(WireError) -> MessageID { try WireError.require(ids.first, "a message id") }
}

extension ProtobufReader {
    fileprivate func forEach(_ body: (ProtobufField) throws(WireError) -> Void) throws(WireError) {
        var reader = self
        while let field = try reader.next() { try body(field) }
    }
}

extension ProtobufField {
    fileprivate func messageID() throws(WireError) -> MessageID {
        guard let id = MessageID(bytes: try bytes(atMost: 16)) else {
            throw WireError(.malformed, "a message id has 16 bytes")
        }
        return id
    }

    /// A number small enough that adding small numbers cannot overflow.
    fileprivate func bounded() throws(WireError) -> UInt64 {
        let number = try uint64()
        guard number <= Int64.max else { throw WireError(.limitExceeded, "a number is too large") }
        return number
    }

    fileprivate var isBytes: Bool { if case .bytes = value { true } else { false } }
}

extension WireError {
    fileprivate static func require<Value>(_ value: Value?, _ name: String) throws(WireError) -> Value {
        guard let value else { throw WireError(.malformed, "\(name) is missing") }
        return value
    }
}
