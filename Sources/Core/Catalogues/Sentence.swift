import AppCore

/// One sentence of a language: a template, or one for each plural category of a number.
///
/// JSON: `"Remove {title}"`, or `{"by":"count","one":"{count} day","other":"{count} days"}`.
struct Sentence: Sendable, Hashable {
    /// The argument whose number decides; `nil` for a sentence with one form.
    private let number: String?
    private let forms: [PluralRule.Category: Template]

    init(_ template: Template) {
        number = nil
        forms = [.other: template]
    }

    private init(by number: String?, forms: [PluralRule.Category: Template]) {
        self.number = number
        self.forms = forms
    }

    var arguments: Set<String> { Set(forms.values.flatMap(\.arguments)).union(number.map { [$0] } ?? []) }

    func template(for args: [String: Words.Arg], _ rule: PluralRule) -> Template {
        var category = PluralRule.Category.other
        if let number, case .count(let count) = args[number] { category = rule.category(of: count) }
        return forms[category] ?? forms[.other] ?? Template("")
    }

    func mapped(_ change: (String) -> String) -> Sentence {
        Sentence(by: number, forms: forms.mapValues { $0.mapped(change) })
    }
}

extension Sentence: Decodable {
    private enum Key: String, CodingKey { case by, zero, one, two, few, many, other }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.init(Template(text))
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        var forms: [PluralRule.Category: Template] = [:]
        for category in PluralRule.Category.allCases {
            guard let key = Key(rawValue: category.rawValue) else { continue }
            forms[category] = try container.decodeIfPresent(String.self, forKey: key).map { Template($0) }
        }
        guard forms[.other] != nil else {
            throw DecodingError.keyNotFound(
                Key.other, .init(codingPath: container.codingPath, debugDescription: "every sentence has a form other"))
        }
        self.init(by: try container.decode(String.self, forKey: .by), forms: forms)
    }
}

/// A text with placeholders: `Remove {title}`.
struct Template: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case text(String)
        case argument(String)
    }

    private var parts: [Part] = []

    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.argument(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
    }

    var arguments: [String] { parts.compactMap { if case .argument(let name) = $0 { name } else { nil } } }

    func filled(_ value: (String) -> String) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .argument(let name): value(name)
            }
        }
        .joined()
    }

    func mapped(_ change: (String) -> String) -> Template {
        var copy = self
        copy.parts = parts.map { part in
            if case .text(let text) = part { .text(change(text)) } else { part }
        }
        return copy
    }
}
