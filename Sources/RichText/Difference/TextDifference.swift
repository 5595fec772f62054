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

    static func steps(from old: [Piece], to new: [Piece]) -> [Step] {
        let alignment = Alignment(old.map(\.content), new.map(\.content))
        var steps: [Step] = []
        for (index, gap) in alignment.gaps.enumerated() {
            steps += replacement(of: old[gap.old], by: new[gap.new])
            if index < alignment.pairs.count {
                steps.append(.retained(old[alignment.pairs[index].old], as: new[alignment.pairs[index].new]))
            }
        }
        return steps
    }

    /// A word or another unit that is never split, with its marks.
    struct Piece {
        enum Content: Hashable {
            case text(ArraySlice<UInt16>)
            case embed(RichText.Value)
            /// An element between texts.
            case node(RichText.Node)
        }

        var content: Content
        var marks: [String: RichText.Value] = [:]

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

    /// Words (of scripts that have spaces between them), all other characters one by one, and embedded values.
    static func pieces(of runs: [RichText.Run]) -> [Piece] {
        runs.flatMap { run -> [Piece] in
            guard let text = run.text else {
                guard case .embed(let value) = run.content else { return [] }
                return [Piece(content: .embed(value), marks: run.marks)]
            }
            let units = Array(text.utf16)
            var pieces: [Piece] = []
            var start = 0
            var end = 0
            func endPiece() {
                if start < end { pieces.append(Piece(content: .text(units[start..<end]), marks: run.marks)) }
                start = end
            }
            for character in text {
                let isPartOfWord = character.isPartOfWord
                if !isPartOfWord { endPiece() }
                end += character.utf16.count
                if !isPartOfWord { endPiece() }
            }
            endPiece()
            return pieces
        }
    }

    /// Replaces only what lies between the characters that both have at their ends.
    private static func replacement(of old: ArraySlice<Piece>, by new: ArraySlice<Piece>) -> [Step] {
        if old.isEmpty || new.isEmpty { return old.map(Step.deleted) + new.map(Step.inserted) }
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

    private static func characters(_ pieces: ArraySlice<Piece>) -> [Piece] {
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
}

extension Character {
    /// Letters and digits of scripts that put spaces between words: those before the East Asian blocks.
    fileprivate var isPartOfWord: Bool {
        guard let scalar = unicodeScalars.first, scalar.value < 0x2E80 else { return false }
        if scalar.isASCII { return UInt8(scalar.value).isASCIIWord }
        return scalar.properties.isAlphabetic
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
