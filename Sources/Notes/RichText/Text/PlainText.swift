extension RichText {
    /// The text of the first block that has any, trimmed. A list or a table is one block: its texts follow each other
    /// without a space, as the desktop app has it. `Untitled` if there is no text at all.
    public var title: String {
        for block in blocks {
            let title = block.text(between: "").trimmed
            if !title.isEmpty { return title }
        }
        return "Untitled"
    }

    /// The plain text for search: a line for each block of the document. Within it, spaces keep items and cells apart.
    public var contentText: String { blocks.map { $0.text(between: " ") }.joined(separator: "\n") }

    /// What a list shows below the title: the text after the first line without blank lines, at most 200 UTF-16 units.
    public var snippet: String { Self.snippet(of: contentText) }

    /// The same for a caller that has the ``contentText`` already.
    public static func snippet(of contentText: String) -> String {
        var snippet = ""
        for line in contentText.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
            guard snippet.utf16.count < 200 else { break }
            guard !String(line).trimmed.isEmpty else { continue }
            snippet += (snippet.isEmpty ? "" : "\n") + line
        }
        return snippet.prefix(utf16Units: 200)
    }
}

extension RichText.Node {
    /// The text of all runs; `separator` stands between text blocks and for a hard break.
    func text(between separator: String) -> String {
        var text = ""
        appendText(to: &text, separator)
        return text
    }

    private func appendText(to text: inout String, _ separator: String) {
        switch self {
        case .text(let runs):
            for run in runs { text += run.text ?? "" }
        case .element(let element):
            let isApart = element.name == "hardBreak" || !element.children.isEmpty
            if isApart, !text.isEmpty, !text.hasSuffix(separator) { text += separator }
            for child in element.children { child.appendText(to: &text, separator) }
        }
    }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        let start = unicodeScalars.drop { $0.isSpace }
        guard let last = start.lastIndex(where: { !$0.isSpace }) else { return "" }
        return String(start[...last])
    }

    /// The longest beginning with at most so many UTF-16 code units that splits no surrogate pair.
    func prefix(utf16Units limit: Int) -> String {
        guard let end = utf16.index(utf16.startIndex, offsetBy: limit, limitedBy: utf16.endIndex) else {
            return String(self)
        }
        return String(self[..<(end.samePosition(in: unicodeScalars) ?? utf16.index(before: end))])
    }
}

extension Unicode.Scalar {
    /// What JavaScript trims.
    var isSpace: Bool { properties.isWhitespace || value == 0xFEFF }
}
