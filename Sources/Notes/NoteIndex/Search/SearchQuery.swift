/// What a person wants to find: words that all have to occur.
///
/// `#tag` finds a tag, `"two words"` a phrase, `begin*` what begins so; words of three letters and more do that by themselves, and tags
/// where there is none of just that name. Nothing that is typed is an error: what the index has no word for is left out.
struct SearchQuery {
    /// One of the words.
    struct Term: Hashable {
        /// As the index has them. A phrase, and a word such as `e-mail`, is several words to it.
        let words: [String]
        /// Whether more letters may follow.
        let isPrefix: Bool
        /// Whether nothing is to be found without letters that follow, or nobody would expect it to be left out.
        let isOnlyPrefix: Bool

        /// Whether it is a tag; then the exact tag is meant, if it exists.
        var isTag: Bool { words.count == 1 && words[0].hasPrefix("__hashtag__") }

        /// In the language of FTS5: a string, in which everything but a quotation mark stands for itself.
        func pattern(asPrefix: Bool) -> String { "\"\(words.joined(separator: " "))\"\(asPrefix ? "*" : "")" }
    }

    let terms: [Term]

    /// More than this is not looked at.
    static let characters = 1000
    static let words = 16
    /// From this many characters on a word is a prefix by itself.
    static let prefixLength = 3

    init(_ typed: String) {
        var terms: [Term] = []
        var rest = typed.prefix(Self.characters)[...]
        while terms.count < Self.words, let start = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[start...]
            let isPhrase = rest.first == "\""
            if isPhrase { rest = rest.dropFirst() }
            let end = rest.firstIndex { isPhrase ? $0 == "\"" : $0.isWhitespace } ?? rest.endIndex
            let word = rest[..<end]
            rest = isPhrase ? rest[end...].dropFirst() : rest[end...]
            if let term = Self.term(word, isPhrase: isPhrase), !terms.contains(term) { terms.append(term) }
        }
        self.terms = terms
    }

    private static func term(_ typed: Substring, isPhrase: Bool) -> Term? {
        let isStarred = !isPhrase && typed.last == "*"
        var words: [String] = []
        let ending = SearchTokenizer.forEachWord(of: String(typed), isQuestion: true) { word, _ in
            words.append(String(decoding: word, as: UTF8.self))
            return false
        }
        guard !words.isEmpty else { return nil }
        let mayGoOn = isStarred || !isPhrase && typed.count >= prefixLength
        return Term(
            words: words, isPrefix: ending == .open || ending == .word && mayGoOn,
            isOnlyPrefix: ending == .open || ending == .word && isStarred)
    }
}
