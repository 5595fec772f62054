import Wire

/// `json_ipc.ValuesSequence`.
extension [IPCValue] {
    /// What a sequence may hold at most.
    private static var countLimit: Int { 256 }
    private static var attachmentLimit: Int { 256 }
    /// Bytes of all JSON in a sequence.
    public static var jsonLimit: Int { 1 << 20 }
    /// How many times the memory of its text JSON takes as a value.
    static var memoryOfJSON: Int { 20 }

    /// Arguments of a call, or its one reply. No body is no values.
    ///
    /// - Throws: `invalidBody`.
    public init(body: ArraySlice<UInt8>?) throws(RuntimeException) {
        let sequence = try JsonIpcProto.ValuesSequence(body: body)
        guard sequence.values.count <= Self.countLimit else { throw RuntimeException(ipc: .invalidBody) }
        self = []
        var jsonSize = 0
        for value in sequence.values {
            jsonSize += value.json.utf8.count
            guard jsonSize <= Self.jsonLimit,
                value.binaryInJson.count + value.transferredInJson.count <= Self.attachmentLimit
            else { throw RuntimeException(ipc: .invalidBody) }
            append(try IPCValue(value))
        }
    }

    /// The body with these values, which is empty when there are none.
    public var body: [UInt8] { JsonIpcProto.ValuesSequence(values: map(\.message)).encoded }
}

extension IPCValue {
    /// The reply of a call. No body is nothing.
    ///
    /// - Throws: `invalidBody`.
    public init(reply body: ArraySlice<UInt8>?) throws(RuntimeException) {
        self = try [IPCValue](body: body).first ?? .undefined
    }

    fileprivate init(_ value: JsonIpcProto.Value) throws(RuntimeException) {
        if let binary = value.arr {
            self = .bytes(binary.arr)
        } else if let reference = value.transferred?.objRef {
            self = .reference(reference)
        } else if value.json.isEmpty {
            self = .undefined
        } else {
            guard let json = try? JSONValue(value.json.utf8) else { throw RuntimeException(ipc: .invalidBody) }
            self = .json(json, try Self.attachments(value))
        }
    }

    private static func attachments(_ value: JsonIpcProto.Value) throws(RuntimeException) -> [Attachment] {
        var attachments = value.binaryInJson.map { Attachment($0.objLocation, .bytes($0.arr)) }
        for object in value.transferredInJson {
            guard let reference = object.objRef else { throw RuntimeException(ipc: .invalidBody) }
            attachments.append(Attachment(object.objLocation, .reference(reference)))
        }
        return attachments
    }

    fileprivate var message: JsonIpcProto.Value {
        switch self {
        case .undefined: return JsonIpcProto.Value()
        case .bytes(let bytes): return JsonIpcProto.Value(arr: JsonIpcProto.BinaryValue(arr: bytes))
        case .reference(let reference):
            return JsonIpcProto.Value(transferred: JsonIpcProto.TransferredObj(objRef: reference))
        case .json(let json, let attachments):
            var value = JsonIpcProto.Value(json: json.text)
            for attachment in attachments {
                switch attachment.content {
                case .bytes(let bytes):
                    value.binaryInJson.append(.init(arr: bytes, objLocation: attachment.location))
                case .reference(let reference):
                    value.transferredInJson.append(.init(objLocation: attachment.location, objRef: reference))
                }
            }
            return value
        }
    }
}

extension CommonProto.AnyValue {
    /// `local_meta` of messages for example. Nil for what can only travel in a call: undefined, and objects.
    public init?(_ value: IPCValue) {
        switch value {
        case .bytes(let bytes): self.init(type: "bytes", bytes: CommonProto.BytesValue(value: bytes))
        case .json(let json, let attachments) where attachments.isEmpty:
            self.init(type: "json", json: CommonProto.StringValue(value: json.text))
        default: return nil
        }
    }

    /// - Throws: `invalidBody`.
    public var value: IPCValue {
        get throws(RuntimeException) {
            if let bytes { return .bytes(bytes.value) }
            guard let json else { return .undefined }
            guard let value = try? JSONValue(json.value.utf8) else { throw RuntimeException(ipc: .invalidBody) }
            return .json(value)
        }
    }
}
