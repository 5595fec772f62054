extension Catalogue {
    /// A language for tests: English with accents, half as long again, and written from right to left. Whoever knows English can read
    /// it; what was forgotten in the catalogue, or has no room for a longer language, shows at once.
    package static let pseudo = english.mapped(language: "en-XB", direction: .rightToLeft) { sentence in
        sentence.mapped { "\u{200F}" + lengthened($0) }
    }

    private static func lengthened(_ text: String) -> String {
        var letters = 0
        let accented = text.map { letter -> String in
            guard letter.isLetter else { return String(letter) }
            letters += 1
            let changed = accents[letter] ?? letter
            return letters % 2 == 0 ? "\(changed)\(changed)" : String(changed)
        }
        return accented.joined()
    }

    private static let accents: [Character: Character] = [
        "a": "á", "c": "ç", "d": "ð", "e": "é", "g": "ĝ", "h": "ĥ", "i": "ï", "j": "ĵ", "k": "ķ", "l": "ļ", "n": "ñ",
        "o": "ô", "r": "ŕ", "s": "š", "t": "ţ", "u": "ü", "w": "ŵ", "y": "ý", "z": "ž", "A": "Å", "C": "Ç", "D": "Ð",
        "E": "É", "I": "Î", "N": "Ñ", "O": "Ö", "S": "Š", "T": "Ţ", "U": "Û", "W": "Ŵ", "Y": "Ý",
    ]
}
