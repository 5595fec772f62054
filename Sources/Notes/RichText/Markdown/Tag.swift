/// A tag of HTML with its attributes, as far as our own spellings have any.
struct Tag {
    let name: String
    let attributes: [String: String]

    /// Reads an opening tag; all values stand in quotation marks.
    init?(_ text: String) {
        var rest = text.unicodeScalars[...]
        guard rest.popFirst() == "<", rest.popLast() == ">" else { return nil }
        if rest.last == "/" { rest.removeLast() }
        name = Self.word(&rest)
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { break }
            let key = Self.word(&rest)
            guard !key.isEmpty, rest.popFirst() == "=", rest.popFirst() == "\"" else { return nil }
            guard let end = rest.firstIndex(of: "\"") else { return nil }
            attributes[key] = Self.unquoted(rest[..<end])
            rest = rest[rest.index(after: end)...]
        }
        self.attributes = attributes
    }

    private static func word(_ rest: inout Substring.UnicodeScalarView) -> String {
        let word = rest.prefix { $0.isASCIIAlphanumeric }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// A value as it stands between quotation marks, on one line.
    static func quoted(_ value: String) -> String {
        var quoted = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\0": quoted += "\u{fffd}"
            case "&", "\"", "<", ">", "|": quoted += Escaping.entity(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: quoted += Escaping.entity(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    private static func unquoted(_ text: Substring.UnicodeScalarView) -> String {
        let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\""]
        var plain = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.popFirst() {
            let name = String(rest.prefix(8).prefix { $0 != ";" })
            let number = name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) : nil
            let length = name.unicodeScalars.count
            if scalar == "&", let meant = named[name] ?? number, rest.dropFirst(length).first == ";" {
                plain.append(meant)
                rest = rest.dropFirst(length + 1)
            } else {
                plain.append(scalar)
            }
        }
        return String(plain)
    }
}
