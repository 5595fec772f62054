/// Any JSON, for those who pass it on or look into it without knowing its type.
///
/// Whole numbers stay whole. Encoded by ``JSON``, keys stand as they are, in sorted order.
package enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The value under a key of an object; `nil` for anything else.
    package subscript(key: String) -> JSONValue? {
        get { if case .object(let members) = self { members[key] } else { nil } }
        set {
            guard case .object(var members) = self else { return }
            members[key] = newValue
            self = .object(members)
        }
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// A number, whole or not.
    package var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// Changes every string for what `replace` makes of it.
    package func mapStrings<Failure: Error>(
        _ replace: (String) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
        switch self {
        case .string(let text): return try replace(text)
        case .array(let values):
            var result: [JSONValue] = []
            for value in values { result.append(try value.mapStrings(replace)) }
            return .array(result)
        case .object(let members):
            var result: [String: JSONValue] = [:]
            for (key, value) in members { result[key] = try value.mapStrings(replace) }
            return .object(result)
        default: return self
        }
    }
}

extension JSONValue {
    /// Any value of the core as JSON.
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    package init(_ value: some Encodable) throws { self = try JSON.decode(JSONValue.self, from: JSON.encode(value)) }
}

extension JSONValue: Codable {

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}
