import Wire

/// One message of the object IPC: `ipc.Envelope` of proto3.
struct Envelope: Hashable, Sendable {
    /// `msg_type`.
    enum Kind: String, Sendable {
        /// Caller: a call begins.
        case start
        /// Service: one value of an observable call.
        case interim
        /// Service: the reply, or the end of an observable.
        case end
        /// Service: the call failed; the body is `common.ErrorValue`.
        case error
        /// Caller: no more values are wanted.
        case cancel
        /// Caller: an object is not needed any more. The only kind without a call number.
        case drop
        /// Caller: which names are there at an object?
        case listObject = "list-obj"
    }

    /// Nil is a kind that is not known here.
    var kind: Kind?
    var number: UInt64?
    var path: [String] = []
    /// Nil is no body at all, which is not an empty one.
    var body: ArraySlice<UInt8>?
}

/// What the reader of an envelope takes.
struct EnvelopeLimits: Sendable {
    /// Names in a path.
    var depth = 16
    /// Bytes of one name.
    var name = 128
}

extension Envelope {
    init(_ bytes: [UInt8], limits: EnvelopeLimits) throws(WireError) {
        self.init()
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: try readHeaders(field.message(), limits)
            case 2: body = try Self.bytesValue(field)
            default: break
            }
        }
    }

    private mutating func readHeaders(_ headers: ProtobufReader, _ limits: EnvelopeLimits) throws(WireError) {
        var reader = headers
        while let field = try reader.next() {
            switch field.number {
            case 1: kind = Kind(rawValue: try field.string(atMost: limits.name))
            case 2: number = try Self.integerValue(field)
            case 3:
                guard path.count < limits.depth else {
                    throw WireError(.limitExceeded, "a path has more than \(limits.depth) names")
                }
                path.append(try field.string(atMost: limits.name))
            default: break
            }
        }
    }

    /// `common.UInt64Value`.
    private static func integerValue(_ field: ProtobufField) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var reader = try field.message()
        while let field = try reader.next() {
            if field.number == 1 { value = try field.uint64() }
        }
        return value
    }

    /// `common.BytesValue`.
    private static func bytesValue(_ field: ProtobufField) throws(WireError) -> ArraySlice<UInt8> {
        var value: ArraySlice<UInt8> = []
        var reader = try field.message()
        while let field = try reader.next() {
            if field.number == 1 { value = try field.slice(atMost: .max) }
        }
        return value
    }
}
