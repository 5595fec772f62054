/// Makes text from elsewhere safe for a terminal, which obeys control characters and shows reordered text in another order.
///
/// Control characters (C0, C1, DEL), characters that reorder a line, and invisible ones are written as escapes such as
/// `\u{1b}`. Every script stays readable: joiners and variation selectors stay where a script or an emoji needs them.
///
/// Blanks could push text to the next row of a terminal, where it looks like a line of the program. So in a line, and
/// in lines with a margin, blanks beyond a few cells are left out. Too many marks on one letter, which would cover the
/// lines above it, are left out, too.
package enum PrintableText {
    /// One line: a line end is written as `\n`. A row of a table keeps its blanks, which make the columns.
    package static func line(_ text: String, keepsBlanks: Bool = false) -> String {
        escaped(text, newline: "\\n", cutsBlanks: !keepsBlanks)
    }

    /// Several lines. Line ends stay (`\r\n` counts as one), and every line but the first begins with the margin, so
    /// that it cannot be taken for a line of the program. Without a margin every blank stays.
    package static func lines(_ text: String, margin: String = "") -> String {
        escaped(text, newline: "\n" + margin, cutsBlanks: !margin.isEmpty)
    }

    /// A JSON text with the same meaning that is safe for a terminal: the same characters are escaped in JSON's way.
    ///
    /// In JSON such characters stand only in strings, where `\u0085` means the same as the character itself.
    package static func json(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        var result = ""
        var context = Context()
        for scalar in text.unicodeScalars {
            if scalar == "\n" || context.shows(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return result
    }

    private static func escaped(_ text: String, newline: String, cutsBlanks: Bool) -> String {
        guard !isPlain(text, cutsBlanks: cutsBlanks) else { return text }
        var result = ""
        var context = Context()
        var blanks = Blanks()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            if afterReturn, scalar != "\n" { result += escape("\r") }
            afterReturn = scalar == "\r"
            if cutsBlanks, !blanks.keep(scalar) { continue }
            switch scalar {
            case "\r": context = Context()
            case "\n":
                result += newline
                context = Context()
            case "\t":
                result += "\t"
                context = Context()
            case _ where context.shows(scalar): result.unicodeScalars.append(scalar)
            case _ where context.isHeaped: continue
            default: result += escape(scalar)
            }
        }
        return afterReturn ? result + escape("\r") : result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    /// The usual case: visible ASCII.
    private static func isPlain(_ text: String, cutsBlanks: Bool = false) -> Bool {
        var blanks = 0
        return text.utf8.allSatisfy { byte in
            blanks = byte == 0x20 ? blanks + 1 : 0
            return (0x20...0x7E).contains(byte) && (!cutsBlanks || blanks <= Blanks.limit)
        }
    }
}

/// The text before a character, which decides whether an invisible character is part of the script.
private struct Context {
    private var previous: Unicode.Scalar = " "
    /// Tags after a black flag, which make the flags of England, Scotland and Wales.
    private var tagCount = 0
    /// Marks after one base character, including those that are left out.
    private var markCount = 0

    /// More marks than any script puts on one letter.
    private static let markLimit = 16

    /// A region's name and the end of it.
    private static let tagLimit = 7

    /// Whether the last character was a surplus mark. Only the first of these is shown as an escape.
    var isHeaped: Bool { markCount > Self.markLimit + 1 }

    /// Whether a terminal can show the next character without obeying it.
    mutating func shows(_ scalar: Unicode.Scalar) -> Bool {
        let isMark = PrintableText.isMark(scalar)
        let isShown = decide(scalar) && !(isMark && markCount >= Self.markLimit)
        if isMark {
            markCount += 1
        } else if !isShown || !isHidden(scalar) {
            markCount = 0
        }
        tagCount = isShown && Self.isTag(scalar) ? tagCount + 1 : 0
        // An escape ends with a brace.
        previous = isShown ? scalar : "}"
        return isShown
    }

    private func decide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0...0x9F: false
        // Separators of lines, and the marks of annotations.
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: false
        // Joiners: in scripts that have them, and between the parts of an emoji.
        case 0x200C, 0x200D: previous.value >= 0x0590 && (!isHidden(previous) || previous == "\u{FE0F}")
        case 0xFE00...0xFE0F:
            !isHidden(previous) && (previous.value >= 0xA9 || "#*0123456789".unicodeScalars.contains(previous))
        case 0xE0100...0xE01EF: !isHidden(previous) && previous.value >= 0x2E80
        // Mongolian chooses the form of a letter with these.
        case 0x180B...0x180F: (0x1800...0x18AF).contains(previous.value) && !isHidden(previous)
        case _ where Self.isTag(scalar): previous == "\u{1F3F4}" || (tagCount > 0 && tagCount < Self.tagLimit)
        default: !isHidden(scalar)
        }
    }

    private func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isDefaultIgnorableCodePoint }

    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0020...0xE007F).contains(scalar.value) }
}
