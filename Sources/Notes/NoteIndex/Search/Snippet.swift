/// The piece of a text that shows why it was found.
struct Snippet {
    /// The match with some words around it, or the beginning if nothing after the first line matches. It is one line.
    let line: String

    /// Characters of a note in which a match is looked for.
    static let reach = 100_000
    /// Characters on each side of the match.
    private static let before = 40
    private static let after = 120

    /// Whether there is a match after the first line.
    let isMatch: Bool

    /// - Parameter text: its first line is the title, which is shown anyway.
    init(text: String, _ scanner: WordScanner) {
        let text = SearchTokenizer.composed(text)
        let body = String(text[(text.firstIndex(of: "\n") ?? text.endIndex)...].dropFirst())
        let match = scanner.firstMatch(in: body)
        isMatch = match != nil
        line = Self.cut(body[...], around: match ?? body.startIndex..<body.startIndex)
    }

    /// Nil if nothing in the comment matches.
    init?(comment: String, _ scanner: WordScanner) {
        let comment = SearchTokenizer.composed(comment)
        guard let match = scanner.firstMatch(in: comment, hasTags: false) else { return nil }
        isMatch = true
        line = Self.cut(comment[...], around: match)
    }

    /// Cuts between words where it can.
    private static func cut(_ text: Substring, around match: Range<String.Index>) -> String {
        var start = text.index(match.lowerBound, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
        if start > text.startIndex, let space = text[start..<match.lowerBound].firstIndex(where: \.isWhitespace) {
            start = text.index(after: space)
        }
        var end = text.index(match.upperBound, offsetBy: after, limitedBy: text.endIndex) ?? text.endIndex
        if end < text.endIndex, let space = text[match.upperBound..<end].lastIndex(where: \.isWhitespace) {
            end = space
        }
        let line = text[start..<end].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return (start > text.startIndex ? "…" : "") + line + (end < text.endIndex ? "…" : "")
    }
}
