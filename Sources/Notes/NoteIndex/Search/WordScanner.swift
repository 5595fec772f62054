/// Finds in an original text what the search index found in its words.
struct WordScanner {
    /// The first word of a term; the rest of a phrase is beside it.
    private struct Wanted {
        let word: [UInt8]
        let isPrefix: Bool

        func matches(_ found: [UInt8]) -> Bool {
            guard found.first == word.first else { return false }
            return isPrefix ? found.starts(with: word) : found == word
        }
    }

    private let wanted: [Wanted]

    init(_ terms: [SearchQuery.Term]) {
        wanted = terms.compactMap { term in
            term.words.first.map { Wanted(word: Array($0.utf8), isPrefix: term.isPrefix && term.words.count == 1) }
        }
    }

    /// Where the first word is that matches any of the terms.
    /// - Parameter hasTags: as ``SearchTokenizer`` has it.
    func firstMatch(in text: String, hasTags: Bool = true) -> Range<String.Index>? {
        var match: Range<Int>?
        SearchTokenizer.forEachWord(of: text, hasTags: hasTags) { word, place in
            if wanted.contains(where: { $0.matches(word) }) { match = place }
            return match != nil
        }
        return match.map { place in
            let start = text.utf8.index(text.startIndex, offsetBy: place.lowerBound)
            return start..<text.utf8.index(start, offsetBy: place.count)
        }
    }
}
