/// Where the words of a text end, after Unicode's default word boundaries (UAX #29), with two differences that keep what people
/// mean together: a date, a time or an amount is one word, and so is a run of one script that has no spaces between words.
///
/// Differences are told in whole words, because a merge of two changes inside one word has letters of both and is neither.
struct WordBoundaries {
    /// Offsets in UTF-16 code units at which a word, or a character that is part of none, ends.
    private(set) var ends: [Int] = []

    init(of text: String) {
        let characters = Array(text)
        let kinds = characters.map(Kind.init)
        var end = 0
        for (index, character) in characters.enumerated() {
            if index > 0, !Self.isWordGoingOn(at: index, characters, kinds) { ends.append(end) }
            end += character.utf16.count
        }
        if end > 0 { ends.append(end) }
    }

    private static func isWordGoingOn(at index: Int, _ characters: [Character], _ kinds: [Kind]) -> Bool {
        let (before, here) = (kinds[index - 1], kinds[index])
        if before.isJoined(to: here) { return true }
        // A point in a number, an apostrophe in a word: it joins what is on its two sides.
        if here == .other, index + 1 < kinds.count {
            return joins(characters[index], between: before, and: kinds[index + 1])
        }
        return before == .other && index > 1 && joins(characters[index - 1], between: kinds[index - 2], and: here)
    }

    private static func joins(_ character: Character, between before: Kind, and after: Kind) -> Bool {
        switch (before, after) {
        case (.digit, .digit): "'’.,:/-٫٬⁄".contains(character)
        case (.letter, .letter): "'’.·‧״׳".contains(character)
        default: false
        }
    }

    private enum Kind {
        case letter
        case digit
        case ideograph
        case hiragana
        case katakana
        /// The sign that makes a sound longer: it goes on with whichever of the two it follows.
        case kanaMark
        /// A space, a sign, an emoji: each is by itself.
        case other

        init(_ character: Character) {
            guard let scalar = character.unicodeScalars.first else {
                self = .other
                return
            }
            self =
                switch scalar.value {
                case 0x30...0x39: .digit
                case 0x41...0x5A, 0x5F, 0x61...0x7A: .letter
                case ..<0x80: .other
                case 0x30FC, 0xFF70: .kanaMark
                case 0x3041...0x309F, 0x1B001...0x1B11F: .hiragana
                case 0x30A1...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: .katakana
                case 0x2E80...0x2FDF, 0x3005...0x3007: .ideograph
                default: Kind(scalar.properties)
                }
        }

        private init(_ properties: Unicode.Scalar.Properties) {
            if properties.isIdeographic {
                self = .ideograph
            } else if properties.generalCategory == .decimalNumber {
                self = .digit
            } else if properties.isAlphabetic || properties.generalCategory == .connectorPunctuation {
                self = .letter
            } else {
                self = .other
            }
        }

        func isJoined(to next: Kind) -> Bool {
            switch (self, next) {
            case (.letter, .letter), (.letter, .digit), (.digit, .letter), (.digit, .digit): true
            case (.hiragana, .kanaMark), (.katakana, .kanaMark), (.kanaMark, .kanaMark): true
            case (.kanaMark, .hiragana), (.kanaMark, .katakana): true
            case (.ideograph, .ideograph), (.hiragana, .hiragana), (.katakana, .katakana): true
            default: false
            }
        }
    }
}
