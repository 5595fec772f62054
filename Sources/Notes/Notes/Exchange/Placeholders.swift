internal import RichText

/// Numbers in the place of text that CommonMark would take for something else, or that its writer would escape. Each looks like a link
/// to a note, which CommonMark neither reads nor escapes.
enum Placeholders {
    /// As long as an id.
    static func text(_ index: Int) -> String {
        let digits = String(index)
        return "[[" + String(repeating: "0", count: 22 - digits.count) + digits + "]]"
    }

    /// The text with `change` in the place of each number below `count`.
    /// - Parameter change: gets the text before and behind, too.
    static func replace(
        in text: String, count: Int, _ change: (_ index: Int, _ before: Substring, _ behind: Substring) -> String
    ) -> String {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return text }
        var replaced = ""
        var start = text.startIndex
        for (range, link) in RichText.linkRanges(in: text) {
            guard link.heading == nil, let note = link.note, note.utf8.count == 22, let index = Int(note),
                note.utf8.first == UInt8(ascii: "0"), (0..<count).contains(index)
            else { continue }
            replaced += text[start..<range.lowerBound]
            replaced += change(index, text[..<range.lowerBound], text[range.upperBound...])
            start = range.upperBound
        }
        return replaced + text[start...]
    }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// Whether it ends with this character, and no backslash takes its meaning away.
    func endsUnescaped(with character: UInt8) -> Bool {
        guard utf8.last == character else { return false }
        return utf8.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
    }
}
