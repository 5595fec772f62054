/// Changes that turn one text into another, word by word.
enum TextDifference {
    /// From the beginning on; empty if nothing changes.
    static func changes(from old: [RichText.Run], to new: [RichText.Run]) -> [RichText.TextChange] {
        var changes = Changes()
        for step in steps(from: pieces(of: old), to: pieces(of: new)) {
            switch step {
            case .retained(let old, let new): changes.retain(old, as: new)
            case .deleted(let piece): changes.delete(piece)
            case .inserted(let piece): changes.insert(piece)
            }
        }
        return changes.finished
    }

    /// What becomes of the pieces of a text, in order. What replaces something comes after it.
    enum Step {
        case retained(Piece, as: Piece)
        case deleted(Piece)
        case inserted(Piece)
    }

    /// - Parameter cutsWords: also what two words have in common at their ends is retained. That tells which marks go with which letters; in
    ///   a shared document it would mix the letters of two words.
    static func steps(from old: [Piece], to new: [Piece], cutsWords: Bool = false) -> [Step] {
        let (before, after) = (words(of: old), words(of: new))
        let alignment = Alignment(before.map(content), after.map(content))
        let replaced = cutsWords ? [] : replacedSpaces(before, alignment)
        var steps: [Step] = []
        var (deleted, inserted): ([Piece], [Piece]) = ([], [])
        for (index, gap) in alignment.gaps.enumerated() {
            deleted += before[gap.old].joined()
            inserted += after[gap.new].joined()
            guard index < alignment.pairs.count else { break }
            let pair = alignment.pairs[index]
            if replaced.contains(index) {
                deleted += before[pair.old]
                inserted += after[pair.new]
                continue
            }
            steps += replacement(of: deleted, by: inserted, cutsWords: cutsWords)
            (deleted, inserted) = ([], [])
            steps += retained(before[pair.old], as: after[pair.new])
        }
        return steps + replacement(of: deleted, by: inserted, cutsWords: cutsWords)
    }

    /// The pairs that are the space behind a word that is replaced, or before it where there is none. It is replaced with the word, so
    /// that what two people put into its place stands apart: `150 1000`, and not `1501000`.
    private static func replacedSpaces(_ before: [ArraySlice<Piece>], _ alignment: Alignment) -> Set<Int> {
        var spaces: Set<Int> = []
        func isSpace(_ index: Int) -> Bool {
            alignment.pairs.indices.contains(index)
                && content(of: before[alignment.pairs[index].old]) == .text([0x20])
        }
        for (index, gap) in alignment.gaps.enumerated() where !gap.old.isEmpty && !gap.new.isEmpty {
            if isSpace(index) { spaces.insert(index) } else if isSpace(index - 1) { spaces.insert(index - 1) }
        }
        return spaces
    }

    /// A word, the part of it that has the same marks, or another unit that is never split.
    struct Piece {
        enum Content: Hashable {
            case text(ArraySlice<UInt16>)
            case embed(RichText.Value)
            /// An element between texts.
            case node(RichText.Node)
        }

        var content: Content
        var marks: [String: RichText.Value] = [:]
        /// Whether the piece before it is a part of the same word.
        var continuesWord = false

        var length: Int {
            switch content {
            case .text(let units): units.count
            case .embed, .node: 1
            }
        }

        /// Nil for an element.
        var run: RichText.Run? {
            switch content {
            case .text(let units): .init(String(decoding: units, as: UTF16.self), marks)
            case .embed(let value): .init(content: .embed(value), marks: marks)
            case .node: nil
            }
        }
    }

    /// Words as ``WordBoundaries`` has them, all other characters one by one, and embedded values.
    static func pieces(of runs: [RichText.Run]) -> [Piece] {
        var pieces: [Piece] = []
        // Marks may change inside of a word, so its end is looked for in the text of all runs that touch.
        for stretch in runs.split(omittingEmptySubsequences: false, whereSeparator: { $0.text == nil }) {
            pieces += self.pieces(ofTexts: stretch)
            if stretch.endIndex < runs.endIndex, case .embed(let value) = runs[stretch.endIndex].content {
                pieces.append(Piece(content: .embed(value), marks: runs[stretch.endIndex].marks))
            }
        }
        return pieces
    }

    private static func pieces(ofTexts runs: ArraySlice<RichText.Run>) -> [Piece] {
        let text = runs.compactMap(\.text).joined()
        let units = Array(text.utf16)
        var ends = WordBoundaries(of: text).ends[...]
        var pieces: [Piece] = []
        var start = 0
        var runEnd = 0
        var continuesWord = false
        for run in runs {
            runEnd += run.length
            while start < runEnd, let wordEnd = ends.first {
                let end = min(wordEnd, runEnd)
                pieces.append(Piece(content: .text(units[start..<end]), marks: run.marks, continuesWord: continuesWord))
                start = end
                continuesWord = end < wordEnd
                if !continuesWord { ends.removeFirst() }
            }
        }
        return pieces
    }

