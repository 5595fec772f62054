package import AppCore

/// The sentences of one language: makes of ``Words`` what a person reads.
///
/// A file in `Library` for each language, with a sentence for every key. A placeholder `{name}` takes the argument of that name.
/// A sentence that depends on a number has one form for each plural category of the language (Unicode CLDR).
package struct Catalogue: Sendable {
    /// A language tag: `en` (BCP 47).
    package let language: String
    package let direction: Direction
    private let sentences: [String: Sentence]
    private let plural: PluralRule

    /// Where lines begin.
    package enum Direction: String, Sendable, Codable {
        case leftToRight = "left_to_right"
        case rightToLeft = "right_to_left"
    }

    /// Every key for which there is a sentence.
    package var keys: Set<String> { Set(sentences.keys) }

    /// Reads a catalogue.
    /// - Throws: `DecodingError` if the JSON is not one.
    package init(json: some Sequence<UInt8>) throws {
        let file = try JSON.decode(File.self, from: json)
        self.init(language: file.language, direction: file.direction, sentences: file.sentences)
    }

    init(language: String, direction: Direction, sentences: [String: Sentence]) {
        self.language = language
        self.direction = direction
        self.sentences = sentences
        plural = PluralRule(language: language)
    }

    private struct File: Decodable {
        var language: String
        var direction: Direction
        var sentences: [String: Sentence]

        private enum Key: CodingKey { case language, direction, sentences }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            language = try container.decode(String.self, forKey: .language)
            direction = try container.decode(Direction.self, forKey: .direction)
            sentences = try container.decode([String: Sentence].self, forKey: .sentences)
        }
    }

    /// The names of the arguments that a sentence takes; `nil` if there is no such sentence.
    package func arguments(of key: String) -> Set<String>? { sentences[key]?.arguments }

    /// The same catalogue with other sentences, made of these.
    func mapped(language: String, direction: Direction, _ change: (Sentence) -> Sentence) -> Catalogue {
        Catalogue(language: language, direction: direction, sentences: sentences.mapValues(change))
    }

    // MARK: - Reading

    /// What a person reads. A key without a sentence is shown as it is, and so is an argument that is missing.
    package func text(_ words: Words) -> String {
        switch words {
        case .said(let text): text
        case .key(let key, let args): sentence(key, args)
        case .all(let words): joined(words, by: "join.sentences")
        case .list(let words): joined(words, by: "join.list")
        }
    }

    private func sentence(_ key: String, _ args: [String: Words.Arg]) -> String {
        guard let sentence = sentences[key] else { return key }
        return sentence.template(for: args, plural).filled { name in args[name].map(text) ?? "{\(name)}" }
    }

    private func text(_ arg: Words.Arg) -> String {
        switch arg {
        case .said(let text): text
        case .count(let count): "\(count)"
        case .bytes(let bytes): size(bytes)
        case .time(let time): "\(time.milliseconds)"
        case .duration(let milliseconds): duration(milliseconds)
        case .words(let words): text(words)
        case .list(let words): joined(words, by: "join.list")
        }
    }

    private func joined(_ words: [Words], by key: String) -> String {
        guard let last = words.last else { return "" }
        return words.dropLast().reversed().reduce(text(last)) { rest, first in
            sentence(key, ["first": .words(first), "rest": .said(rest)])
        }
    }

    /// A number of bytes in words: `312 bytes`, `5 KiB`, `3 MiB`.
    private func size(_ bytes: Int64) -> String {
        let (unit, count) =
            switch bytes {
            case ..<1024: ("unit.byte", bytes)
            case ..<(1 << 20): ("unit.kib", (bytes + 1023) >> 10)
            case let bytes where bytes >= 1 << 30 && bytes % (1 << 30) == 0: ("unit.gib", bytes >> 30)
            default: ("unit.mib", bytes >> 20)
            }
        return sentence(unit, ["count": .count(Int(clamping: count))])
    }

    /// A duration in words, rounded up: `1 second`, `5 minutes`, `12 hours`.
    private func duration(_ milliseconds: Int64) -> String {
        let seconds = max(milliseconds, 0) / 1000 + (milliseconds % 1000 > 0 ? 1 : 0)
        let units: [(size: Int64, name: String)] = [(86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")]
        let unit = units.first { seconds >= $0.size && (seconds % $0.size == 0 || seconds >= 2 * $0.size) }
        let (size, name) = unit ?? (1, "second")
        let count = seconds / size + (seconds % size > 0 ? 1 : 0)
        return sentence("unit.\(name)", ["count": .count(Int(clamping: count))])
    }
}

extension Catalogue {
    /// The languages that came with the program, by their tags.
    package static let all: [String: Catalogue] = Dictionary(
        uniqueKeysWithValues: embeddedFiles.compactMap { file in
            (try? Catalogue(json: file.json.utf8)).map { (file.name, $0) }
        })

    /// The files of the languages that came with the program, as JSON, by the languages' tags.
    package static let files: [String: [UInt8]] = Dictionary(
        uniqueKeysWithValues: embeddedFiles.compactMap { file in
            let json = try? JSON.encode(JSON.decode(JSONValue.self, from: file.json.utf8))
            return json.map { (file.name, $0) }
        })

    /// The catalogue for a language; English if there is none.
    /// - Parameter tag: a language tag (BCP 47), or the name of a locale (`de_AT.UTF-8`).
    package static func speaking(_ tag: String) -> Catalogue {
        let language = tag.split { "-_.@".contains($0) }.first ?? ""
        return all[language.lowercased()] ?? english
    }

    /// English, in which every sentence is written first.
    package static let english = all["en"] ?? Catalogue(language: "en", direction: .leftToRight, sentences: [:])
}

extension Words {
    /// In English: what commands print, and what tests compare.
    package var english: String { Catalogue.english.text(self) }
}

extension Failure {
    /// What a person reads about it, in English.
    package var sentence: String { Words(self).english }

    /// The same for a person who gave or changed the passphrase.
    package var passphraseSentence: String { passphraseWords.english }
}

extension Notice {
    /// What a person reads, in English.
    package var sentence: String { text.english }
}
