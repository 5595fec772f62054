import Wire

/// Text that may be written to a terminal.
///
/// What the source says stays as it is; what is put into it while the program runs may be somebody else's, and becomes one
/// line without anything that a terminal would obey. A `String` does not become one by itself, so no text from elsewhere
/// reaches a terminal by mistake.
struct TerminalText: Sendable {
    /// What is written.
    let escaped: String

    /// What is written as it is, because it was made here and everything from elsewhere in it has been escaped.
    init(unescaped text: String) { escaped = text }

    /// A text from elsewhere as one line.
    static func line(_ text: String) -> TerminalText { TerminalText(unescaped: PrintableText.line(text)) }

    /// A text from elsewhere whose line ends stay. All of its lines but the first begin with the margin.
    static func text(_ text: String, margin: String = "") -> TerminalText {
        TerminalText(unescaped: PrintableText.lines(text, margin: margin))
    }

    /// The rows of a table or a manual with texts from elsewhere, each on a line of its own.
    static func lines(_ lines: [String]) -> TerminalText {
        TerminalText(unescaped: lines.map { PrintableText.line($0, keepsBlanks: true) }.joined(separator: "\n"))
    }

    /// A text that is JSON, with the same meaning.
    static func json(_ text: String) -> TerminalText { TerminalText(unescaped: PrintableText.json(text)) }

    /// Several, one after the other.
    static func joined(_ texts: [TerminalText], by separator: TerminalText) -> TerminalText {
        TerminalText(unescaped: texts.map(\.escaped).joined(separator: separator.escaped))
    }

    static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        TerminalText(unescaped: left.escaped + right.escaped)
    }
}

extension TerminalText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { escaped = value }

    init(stringInterpolation: StringInterpolation) { escaped = stringInterpolation.escaped }

    /// Keeps what the source says, and escapes what is put into it.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var escaped = ""

        init(literalCapacity: Int, interpolationCount: Int) { escaped.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { escaped += literal }

        mutating func appendInterpolation(_ value: some Any) {
            escaped += PrintableText.line(String(describing: value))
        }

        /// Text that is escaped already.
        mutating func appendInterpolation(_ text: TerminalText) { escaped += text.escaped }
    }
}
