internal import Foundation

/// Text as the search index has it: the words of ``SearchTokenizer`` with spaces between them.
enum SearchText {
    /// - Parameter comments: what was said in the margin. Tags are only in the text of a note.
    static func words(of text: String, comments: [String] = []) -> String {
        var words: [UInt8] = []
        words.reserveCapacity(text.utf8.count)
        SearchTokenizer.forEachWord(of: text) { word, _ in add(word, to: &words) }
        for comment in comments {
            // No phrase goes on from one into the next. No search can contain it, because underscores are not letters.
            _ = add(Array("__comment__".utf8), to: &words)
            SearchTokenizer.forEachWord(of: comment, hasTags: false) { word, _ in add(word, to: &words) }
        }
        return String(decoding: words, as: UTF8.self)
    }

    private static func add(_ word: [UInt8], to words: inout [UInt8]) -> Bool {
        if !words.isEmpty { words.append(UInt8(ascii: " ")) }
        words += word
        return false
    }
}

extension String {
    var precomposed: String { precomposedStringWithCanonicalMapping }
}
