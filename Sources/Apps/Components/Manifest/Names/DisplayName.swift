/// The name of an app as an eye sees it, to find names that one could take for another.
///
/// Case, accents, spaces, punctuation and what is invisible make no difference, and letters of other scripts count as the Latin ones
/// that they look like. This finds what is meant to deceive at a glance; it is no proof that two names are told apart.
///
/// Two are equal if they could be taken for one.
public struct DisplayName: Hashable, Sendable {
    /// The rest of a name, or the whole name if nothing is left.
    private let skeleton: String

    /// A name for display, made of any text.
    public init(_ name: String) {
        var letters = ""
        for scalar in name.lowercased().unicodeScalars {
            if let letter = Self.lookAlikes[scalar] ?? Self.base(of: scalar) { letters.unicodeScalars.append(letter) }
        }
        letters = letters.split(separator: "rn", omittingEmptySubsequences: false).joined(separator: "m")
            .split(separator: "vv", omittingEmptySubsequences: false).joined(separator: "w")
        skeleton = letters.isEmpty ? name : letters
    }

    /// The letter or digit without what is put on it; nil for everything else. Its Unicode name says what it was made from: `LATIN SMALL
    /// LETTER E WITH ACUTE`, `FULLWIDTH LATIN SMALL LETTER E`, `MATHEMATICAL BOLD SMALL E`.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .titlecaseLetter, .decimalNumber,
            .otherSymbol:
            break
        default: return nil
        }
        guard !scalar.isASCII, let name = scalar.properties.name else { return scalar }
        let words = name.split(separator: " WITH ")[0].split(separator: " ")
        guard ["LATIN", "FULLWIDTH", "MATHEMATICAL", "CIRCLED", "SQUARED", "PARENTHESIZED"].contains(words.first),
            let last = words.last, last.unicodeScalars.count == 1, let letter = last.lowercased().unicodeScalars.first
        else { return scalar.properties.generalCategory == .otherSymbol ? nil : scalar }
        return lookAlikes[letter] ?? letter
    }

    /// Small letters and digits that look like a Latin letter, from Unicode's confusables (UTS #39) as far as people write with them.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let table: [(String, Unicode.Scalar)] = [
            ("аɑα", "a"), ("ьвβ", "b"), ("сϲ", "c"), ("ԁ", "d"), ("еєɛεҽ", "e"), ("ƒ", "f"), ("ɡ", "g"), ("һнη", "h"),
            ("іїι1|ǀıɩӏi", "l"), ("јϳ", "j"), ("кκ", "k"), ("мμ", "m"), ("пո", "n"), ("оοо0օσ", "o"),
            ("рρ", "p"), ("ԛ", "q"), ("гᴦ", "r"), ("ѕ5", "s"), ("тτ", "t"), ("υսц", "u"), ("ѵν", "v"), ("ѡωԝш", "w"),
            ("хχ", "x"), ("уγү", "y"), ("ᴢζ", "z"),
        ]
        var lookAlikes: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letters, letter) in table { for scalar in letters.unicodeScalars { lookAlikes[scalar] = letter } }
        return lookAlikes
    }()
}
