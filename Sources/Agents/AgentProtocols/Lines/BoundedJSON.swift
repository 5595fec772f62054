package import Wire

/// Reads JSON of strangers. Values take up to fifty times the memory of their text, so they are counted before any is made.
package enum BoundedJSON {
    /// Levels of arrays and objects in each other. A tool's own input may nest; no message of a protocol comes near.
    package static let depthLimit = 64
    /// Values and names in one message.
    package static let valueLimit = 200_000

    /// The object that the text is. Refuses an object with two members of one name: two programs could read it differently, and a person decides
    /// on what one of them shows.
    package static func object(_ text: some Collection<UInt8>) throws(AgentProtocolError) -> JSONObject {
        guard let object = try value(text).object else {
            throw AgentProtocolError(.malformed, "the message is no JSON object")
        }
        return object
    }

    /// The value that the text is, which may be an array of messages.
    static func value(_ text: some Collection<UInt8>) throws(AgentProtocolError) -> JSONValue {
        guard separators(in: text) < valueLimit else {
            throw AgentProtocolError(.tooMany, "the message has more than \(valueLimit) values")
        }
        let value: JSONValue
        do {
            value = try JSONValue(text, depthLimit: depthLimit)
        } catch .tooDeep {
            throw AgentProtocolError(.tooDeep, "the message nests deeper than \(depthLimit) levels")
        } catch {
            throw AgentProtocolError(.malformed, "the message is not JSON")
        }
        guard value.hasUniqueMembers else { throw AgentProtocolError(.malformed, "the message has a name twice") }
        return value
    }

    /// An upper bound of the values, without making any: each one but the first follows one of these characters outside of strings.
    private static func separators(in text: some Collection<UInt8>) -> Int {
        var (count, isInString, isEscaped) = (0, false, false)
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: break
            }
        }
        return count
    }
}

extension JSONObject {
    /// The text of a member; nil if it is absent or no string.
    package func string(_ name: String) -> String? { self[name]?.string }

    /// The whole number of a member that is not negative; nil if it is absent or something else.
    package func count(_ name: String) -> Int? {
        guard case .number(let spelling)? = self[name], let number = Int(spelling), number >= 0 else { return nil }
        return number
    }

    /// The elements of a member; empty if it is absent or no array.
    package func array(_ name: String) -> [JSONValue] {
        if case .array(let elements)? = self[name] { elements } else { [] }
    }

    /// Whether the member is there and not null.
    package func has(_ name: String) -> Bool { self[name].map { $0 != .null } ?? false }
}
