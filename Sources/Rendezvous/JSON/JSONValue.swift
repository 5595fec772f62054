/// A JSON value (RFC 8259) as clients sent it. Numbers keep their spelling, so that what is passed on is what came.
enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Reads a whole document.
    init(_ text: some Collection<UInt8>) throws(JSONError) {
        var parser = JSONParser(text)
        self = try parser.document()
    }

    var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

/// Why a text is not JSON, or not JSON that is taken here.
enum JSONError: Error, Equatable {
    case malformed
    case tooDeep
}

/// The members of a JSON object in order. Of several members with one name the last one counts, as in JavaScript.
struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private(set) var members: [Member] = []

    struct Member: Equatable, Sendable {
        let name: String
        let value: JSONValue
    }

    init() {}

    init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { append(name, value) }
    }

    mutating func append(_ name: String, _ value: JSONValue) { members.append(Member(name: name, value: value)) }

    subscript(name: String) -> JSONValue? { members.last { $0.name == name }?.value }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .number(String(value)) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object.append(name, value) }
        self = .object(object)
    }
    init(nilLiteral: ()) { self = .null }
}
