internal import RichText

/// Writes JSON for our scripts.
struct JSONText {
    private(set) var text = ""

    mutating func raw(_ piece: String) { text += piece }

    mutating func number(_ number: Int) { text += String(number) }

    mutating func array<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void) {
        list("[", "]", elements, write)
    }

    mutating func list<Element>(
        _ open: String, _ close: String, _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
    ) {
        text += open
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            write(&self, element)
        }
        text += close
    }

    mutating func object(_ members: [String: RichText.Value]) {
        list("{", "}", members) { json, member in
            json.string(member.key)
            json.raw(":")
            json.value(member.value)
        }
    }

    mutating func value(_ value: RichText.Value) {
        switch value {
        case .null: raw("null")
        case .bool(let bool): raw(bool ? "true" : "false")
        case .number(let number):
            if let integer = Int(exactly: number) { return self.number(integer) }
            raw(number.isFinite ? "\(number)" : "null")
        case .string(let string): self.string(string)
        case .array(let values): array(values) { $0.value($1) }
        case .object(let members): object(members)
        }
    }

    mutating func string(_ string: String) {
        text += "\""
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c }) {
            text += string
        } else {
            for scalar in string.unicodeScalars { text += Self.escaped(scalar) }
        }
        text += "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case ..<"\u{10}": "\\u000\(String(scalar.value, radix: 16))"
        case ..<" ": "\\u00\(String(scalar.value, radix: 16))"
        default: String(Character(scalar))
        }
    }
}
