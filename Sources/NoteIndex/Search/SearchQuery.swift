/// What a person wants to find: words that all have to occur.
///
/// `#tag` finds a tag, `"two words"` a phrase, `begin*` what begins so; words of three letters and more do that by themselves. Nothing
/// that is typed is an error: what has no letters and digits is left out.
struct SearchQuery {
    /// One of the words.
    struct Term: Hashable {
        /// In the form of the index, without quotation marks. A phrase, and a word such as `e-mail`, is several words to the index.
        let text: String
        /// As it was typed, for the snippet.
        let typed: String
        /// Whether more letters may follow.
        let isPrefix: Bool

        /// In the language of FTS5: a string, in which everything but a quotation mark stands for itself.
        func pattern(asPrefix: Bool) -> String { "\"\(text)\"\(asPrefix ? "*" : "")" }
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

    private static func term(_ word: Substring, isPhrase: Bool) -> Term? {
        let isStarred = !isPhrase && word.last == "*"
        // FTS5 takes a zero byte for the end.
        let clean = String(word.unicodeScalars.map { $0 == "\"" || $0 == "\0" ? " " : Character($0) })
        guard clean.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return nil }
        return Term(
            text: SearchText.transformed(clean), typed: clean,
            isPrefix: isStarred || !isPhrase && word.count >= prefixLength)
    }
}
