internal import RichText

extension JSONText {
    /// Edits in the form that `edits.js` takes.
    mutating func edits(_ edits: [RichText.Edit]) { array(edits) { $0.edit($1) } }

    private mutating func edit(_ edit: RichText.Edit) {
        switch edit {
        case .insert(let nodes, let path):
            begin("i", path)
            array(nodes) { $0.node($1) }
        case .remove(let count, let path):
            begin("r", path)
            number(count)
        case .setAttribute(let name, let value, let path):
            begin("a", path)
            string(name)
            raw(",")
            self.value(value ?? .null)
        case .changeText(let changes, let path):
            begin("t", path)
            array(changes) { $0.change($1) }
        }
        raw("]")
    }

    private mutating func begin(_ kind: String, _ path: RichText.Path) {
        raw("[\"\(kind)\",")
        array(path) { $0.number($1) }
        raw(",")
    }

    private mutating func change(_ change: RichText.TextChange) {
        switch change {
        case .retain(let count, let marks) where marks.isEmpty: number(max(0, count))
        case .retain(let count, let marks):
            raw("[\(max(0, count)),")
            object(marks)
            raw("]")
        case .delete(let count): number(-max(0, count))
        case .insert(let run): self.run(run)
        }
    }

    private mutating func node(_ node: RichText.Node) {
        switch node {
        case .text(let runs): array(runs) { $0.run($1) }
        case .element(let element):
            raw("[")
            string(element.name)
            raw(",")
            object(element.attributes)
            raw(",")
            array(element.children) { $0.node($1) }
            raw("]")
        }
    }

    private mutating func run(_ run: RichText.Run) {
        raw("[")
        switch run.content {
        case .text(let text): string(text)
        case .embed(let value):
            raw("[")
            self.value(value)
            raw("]")
        }
        raw(",")
        object(run.marks)
        raw("]")
    }
}
