/// Changes that turn one text into another, word by word.
enum TextDifference {
    /// From the beginning on; empty if nothing changes.
    static func changes(from old: [RichText.Run], to new: [RichText.Run]) -> [RichText.TextChange] {
        let (before, after) = (pieces(of: old), pieces(of: new))
        let alignment = Alignment(before.map(\.content), after.map(\.content))
        var changes = Changes()
        for (index, gap) in alignment.gaps.enumerated() {
            replace(before[gap.old], by: after[gap.new], &changes)
            if index < alignment.pairs.count {
                let pair = alignment.pairs[index]
                changes.retain(before[pair.old], as: after[pair.new])
            }
        }
        return changes.finished
    }

    /// A word or another unit that is never split, with its marks.
    struct Piece {
        enum Content: Hashable {
            case text([UInt16])
            case embed(RichText.Value)
        }

        var content: Content
        var marks: [String: RichText.Value]

        var length: Int {
            switch content {
            case .text(let units): units.count
            case .embed: 1
            }
        }

        var run: RichText.Run {
            switch content {
            case .text(let units): .init(String(decoding: units, as: UTF16.self), marks)
            case .embed(let value): .init(content: .embed(value), marks: marks)
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
            var pieces: [Piece] = []
            var word: [UInt16] = []
            func endWord() {
                if !word.isEmpty { pieces.append(Piece(content: .text(word), marks: run.marks)) }
                word = []
            }
            for character in text {
                if !character.isPartOfWord { endWord() }
                word += Array(character.utf16)
                if !character.isPartOfWord { endWord() }
            }
            endWord()
            return pieces
        }
    }

    /// Replaces only what lies between the characters that both have at their ends.
    private static func replace(_ old: ArraySlice<Piece>, by new: ArraySlice<Piece>, _ changes: inout Changes) {
        let (before, after) = (characters(old), characters(new))
        let shorter = min(before.count, after.count)
        let start = zip(before, after).prefix { $0.content == $1.content }.count
        let end = zip(before.reversed(), after.reversed()).prefix(shorter - start)
            .prefix { $0.content == $1.content }.count
        for (old, new) in zip(before.prefix(start), after) { changes.retain(old, as: new) }
        for piece in before.dropFirst(start).dropLast(end) { changes.delete(piece) }
        for piece in after.dropFirst(start).dropLast(end) { changes.insert(piece) }
        for (old, new) in zip(before.suffix(end), after.suffix(end)) { changes.retain(old, as: new) }
    }

    private static func characters(_ pieces: ArraySlice<Piece>) -> [Piece] {
        pieces.flatMap { piece -> [Piece] in
            guard case .text(let units) = piece.content else { return [piece] }
            return String(decoding: units, as: UTF16.self).map {
                Piece(content: .text(Array($0.utf16)), marks: piece.marks)
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
        let run = piece.run
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
