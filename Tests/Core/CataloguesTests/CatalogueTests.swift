import AppCore
import Scenarios
import Testing

@testable import Catalogues

/// Every sentence that the core asks for is in the catalogue, with the arguments that it names.
@Suite struct CatalogueTests {
    @Test(arguments: Scenario.names) func everyWordOfAScenarioIsThere(name: String) throws {
        let tree = try Scenario.named(name).play().driver.core.tree
        for words in tree.words { try Self.check(words, in: .english) }
    }

    @Test func everyFailureHasASentence() throws {
        for code in Failure.Code.allCases {
            for place in [nil, "example.org"] {
                for wait in [nil, Int64(5000)] {
                    try Self.check(Words(Failure(code, retryAfter: wait, place: place)), in: .english)
                }
            }
        }
    }

    private static func check(_ words: Words, in catalogue: Catalogue) throws {
        switch words {
        case .said: break
        case .all(let all), .list(let all): for words in all { try check(words, in: catalogue) }
        case .key(let key, let args):
            let wanted = try #require(catalogue.arguments(of: key), "there is no sentence \(key)")
            #expect(wanted == Set(args.keys), "the sentence \(key) takes other arguments")
            for arg in args.values { if case .words(let words) = arg { try check(words, in: catalogue) } }
        }
    }

    @Test func theCatalogueCanBeRead() {
        #expect(Catalogue.all.keys.sorted() == ["de", "en"])
        #expect(Catalogue.english.keys.count > 400)
        #expect(Catalogue.pseudo.keys == Catalogue.english.keys)
    }

    @Test(arguments: Catalogue.all.keys.sorted()) func everyLanguageSaysTheSame(language: String) throws {
        let catalogue = try #require(Catalogue.all[language])
        #expect(catalogue.language == language)
        #expect(catalogue.keys.symmetricDifference(Catalogue.english.keys) == [])
        for key in catalogue.keys {
            #expect(catalogue.arguments(of: key) == Catalogue.english.arguments(of: key), "\(language): \(key)")
        }
    }

    /// Whoever chooses a language has to find it in the settings, and under its own name.
    @Test func everyLanguageCanBeChosen() {
        #expect(Set(Settings.Language.allCases.map(\.rawValue)) == Set(Catalogue.all.keys).union(["system"]))
        for catalogue in Catalogue.all.values {
            #expect(catalogue.text("settings.language.de") == "Deutsch")
            #expect(catalogue.text("settings.language.en") == "English")
        }
    }

    @Test(
        arguments: [
            ("de", "de"), ("de_AT.UTF-8", "de"), ("DE-ch", "de"), ("en_GB", "en"), ("C.UTF-8", "en"), ("fr", "en"),
            ("", "en"),
        ])
    func aLocaleHasALanguage(locale: String, language: String) {
        #expect(Catalogue.speaking(locale).language == language)
    }

    @Test func numbersInGerman() throws {
        let german = try #require(Catalogue.all["de"])
        for (count, text) in [(0, "0 neue Nachrichten"), (1, "1 neue Nachricht"), (2, "2 neue Nachrichten")] {
            #expect(german.text(.key("chat.unseen", ["count": .count(count)])) == text)
        }
        #expect(german.text(.key("duration", ["time": .duration(172_800_000)])) == "2 Tage")
    }

    @Test func whatIsMissingIsShownByItsName() {
        #expect(Words.key("no.such.sentence").english == "no.such.sentence")
        #expect(Words.key("app.remove").english == "Remove {title}")
    }

    @Test func whatSomebodySaidIsNoTemplate() {
        let said = Words.key("app.remove", ["title": .said("{title} {x}")])
        #expect(said.english == "Remove {title} {x}")
        #expect(Words.said("{title}").english == "{title}")
    }

    @Test(
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (999, "1 second"), (59_000, "59 seconds"), (60_000, "1 minute"),
            (3_600_000, "1 hour"), (43_200_000, "12 hours"), (86_400_000, "1 day"), (90_000_000, "25 hours"),
            (-5, "0 seconds"), (Int64.max, "106751991168 days"),
        ] as [(Int64, String)])
    func durations(milliseconds: Int64, text: String) {
        #expect(Words.key("duration", ["time": .duration(milliseconds)]).english == text)
    }

    @Test(arguments: [(1, "1 byte"), (312, "312 bytes"), (5000, "5 KiB"), (3 << 20, "3 MiB"), (4 << 30, "4 GiB")])
    func sizes(bytes: Int64, text: String) {
        #expect(Words.key("app.id_and_size", ["id": .said("x"), "bytes": .bytes(bytes)]).english == "x, \(text)")
    }

    @Test func sentencesAndListsAreJoined() {
        #expect(Words.all([.said("One"), .said("Two"), .said("Three")]).english == "One. Two. Three")
        #expect(Words.list([.said("a"), .said("b"), .said("c")]).english == "a, b, c")
        #expect(Words.list([]).english == "")
    }

    @Test func pseudoIsLongerAccentedAndFromTheRight() {
        let (words, pseudo) = (Words.key("rooms.create"), Catalogue.pseudo)
        #expect(pseudo.direction == .rightToLeft)
        #expect(pseudo.text(words).count > words.english.count)
        #expect(pseudo.text(words).unicodeScalars.first == "\u{200F}")
        #expect(pseudo.text(.key("app.remove", ["title": .said("Feeds")])).hasSuffix("Feeds"))
    }

    @Test func wordsSurviveJSON() throws {
        let all: [Words] = [
            "chat.send", .said("Ann"), .list([.said("a"), "chat.send"]), .all([.said("x")]),
            .key(
                "k",
                [
                    "a": .said("b"), "c": .count(3), "d": .bytes(4), "e": .duration(5), "f": .words("chat.send"),
                    "g": .list(["chat.send"]), "h": .time(Timestamp(milliseconds: 6)),
                ]),
        ]
        for words in all { #expect(try JSON.decode(Words.self, from: JSON.encode(words)) == words) }
        #expect(String(decoding: try JSON.encode(all[0]), as: UTF8.self) == "\"chat.send\"")
    }
}

@Suite struct PluralRuleTests {
    /// Examples of CLDR 44.
    @Test(
        arguments: [
            ("en", "other one other other other other other"), ("de", "other one other other other other other"),
            ("fr", "one one other other other other other"),
            ("ru", "many one few many many one many"), ("pl", "many one few many many many many"),
            ("ar", "zero one two few many many many"), ("ja", "other other other other other other other"),
            ("he", "other one two other other other other"), ("cs", "other one few other other other other"),
        ])
    func categories(language: String, expected: String) {
        let rule = PluralRule(language: language)
        let found = [0, 1, 2, 5, 11, 21, 25].map { rule.category(of: $0).rawValue }.joined(separator: " ")
        #expect(found == expected)
    }
}

extension SemanticNode {
    fileprivate var words: [Words] {
        var words = [label] + [detail].compactMap(\.self)
        if case .words(let shown) = value { words.append(shown) }
        return words + children.flatMap(\.words)
    }
}
