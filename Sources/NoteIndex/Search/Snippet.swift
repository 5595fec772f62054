internal import Foundation

/// The piece of a text that shows why it was found.
struct Snippet {
    /// The match with some words around it, or the beginning if nothing after the first line matches. It is one line.
    let line: String

    /// Characters of a note in which a match is looked for.
    static let reach = 100_000
    /// Characters on each side of the match.
    private static let before = 40
    private static let after = 120

    /// - Parameter text: its first line is the title, which is shown anyway.
    init(text: String, terms: [SearchQuery.Term]) {
        let body = text[(text.firstIndex(of: "\n") ?? text.endIndex)...].dropFirst()
        let match = Self.firstWord(in: body, matching: terms.compactMap(Word.init))
        line = Self.cut(body, around: match ?? body.startIndex..<body.startIndex)
    }

    /// The first word of a term, folded; the rest of a phrase is beside it.
    private struct Word {
        let folded: [UInt8]
        let isTag: Bool
        let isPrefix: Bool

        init?(_ term: SearchQuery.Term) {
            let scalars = term.typed.unicodeScalars
            guard let start = scalars.firstIndex(where: { Snippet.isLetter($0) }) else { return nil }
            let isTag = start > scalars.startIndex && scalars[scalars.index(before: start)] == "#"
            let end = scalars[start...].firstIndex { !Snippet.isLetter($0, inTag: isTag) } ?? scalars.endIndex
            self.isTag = isTag
            folded = Snippet.folded(Substring(scalars[start..<end]))
            isPrefix = term.isPrefix && !scalars[end...].contains(where: { Snippet.isLetter($0) })
        }
    }

    private static func firstWord(in text: Substring, matching wanted: [Word]) -> Range<String.Index>? {
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        var isTag = false
        while index < scalars.endIndex {
            guard isLetter(scalars[index]) else {
                isTag = scalars[index] == "#"
                scalars.formIndex(after: &index)
                continue
            }
            let start = index
            while index < scalars.endIndex, isLetter(scalars[index], inTag: isTag) {
                scalars.formIndex(after: &index)
            }
            let word = folded(text[start..<index])
            let isMatch = wanted.contains { wanted in
                wanted.isTag == isTag
                    && (wanted.isPrefix ? word.starts(with: wanted.folded) : word == wanted.folded)
            }
            if isMatch { return start..<index }
            isTag = false
        }
        return nil
    }

    /// Without case and without accents, as the search index compares.
    private static func folded(_ word: Substring) -> [UInt8] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) {
            return word.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        let plain = word.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
        return Array(String(plain).utf8)
    }

    private static func isLetter(_ scalar: Unicode.Scalar, inTag: Bool = false) -> Bool {
        if scalar.value < 0x80 { return SearchText.isWord(UInt8(scalar.value)) && (inTag || scalar != "_") }
        let properties = scalar.properties
        return properties.isAlphabetic || properties.numericType != nil || properties.generalCategory == .nonspacingMark
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
