/// Text that a terminal shows and does not obey.
package enum PlainText {
    /// Newlines stay, a tab is a space, control characters are U+FFFD, and what reorders text on the line, so that it
    /// could be read as something else, is left out.
    static func of(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09: result.append(" ")
            case 0x0A, 0x0D: result.append(scalar)
            case 0x85, 0x2028, 0x2029: result.append("\n")
            // Marks, embeddings, overrides and isolates of direction, marks of annotations, and invisible tags.
            case 0x61C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
                0xE0000...0xE001F:
                break
            default: result.append(scalar.isShown ? scalar : "\u{FFFD}")
            }
        }
        return String(result)
    }

    /// The cells of a terminal that a grapheme takes.
    package static func cells(_ character: Character) -> Int {
        let advance = Advances.of(character)
        guard advance > 0, let first = character.unicodeScalars.first else { return 0 }
        let isWide = character.unicodeScalars.contains { Advances.isWide($0.value) || $0 == "\u{FE0F}" }
        return isWide || first.properties.isEmojiPresentation ? 2 : 1
    }

    package static func cells(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + cells($1) } }

    /// The lines of a plain text when none may have more than `columns` cells.
    package static func lines(of text: String, columns: Int) -> [String] {
        var breaker = LineBreaker(limit: max(columns, 1))
        for character in text { breaker.take(character, advance: cells(character)) }
        let utf8 = text.utf8
        return breaker.finish().map { line in
            let start = utf8.index(utf8.startIndex, offsetBy: line.start)
            let end = utf8.index(utf8.startIndex, offsetBy: line.end)
            var shown = text[start..<end]
            while shown.last == " " { shown.removeLast() }
            return String(shown)
        }
    }
}
