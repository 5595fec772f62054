/// A JSON value (RFC 8259). Numbers keep their spelling, so that a value can be passed on unchanged.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// No message nests half as deeply.
    public static let depthLimit = 32

    /// Reads a whole document. One that nests deeper than the limit is refused.
    public init(_ text: some Collection<UInt8>, depthLimit: Int = Self.depthLimit) throws(JSONError) {
        var parser = JSONParser(text, depthLimit: depthLimit)
        self = try parser.document()
    }

    /// Throws like reading the text, but without building values, which take twenty times its memory.
    public static func check(_ text: some Collection<UInt8>, depthLimit: Int = Self.depthLimit) throws(JSONError) {
        var parser = JSONParser(text, depthLimit: depthLimit)
        try parser.check()
    }

    /// The text; nil if it is no string.
    public var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    /// The members; nil if it is no object.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

/// Why a text is not JSON, or is not accepted here.
public enum JSONError: Error, Equatable {
    /// - Parameter line: where reading stopped; the first is 1.
    case malformed(line: Int)
    case tooDeep
}

/// The members of a JSON object in order. Of several members with one name the last one counts, as in JavaScript.
public struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The members in the order of the text.
    public private(set) var members: [Member] = []

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    public init() {}

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Adds a member at the end, also if there is one of this name.
    public mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    /// The value of a name, the last one if there are several.
    public subscript(name: String) -> JSONValue? { members.last { $0.name == name }?.value }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object.append(name, value) }
        self = .object(object)
    }
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
    /// Whether no object in it has two members of one name. RFC 8259 leaves open which of them counts, so two programs
    /// may read such a text differently. Refuse it where a decision depends on it.
    public var hasUniqueMembers: Bool {
        switch self {
        case .object(let object):
            Set(object.members.map(\.name)).count == object.members.count
                && object.members.allSatisfy(\.value.hasUniqueMembers)
        case .array(let elements): elements.allSatisfy(\.hasUniqueMembers)
        default: true
        }
    }
}

extension JSONObject {
    /// Reads a whole document that is an object and has only one meaning.
    /// - Returns: nil if it is something else, or if one of its objects has a name twice.
    public init?(unambiguous text: some Collection<UInt8>) {
        guard let value = try? JSONValue(text), let object = value.object, value.hasUniqueMembers else { return nil }
        self = object
    }

    /// Whether it has only members with these names.
    public func has(only names: Set<String>) -> Bool { members.allSatisfy { names.contains($0.name) } }
}
