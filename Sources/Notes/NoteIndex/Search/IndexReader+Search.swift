internal import Storage

/// A note that a search found.
package struct IndexedMatch: Hashable, Sendable, Identifiable {
    package var id: String
    package var title: String
    /// The text around the first place that matches, on one line: of the note, or of a comment on it. The beginning of the note if only
    /// its title matches.
    package var snippet: String
    /// Whether the snippet is of a comment.
    package var isComment = false
}

extension IndexReader {
    /// The notes with all of these words that are not deleted: those with all of them in the title first, then the others.
    ///
    /// Few notes are ordered by how well they match (bm25). Where there are more than ``commonness``, that would take long and
    /// say little: then the last changed ones come first.
    /// - Parameter text: words; `#tag`, `"a phrase"`, `begin*`. Any text will do.
    package func search(_ text: String, limit: Int = 50) throws -> [IndexedMatch] {
        let query = SearchQuery(text)
        guard !query.terms.isEmpty, limit > 0 else { return [] }
        let words = try query.terms.map { try judge($0) }
        let all = words.map(\.pattern).joined(separator: " ")
        let newest = words.count == 1 ? words[0].newest : try newest(matching: all)
        let titled = try self.newest(matching: all, inTitles: true)
        var rows = titled + newest
        let selective = words.filter { !$0.isCommon }
        if newest.count <= Self.commonness, !selective.isEmpty {
            let best = try ranked(selective.map(\.pattern).joined(separator: " "))
            let (inTitle, found) = (Set(titled), Set(newest))
            rows = best.filter(inTitle.contains) + best.filter(found.contains)
        }
        var seen: Set<Int64> = []
        rows = rows.filter { seen.insert($0).inserted }
        return try rows.prefix(limit).compactMap { try match($0, query) }
    }

    /// A word that more notes have says little about any of them.
    static let commonness = 500

    private struct Word {
        let pattern: String
        /// At most one more than ``commonness``.
        let newest: [Int64]
        var isCommon: Bool { newest.count > commonness }
    }

    /// Decides whether a word is common, and whether what only begins with it is wanted: not if the word itself is common, as
    /// the notes with its extensions could not be looked through in time; and not of a tag that is there.
    private func judge(_ term: SearchQuery.Term) throws -> Word {
        if !term.isOnlyPrefix {
            let pattern = term.pattern(asPrefix: false)
            let whole = Word(pattern: pattern, newest: try newest(matching: pattern))
            let isIt = term.isTag && !whole.newest.isEmpty
            guard term.isPrefix, !whole.isCommon, !isIt else { return whole }
        }
        let prefix = term.pattern(asPrefix: true)
        return Word(pattern: prefix, newest: try newest(matching: prefix))
    }

    private func newest(matching pattern: String, inTitles: Bool = false) throws -> [Int64] {
        let table = inTitles ? "alcove_titles_fts" : "notes_fts"
        return try database.query(
            "SELECT rowid FROM \(table) WHERE \(table) MATCH ? ORDER BY rowid DESC LIMIT ?", pattern,
            Self.commonness + 1
        ) { try $0[0] }
    }

    private func ranked(_ pattern: String) throws -> [Int64] {
        try database.query(
            "SELECT rowid FROM notes_fts WHERE notes_fts MATCH ? ORDER BY bm25(notes_fts, 0, 5, 1), rowid DESC", pattern
        ) { try $0[0] }
    }

    private func match(_ row: Int64, _ query: SearchQuery) throws -> IndexedMatch? {
        let scanner = WordScanner(query.terms)
        let match = try database.first(
            """
            SELECT id, title, substr(content_text, 1, ?) FROM alcove_search_rows JOIN notes ON id = note_id WHERE row = ?
            """, Snippet.reach, row
        ) { row in
            let snippet = Snippet(text: try row[2], scanner)
            return (
                found: IndexedMatch(id: try row[0], title: try row[1], snippet: snippet.line), isMatch: snippet.isMatch
            )
        }
        guard let match else { return nil }
        var found = match.found
        if !match.isMatch,
            let comment = try comments(on: found.id, atMost: Snippet.reach).lazy.compactMap({
                Snippet(comment: $0, scanner)
            }).first
        {
            (found.snippet, found.isComment) = (comment.line, true)
        }
        return found
    }
}
