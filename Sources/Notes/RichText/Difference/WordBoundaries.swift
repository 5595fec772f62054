/// Where the words of a text end: at spaces, and in scripts that have none between words, where a new word is likely to begin.
///
/// Differences are told in whole words, because a merge of two changes inside one word has letters of both and is neither. What stands
/// without a space is therefore one word, whatever it holds: `€1,000`, `-5°`, `2026-11-22T10:30+02:00`, `don't`, `a@b.org`. A non-breaking
/// or thin space is part of the word (`10 000`). Chinese and Japanese characters go together with the hiragana behind them, and a
/// sign or an emoji among them is by itself.
struct WordBoundaries {
    /// Offsets in UTF-16 code units at which a word, or a character that is part of none, ends.
    private(set) var ends: [Int] = []

    init(of text: String) {
        var end = 0
        var before: Kind?
        for character in text {
            let kind = Kind(character)
            if let before, !before.goesOn(with: kind) { ends.append(end) }
            end += character.utf16.count
            before = kind
        }
        if end > 0 { ends.append(end) }
    }

    private enum Kind {
        /// Anything that is written with spaces between words: letters, digits, and signs.
        case spaced
        case ideograph
        case hiragana
        case katakana
        /// A space, an emoji, a full-width sign: each is by itself.
        case single

        init(_ character: Character) {
            guard let scalar = character.unicodeScalars.first else {
                self = .single
                return
            }
            self =
                switch scalar.value {
                case 0x21...0x7E, 0xA0, 0x2007, 0x2009, 0x202F: .spaced
                // The sign that makes a sound longer goes on with what it follows.
                case 0x3041...0x309F, 0x30FC, 0xFF70, 0x1B001...0x1B11F: .hiragana
                case 0x30A1...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: .katakana
                case 0x2E80...0x2FDF, 0x3005...0x3007: .ideograph
                case 0x3000...0x303F, 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65: .single
                case _ where scalar.properties.isIdeographic: .ideograph
                case _ where character.isWhitespace || scalar.properties.isEmojiPresentation: .single
                default: .spaced
                }
        }

        func goesOn(with next: Kind) -> Bool {
            switch (self, next) {
            case (.spaced, .spaced), (.ideograph, .ideograph), (.katakana, .katakana): true
            case (.ideograph, .hiragana), (.katakana, .hiragana), (.hiragana, .hiragana): true
            default: false
            }
        }
    }
}
