extension RichText {
    /// Few and small edits that turn one document into the other: `old.applying(difference(from: old, to: new)) == new`,
    /// but for how text is cut into runs.
    ///
    /// Equal blocks stay untouched. Between them a block whose name stayed and whose text is similar is changed inside;
    /// others are removed and inserted, which is also how a block moves. Text changes by whole words, and never inside of
    /// a surrogate pair. The time is nearly linear in the size of the documents.
    public static func difference(from old: RichText, to new: RichText) -> [Edit] {
        var difference = Difference()
        difference.compare(old.blocks, new.blocks, at: [])
        return difference.edits
    }
}

private struct Difference {
    var edits: [RichText.Edit] = []

    /// Edits that make the children at `path` what they shall be, from the first to the last one.
    mutating func compare(_ old: [RichText.Node], _ new: [RichText.Node], at path: RichText.Path) {
        var index = 0
        for step in Pairing.steps(old, new) {
            switch step {
            case .same: index += 1
            case .changed(let before, let after):
                change(old[before], into: new[after], at: path + [index])
                index += 1
            case .removed(let range): edits.append(.remove(range.count, at: path + [index]))
            case .inserted(let range):
                edits.append(.insert(Array(new[range]), at: path + [index]))
                index += range.count
            }
        }
    }

    private mutating func change(_ old: RichText.Node, into new: RichText.Node, at path: RichText.Path) {
        switch (old, new) {
        case (.text(let old), .text(let new)):
            let changes = TextDifference.changes(from: old, to: new)
            if !changes.isEmpty { edits.append(.changeText(changes, at: path)) }
        case (.element(let old), .element(let new)):
            for name in Set(old.attributes.keys).union(new.attributes.keys).sorted()
            where old.attributes[name] != new.attributes[name] {
                edits.append(.setAttribute(name, new.attributes[name], at: path))
            }
            compare(old.children, new.children, at: path)
        default: break
        }
    }
}