    private static func words(of pieces: [Piece]) -> [ArraySlice<Piece>] {
        var words: [ArraySlice<Piece>] = []
        var start = 0
        for end in 1..<max(1, pieces.count + 1) where end == pieces.count || !pieces[end].continuesWord {
            words.append(pieces[start..<end])
            start = end
        }
        return words
    }

    /// - Parameter cutsWords: replaces only what lies between the characters that both have at their ends.
    private static func replacement(of old: [Piece], by new: [Piece], cutsWords: Bool) -> [Step] {
        if !cutsWords || old.isEmpty || new.isEmpty { return old.map(Step.deleted) + new.map(Step.inserted) }
        let (before, after) = (characters(old), characters(new))
        let shorter = min(before.count, after.count)
        let start = zip(before, after).prefix { $0.content == $1.content }.count
        let end = zip(before.reversed(), after.reversed()).prefix(shorter - start)
            .prefix { $0.content == $1.content }.count
        return zip(before.prefix(start), after).map { .retained($0, as: $1) }
            + before.dropFirst(start).dropLast(end).map(Step.deleted)
            + after.dropFirst(start).dropLast(end).map(Step.inserted)
            + zip(before.suffix(end), after.suffix(end)).map { .retained($0, as: $1) }
    }

    private static func characters(_ pieces: [Piece]) -> [Piece] {
        pieces.flatMap { piece -> [Piece] in
            guard case .text(let units) = piece.content else { return [piece] }
            var start = units.startIndex
            return String(decoding: units, as: UTF16.self).map { character in
                let end = start + character.utf16.count
                defer { start = end }
                return Piece(content: .text(units[start..<end]), marks: piece.marks)
            }
        }
    }

    /// What makes a word equal to another one: its text, however its marks divide it.
    private static func content(of word: ArraySlice<Piece>) -> Piece.Content {
        guard word.count > 1 else { return word[word.startIndex].content }
        return .text(word.flatMap(\.units)[...])
    }

    /// A word whose text stays, in the parts that have the same marks before and the same marks after.
    private static func retained(_ old: ArraySlice<Piece>, as new: ArraySlice<Piece>) -> [Step] {
        var (before, after) = (old.first, new.first)
        var (oldIndex, newIndex) = (old.startIndex, new.startIndex)
        var steps: [Step] = []
        while var part = before, var other = after {
            let length = min(part.length, other.length)
            before = part.length > length ? part.removeRest(from: length) : nil
            after = other.length > length ? other.removeRest(from: length) : nil
            steps.append(.retained(part, as: other))
            if before == nil {
                (oldIndex, before) = (oldIndex + 1, oldIndex + 1 < old.endIndex ? old[oldIndex + 1] : nil)
            }
            if after == nil {
                (newIndex, after) = (newIndex + 1, newIndex + 1 < new.endIndex ? new[newIndex + 1] : nil)
            }
        }
        return steps
    }
}

extension TextDifference.Piece {
    /// The text; empty for what is none.
    fileprivate var units: ArraySlice<UInt16> {
        if case .text(let units) = content { units } else { [] }
    }

    /// Cuts the text after `length` code units.
    fileprivate mutating func removeRest(from length: Int) -> Self {
        let end = units.startIndex + length
        defer { content = .text(units[..<end]) }
        return Self(content: .text(units[end...]), marks: marks, continuesWord: true)
    }
}

/// Gathers changes; neighbours that are alike become one.
private struct Changes {
    private var changes: [RichText.TextChange] = []

    mutating func retain(_ old: TextDifference.Piece, as new: TextDifference.Piece) {
        var marks: [String: RichText.Value] = [:]
        if old.marks != new.marks {
            for (name, value) in new.marks where old.marks[name] != value { marks[name] = value }
            for name in old.marks.keys where new.marks[name] == nil { marks[name] = .null }
        }
        if case .retain(let length, marks) = changes.last {
            changes[changes.count - 1] = .retain(length + old.length, marks: marks)
        } else {
            changes.append(.retain(old.length, marks: marks))
        }
    }

    mutating func delete(_ piece: TextDifference.Piece) {
        if case .delete(let length) = changes.last {
            changes[changes.count - 1] = .delete(length + piece.length)
        } else {
            changes.append(.delete(piece.length))
        }
    }

    mutating func insert(_ piece: TextDifference.Piece) {
        guard let run = piece.run else { return }
        if case .insert(let last) = changes.last, last.marks == run.marks, let start = last.text, let text = run.text {
            changes[changes.count - 1] = .insert(.init(start + text, run.marks))
        } else {
            changes.append(.insert(run))
        }
    }

    /// Without what is left as it is at the end.
    var finished: [RichText.TextChange] {
        if case .retain(_, [:]) = changes.last { return changes.dropLast() }
        return changes
    }
}
