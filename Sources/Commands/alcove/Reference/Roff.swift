/// Words in the language of manual pages.
enum Roff {
    /// Text as it is: nothing in it is a request, and hyphens can be copied.
    static func text(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        let plain = escaped.unicodeScalars.map { scalar in
            scalar.isASCII ? String(scalar) : "\\[u" + String(scalar.value, radix: 16, uppercase: true).leftPadded + "]"
        }
        return escaped.first == "." || escaped.first == "'" ? "\\&" + plain.joined() : plain.joined()
    }

    static func bold(_ words: String) -> String { "\\fB" + text(words) + "\\fR" }

    static func italic(_ words: String) -> String { "\\fI" + text(words) + "\\fR" }

    /// `alcove-note(1)`
    static func page(_ name: String) -> String { bold(name) + "(1)" }

    static func list(_ pages: [String]) -> String { pages.map(page).joined(separator: ", ") }

    static func paragraph(_ words: String) -> [String] { [".PP", text(words)] }

    /// What a word means, indented below it.
    static func entry(_ written: String, _ meaning: String) -> [String] { [".TP", written, text(meaning)] }

    static func entry(_ option: Arguments.Option) -> [String] {
        let names = [option.short, "--" + option.name].compactMap(\.self).map(bold).joined(separator: ", ")
        return entry(names + (option.value.map { " " + italic($0) } ?? ""), option.help)
    }

    /// Lines that are not filled.
    static func examples(_ lines: [String]) -> [String] {
        [".PP", ".nf", ".RS 4"] + lines.map(text) + [".RE", ".fi"]
    }
}

extension String {
    /// Four digits at least, as names of characters have.
    fileprivate var leftPadded: String { String(repeating: "0", count: max(4 - count, 0)) + self }
}
