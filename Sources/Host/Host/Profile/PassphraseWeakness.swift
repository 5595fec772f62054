/// Why a passphrase is easy to guess for somebody who has the disk and tries out what people choose.
///
/// A hint for the person and no measure: what is not recognised here may be weak all the same.
package enum PassphraseWeakness: Sendable, Hashable {
    /// Fewer than ``shortest`` characters.
    case short
    /// One of the first that everybody tries, perhaps with digits or signs around it.
    case common
    /// Few different characters, or a row of them as on a keyboard.
    case repetitive
    /// Digits only, and fewer than eighteen: a date or a number of a telephone.
    case digits

    /// Characters.
    package static let shortest = 12

    /// Nil if nothing of this holds.
    package init?(of passphrase: String) {
        let plain = passphrase.lowercased()
        let letters = plain.filter(\.isLetter)
        if plain.count < Self.shortest {
            self = .short
        } else if plain.allSatisfy(\.isNumber), plain.count < 18 {
            self = .digits
        } else if Set(plain).count < 6 || Self.isRow(plain) {
            self = .repetitive
        } else if Self.firstGuesses.contains(letters) {
            self = .common
        } else {
            return nil
        }
    }

    /// What a person reads about it, after "this passphrase is easy to guess:".
    package var sentence: String {
        let advice =
            "Four or more words that have nothing to do with each other are hard to guess and easy to remember."
        return switch self {
        case .short: "it has fewer than \(Self.shortest) characters. \(advice)"
        case .common: "it is one of the first that everybody tries. \(advice)"
        case .repetitive: "it repeats itself, or goes along the keyboard or the alphabet. \(advice)"
        case .digits: "it has digits only. \(advice)"
        }
    }

    /// Letters that are left when digits and signs are taken away.
    private static let firstGuesses: Set<String> = [
        "password", "passwort", "passphrase", "letmein", "iloveyou", "welcome", "administrator", "correcthorse",
        "correcthorsebatterystaple", "opensesame", "trustno", "changeme", "secret", "mypassword", "passwordpassword",
        "alcovealcove", "alcove",
    ]

    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiopasdfghjklzxcvbnm",
        "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn", "zyxwvutsrqponmlkjihgfedcba",
        "98765432109876543210",
    ]

    /// Whether at least four fifths of the steps from one character to the next are steps along a row.
    private static func isRow(_ text: String) -> Bool {
        let characters = Array(text)
        let pairs = zip(characters, characters.dropFirst()).map { String([$0, $1]) }
        let steps = pairs.count { pair in rows.contains { $0.contains(pair) } }
        return steps * 5 >= pairs.count * 4
    }
}
