/// Which form of a sentence a number takes (Unicode CLDR, cardinal plural rules, for whole numbers).
struct PluralRule: Sendable, Hashable {
    enum Category: String, Sendable, Hashable, CaseIterable { case zero, one, two, few, many, other }

    private enum Rule: Sendable, Hashable { case english, french, none, slavic, polish, czech, arabic, hebrew }

    private let rule: Rule

    /// - Parameter language: a tag (BCP 47); languages that are not in the list follow English.
    init(language: String) {
        rule =
            switch language.split(separator: "-").first.map(String.init) ?? language {
            case "fr", "pt", "hi": .french
            case "zh", "ja", "ko", "vi", "th", "id", "ms": .none
            case "ru", "uk", "be", "sr", "hr", "bs": .slavic
            case "pl": .polish
            case "cs", "sk": .czech
            case "ar": .arabic
            case "he": .hebrew
            default: .english
            }
    }

    func category(of number: Int) -> Category {
        let count = number.magnitude
        let (tens, units) = (count % 100, count % 10)
        switch rule {
        case .none: return .other
        case .english: return count == 1 ? .one : .other
        case .french: return count <= 1 ? .one : .other
        case .hebrew: return count == 1 ? .one : count == 2 ? .two : .other
        case .czech: return count == 1 ? .one : (2...4).contains(count) ? .few : .other
        case .slavic:
            if units == 1, tens != 11 { return .one }
            return (2...4).contains(units) && !(12...14).contains(tens) ? .few : .many
        case .polish:
            if count == 1 { return .one }
            return (2...4).contains(units) && !(12...14).contains(tens) ? .few : .many
        case .arabic:
            switch count {
            case 0: return .zero
            case 1: return .one
            case 2: return .two
            default: return (3...10).contains(tens) ? .few : tens >= 11 ? .many : .other
            }
        }
    }
}
