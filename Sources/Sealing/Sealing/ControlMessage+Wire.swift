internal import Wire

extension ControlMessage {
    private enum Field {
        static let version = 1
        static let introduction = 2
        static let announcement = 3
        static let holdings = 4
        static let refusal = 5
        static let renewalRequest = 6
        static let revocation = 7
    }

    var bytes: [UInt8] {
        var writer = ProtobufWriter()
        writer.write(Self.version, Field.version)
        switch self {
        case .introduction(let introduction):
            var body = ProtobufWriter()
            body.write(introduction.identity, 1)
            body.write(introduction.signature, 2)
            body.write(message: introduction.holdings.writer, 3)
            body.write(introduction.isAnswer, 4)
            writer.write(message: body, Field.introduction)
        case .announcement(let signed):
            var body = ProtobufWriter(reserving: signed.part.count + 80)
            body.write(signed.part, 1)
            body.write(signed.signature, 2)
            writer.write(message: body, Field.announcement)
        case .holdings(let holdings): writer.write(message: holdings.writer, Field.holdings)
        case .refusal(let refusal):
            var body = ProtobufWriter()
            body.write(refusal.sequence, 1)
            body.write(refusal.code.wireNumber, 2)
            body.write(UInt64(refusal.epoch), 3)
            body.write(UInt64(refusal.firstUnused), 4)
            writer.write(message: body, Field.refusal)
        case .renewalRequest: writer.write(message: ProtobufWriter(), Field.renewalRequest)
        case .revocation(let revocation):
            var body = ProtobufWriter()
            body.write(revocation.revoker, 1)
            body.write(revocation.revoked, 2)
            body.write(revocation.signature, 3)
            writer.write(message: body, Field.revocation)
        case .unknown: break
        }
        return writer.bytes
    }

    /// Any bytes give a message or an error.
    init(_ bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw WireError(.limitExceeded, "a control message is longer than \(Self.maximumByteCount) bytes")
        }
        var reader = ProtobufReader(bytes)
        var version: UInt64 = 0
        var message = ControlMessage.unknown
        while let field = try reader.next() {
            switch field.number {
            case Field.version: version = try field.uint64()
            case Field.introduction: message = .introduction(try Introduction(field.message()))
            case Field.announcement: message = .announcement(try SignedPart(field.message()))
            case Field.holdings: message = .holdings(try Holdings(field.message()))
            case Field.refusal: message = .refusal(try Refusal(field.message()))
            case Field.renewalRequest: message = .renewalRequest
            case Field.revocation: message = .revocation(try Revocation(field.message()))
            default: break
            }
        }
        guard version > 0 else { throw WireError(.malformed, "a control message has no version") }
        self = version == Self.version ? message : .unknown
    }
}

extension ControlMessage.Introduction {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        self.init(identity: [], signature: [], holdings: ControlMessage.Holdings())
        while let field = try reader.next() {
            switch field.number {
            case 1: identity = try field.bytes(atMost: IdentityKey.byteCount)
            case 2: signature = try field.bytes(atMost: IdentityKey.signatureByteCount)
            case 3: holdings = try ControlMessage.Holdings(field.message())
            case 4: isAnswer = try field.bool()
            default: break
            }
        }
    }
}

extension ControlMessage.SignedPart {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        self.init(part: [], signature: [])
        while let field = try reader.next() {
            switch field.number {
            case 1: part = try field.bytes(atMost: ControlMessage.maximumByteCount)
            case 2: signature = try field.bytes(atMost: IdentityKey.signatureByteCount)
            default: break
            }
        }
    }
}

extension ControlMessage.Holdings {
    fileprivate var writer: ProtobufWriter {
        var writer = ProtobufWriter()
        writer.write(UInt64(epoch), 1)
        writer.write(UInt64(received), 2)
        writer.write(UInt64(remaining), 3)
        writer.write(copy, 4)
        return writer
    }

    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        self.init()
        while let field = try reader.next() {
            switch field.number {
            case 1: epoch = try field.uint32()
            case 2: received = try field.uint32()
            case 3: remaining = try field.uint32()
            case 4: copy = try field.uint64()
            default: break
            }
        }
    }
}

extension ControlMessage.Refusal {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        self.init(sequence: 0, code: .unknownKey, epoch: 0, firstUnused: 0)
        while let field = try reader.next() {
            switch field.number {
            case 1: sequence = try field.uint64()
            case 2: code = SealingError.Code(wireNumber: try field.uint64())
            case 3: epoch = try field.uint32()
            case 4: firstUnused = try field.uint32()
            default: break
            }
        }
    }
}

extension ControlMessage.Revocation {
    fileprivate init(_ reader: ProtobufReader) throws(WireError) {
        var reader = reader
        self.init(revoker: [], revoked: [], signature: [])
        while let field = try reader.next() {
            switch field.number {
            case 1: revoker = try field.bytes(atMost: IdentityKey.byteCount)
            case 2: revoked = try field.bytes(atMost: IdentityKey.byteCount)
            case 3: signature = try field.bytes(atMost: IdentityKey.signatureByteCount)
            default: break
            }
        }
    }
}

extension SealingErrorCode {
    /// The reason of a refusal on the wire. Reasons that concern only this side are sent as `unknownKey`.
    fileprivate var wireNumber: UInt64 {
        switch self {
        // To the sender it is the same: its key was used before.
        case .replayed, .reused: 2
        case .forged: 3
        case .unreadable: 4
        default: 1
        }
    }

    fileprivate init(wireNumber: UInt64) {
        switch wireNumber {
        case 2: self = .replayed
        case 3: self = .forged
        case 4: self = .unreadable
        default: self = .unknownKey
        }
    }
}
