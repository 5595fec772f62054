/// Text with the name of its author.
struct WrittenText: Hashable, Sendable {
    var text: String
    /// Nil if it is unknown.
    var author: String?
}

/// Carries the authors of a document's text over to its Markdown.
///
/// The printed Markdown has all of the text in its order, and spelling between it: marks, bullets, escapes. What belongs to the
/// spelling goes with the text before it. Where text and spelling look alike the border between two authors may be off by
/// that character; nothing is ever left out, so that the pieces joined are the Markdown.
struct Authorship {
    /// A longer stretch of Markdown than this is not searched for the next character of text.
    private static let reach = 4096

    static func spans(of markdown: String, by text: [WrittenText]) -> [NoteText.Span] {
        var authors: [String?] = []
        var written: [UInt16] = []
        for piece in text {
            let units = Array(piece.text.utf16)
            written += units
            authors += repeatElement(piece.author, count: units.count)
        }
        let printed = Array(markdown.utf16)
        var spans: [NoteText.Span] = []
        var (start, author) = (0, authors.first ?? nil)
        var position = 0
        for (unit, next) in zip(written, authors) {
            // White space is what a printer changes.
            guard unit > 0x20, let found = printed[position...].prefix(reach).firstIndex(of: unit) else { continue }
            if next != author {
                // Opening marks and a bullet belong to whom the text behind them belongs.
                let border = boundary(printed, from: position, to: found)
                if border > start { spans.append(.init(text: string(printed[start..<border]), author: author)) }
                (start, author) = (border, next)
            }
            position = found + 1
        }
        if start < printed.count { spans.append(.init(text: string(printed[start...]), author: author)) }
        return spans
    }

    /// Where the author changes between two characters of text: behind the last line break, else at the second of them.
    private static func boundary(_ printed: [UInt16], from start: Int, to end: Int) -> Int {
        let lineFeed = printed[start..<end].lastIndex(of: 0x0a).map { $0 + 1 } ?? end
        return lineFeed
    }

    private static func string(_ units: ArraySlice<UInt16>) -> String { String(decoding: units, as: UTF16.self) }
}
