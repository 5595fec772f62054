/// A JSON value (RFC 8259) as it came. Numbers keep their spelling, so that what is passed on is what came.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// No message nests half as deep.
    package static let depthLimit = 32

    /// Reads a whole document. One that nests deeper than the limit is refused.
    package init(_ text: some Collection<UInt8>, depthLimit: Int = Self.depthLimit) throws(JSONError) {
        var parser = JSONParser(text, depthLimit: depthLimit)
        self = try parser.document()
    }

    package var string: String? {
        if case .string(let string) = self { string } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}

/// Why a text is not JSON, or not JSON that is taken here.
package enum JSONError: Error, Equatable {
    case malformed
    case tooDeep
}

/// The members of a JSON object in order. Of several members with one name the last one counts, as in JavaScript.
package struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var members: [Member] = []

    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package init() {}

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { append(name, value) }
    }

    package mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }

    package subscript(name: String) -> JSONValue? { members.last { $0.name == name }?.value }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int) { self = .number(String(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object.append(name, value) }
        self = .object(object)
    }
    package init(nilLiteral: ()) { self = .null }
}
