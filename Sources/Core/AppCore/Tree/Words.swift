/// What a person reads: a sentence of the catalogue, which there is in every language, or text of somebody, which is shown as it is.
///
/// The core says what is to be read and never how it is worded. A renderer finds the sentence under its key and puts the
/// arguments in. JSON: `"chat.send"`, `{"key":"app.remove","args":{"title":{"said":"Feeds"}}}`, `{"said":"Ann"}`, or
/// `{"all":[…]}` for sentences that follow each other.
package enum Words: Sendable, Hashable {
    case key(String, [String: Arg] = [:])
    /// What a person, a peer, an app or a server wrote. It is set apart from the sentence around it, redacted in reports, and never
    /// translated.
    case said(String)
    /// Sentences, one after the other.
    case all([Words])
    /// The parts of a list.
    case list([Words])

    /// What a sentence says about the case at hand.
    package indirect enum Arg: Sendable, Hashable {
        case said(String)
        /// How many; decides between one and more.
        case count(Int)
        case bytes(Int64)
        case time(Timestamp)
        /// Milliseconds.
        case duration(Int64)
        case words(Words)
        case list([Words])
    }
}

extension Words: ExpressibleByStringLiteral {
    /// A key of the catalogue.
    package init(stringLiteral key: String) { self = .key(key) }
}

extension Words {
    /// The sentences that there are, one after the other; `nil` if there is none.
    init?(sentences: [Words?]) {
        let sentences = sentences.compactMap(\.self)
        guard let first = sentences.first else { return nil }
        self = sentences.count == 1 ? first : .all(sentences)
    }

    /// The parts that there are, as a list; `nil` if there is none.
    init?(listing parts: [Words?]) {
        let parts = parts.compactMap(\.self)
        guard let first = parts.first else { return nil }
        self = parts.count == 1 ? first : .list(parts)
    }

    /// Every key that is in it, of sentences and of their arguments.
    package var keys: [String] {
        switch self {
        case .said: []
        case .all(let words), .list(let words): words.flatMap(\.keys)
        case .key(let key, let args): [key] + args.values.flatMap(\.keys)
        }
    }
}

extension Words.Arg {
    fileprivate var keys: [String] {
        switch self {
        case .words(let words): words.keys
        case .list(let words): words.flatMap(\.keys)
        default: []
        }
    }
}

extension Words: Codable {
    private enum Key: CodingKey { case key, args, said, all, list }

    package init(from decoder: any Decoder) throws {
        if let key = try? decoder.singleValueContainer().decode(String.self) {
            self = .key(key)
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let text = try container.decodeIfPresent(String.self, forKey: .said) {
            self = .said(text)
        } else if let words = try container.decodeIfPresent([Words].self, forKey: .all) {
            self = .all(words)
        } else if let words = try container.decodeIfPresent([Words].self, forKey: .list) {
            self = .list(words)
        } else {
            let args = try container.decodeIfPresent([String: Arg].self, forKey: .args) ?? [:]
            self = .key(try container.decode(String.self, forKey: .key), args)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        if case .key(let key, let args) = self, args.isEmpty {
            var container = encoder.singleValueContainer()
            return try container.encode(key)
        }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .key(let key, let args):
            try container.encode(key, forKey: .key)
            try container.encode(args, forKey: .args)
        case .said(let text): try container.encode(text, forKey: .said)
        case .all(let words): try container.encode(words, forKey: .all)
        case .list(let words): try container.encode(words, forKey: .list)
        }
    }
}

extension Words.Arg: Codable {
    private enum Key: CodingKey { case said, count, bytes, time, duration, words, list }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch container.allKeys.first {
        case .said: self = .said(try container.decode(String.self, forKey: .said))
        case .count: self = .count(try container.decode(Int.self, forKey: .count))
        case .bytes: self = .bytes(try container.decode(Int64.self, forKey: .bytes))
        case .time: self = .time(try container.decode(Timestamp.self, forKey: .time))
        case .duration: self = .duration(try container.decode(Int64.self, forKey: .duration))
        case .words: self = .words(try container.decode(Words.self, forKey: .words))
        case .list: self = .list(try container.decode([Words].self, forKey: .list))
        case nil:
            throw DecodingError.unfit(decoder, "an argument is one of said, count, bytes, time, duration, words, list")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .said(let text): try container.encode(text, forKey: .said)
        case .count(let count): try container.encode(count, forKey: .count)
        case .bytes(let bytes): try container.encode(bytes, forKey: .bytes)
        case .time(let time): try container.encode(time, forKey: .time)
        case .duration(let milliseconds): try container.encode(milliseconds, forKey: .duration)
        case .words(let words): try container.encode(words, forKey: .words)
        case .list(let words): try container.encode(words, forKey: .list)
        }
    }
}
