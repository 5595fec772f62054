extension RichText {
    /// An edit that does not fit the document.
    public enum EditError: Error, Hashable, Sendable {
        /// There is nothing at this path, or not what the edit is for.
        case noSuchNode(Path)
        /// A change to the text at this path is longer than the text or splits a surrogate pair.
        case outsideOfText(Path)
    }

    /// The document after some edits, one after the other.
    public func applying(_ edits: [Edit]) throws(EditError) -> RichText {
        var document = self
        for edit in edits { try document.apply(edit) }
        return document
    }

    private mutating func apply(_ edit: Edit) throws(EditError) {
        switch edit {
        case .insert(let nodes, let path):
            try withSiblings(of: path) { siblings, index throws(EditError) in
                guard index <= siblings.count else { throw .noSuchNode(path) }
                siblings.insert(contentsOf: nodes, at: index)
            }
        case .remove(let count, let path):
            try withSiblings(of: path) { siblings, index throws(EditError) in
                guard count >= 0, index <= siblings.count, count <= siblings.count - index else {
                    throw .noSuchNode(path)
                }
                siblings.removeSubrange(index..<index + count)
            }
        case .setAttribute(let name, let value, let path):
            try withSiblings(of: path) { siblings, index throws(EditError) in
                guard index < siblings.count, case .element(var element) = siblings[index] else {
                    throw .noSuchNode(path)
                }
                element.attributes[name] = value
                siblings[index] = .element(element)
            }
        case .changeText(let changes, let path):
            try withSiblings(of: path) { siblings, index throws(EditError) in
                guard index < siblings.count, case .text(let runs) = siblings[index] else { throw .noSuchNode(path) }
                guard let changed = runs.applying(changes) else { throw .outsideOfText(path) }
                siblings[index] = .text(changed)
            }
        }
    }

    private mutating func withSiblings(
        of path: Path, _ change: (inout [Node], Int) throws(EditError) -> Void
    ) throws(EditError) {
        guard let index = path.last, index >= 0 else { throw .noSuchNode(path) }
        try Self.descend(path.dropLast(), in: &blocks, whole: path) { siblings throws(EditError) in
            try change(&siblings, index)
        }
    }

    private static func descend(
        _ path: ArraySlice<Int>, in nodes: inout [Node], whole: Path, _ change: (inout [Node]) throws(EditError) -> Void
    ) throws(EditError) {
        guard let index = path.first else { return try change(&nodes) }
        guard nodes.indices.contains(index), case .element(var element) = nodes[index] else { throw .noSuchNode(whole) }
        try descend(path.dropFirst(), in: &element.children, whole: whole, change)
        nodes[index] = .element(element)
    }
}

extension [RichText.Run] {
    /// The runs after the changes to their text; nil if these do not fit.
    fileprivate func applying(_ changes: [RichText.TextChange]) -> [RichText.Run]? {
        var changed: [RichText.Run] = []
        var rest = self[...]
        for change in changes {
            switch change {
            case .insert(let run): changed.append(run)
            case .delete(let length):
                guard rest.take(length) != nil else { return nil }
            case .retain(let length, let marks):
                guard var taken = rest.take(length) else { return nil }
                for index in taken.indices {
                    for (name, value) in marks { taken[index].marks[name] = value == .null ? nil : value }
                }
                changed += taken
            }
        }
        return (changed + rest).joined()
    }
}

extension ArraySlice<RichText.Run> {
    /// Takes runs of so many UTF-16 code units from the beginning; nil if there are not so many, or a pair is split.
    fileprivate mutating func take(_ length: Int) -> [RichText.Run]? {
        guard length >= 0 else { return nil }
        var taken: [RichText.Run] = []
        var missing = length
        while missing > 0 {
            guard let run = popFirst() else { return nil }
            guard run.length > missing, let text = run.text else {
                taken.append(run)
                missing -= run.length
                continue
            }
            let end = text.utf16.index(text.utf16.startIndex, offsetBy: missing)
            guard end.samePosition(in: text.unicodeScalars) != nil else { return nil }
            taken.append(.init(String(text[..<end]), run.marks))
            self = [.init(String(text[end...]), run.marks)] + self
            missing = 0
        }
        return taken
    }
}
