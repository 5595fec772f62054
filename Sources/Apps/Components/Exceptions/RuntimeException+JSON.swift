public import Wire

extension RuntimeException {
    /// `{"runtimeException":true,"type":…,` and the fields.
    public var json: JSONValue {
        var object: JSONObject = ["runtimeException": true, "type": .string(type)]
        for member in fields.members { object.append(member.name, member.value) }
        return .object(object)
    }

    /// Nil when the value is not an object whose `runtimeException` is true in JavaScript's sense.
    public init?(json: JSONValue) {
        guard let object = json.object, let mark = object["runtimeException"], mark.isTrueInScripts else { return nil }
        self.init(type: object["type"]?.string ?? "")
        for member in object.members where member.name != "runtimeException" && member.name != "type" {
            fields.append(member.name, member.value)
        }
    }

    /// The exception that a JSON text describes, if it does.
    public init?(text: some Collection<UInt8>) {
        guard let json = try? JSONValue(text) else { return nil }
        self.init(json: json)
    }

    /// Bytes of JSON above which ``text`` leaves out what is long.
    public static let sizeLimit = 64 << 10

    /// The exception as JSON of at most ``sizeLimit`` bytes, give or take the marks. One that is longer, or nested deeper than
    /// readers go, is told by its short fields only.
    public var text: [UInt8] {
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        if bytes.count <= Self.sizeLimit, (try? JSONValue(bytes)) != nil { return bytes }
        var short = RuntimeException(type: type.shortened(to: 100))
        for member in fields.members.prefix(50) where member.name.utf8.count <= 100 {
            switch member.value {
            case .null, .bool: short.fields.append(member.name, member.value)
            case .number(let spelling) where spelling.utf8.count <= 100:
                short.fields.append(member.name, member.value)
            case .string(let string): short.fields.append(member.name, .string(string.shortened(to: 1000)))
            default: break
            }
        }
        short.fields.append("shortened", true)
        bytes = []
        short.json.write(to: &bytes)
        return bytes
    }
}

extension String {
    /// At most so many bytes of it.
    func shortened(to count: Int) -> String {
        utf8.count <= count ? self : String(decoding: utf8.prefix(count), as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate var isTrueInScripts: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let spelling): Double(spelling).map { $0 != 0 } ?? true
        case .string(let string): !string.isEmpty
        case .array, .object: true
        }
    }
}
