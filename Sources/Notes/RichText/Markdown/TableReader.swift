/// Reads a table with the attributes that its cells have in braces at their beginning.
struct TableReader {
    let inline: InlineReader

    func table(_ node: CommonMark.Node) -> RichText.Node {
        let alignments = node.alignments
        var widths: [RichText.Value?] = []
        let rows = node.children.enumerated().map { row, node in
            RichText.Node.element(
                .init(
                    "tableRow", [:],
                    node.children.enumerated().map { column, node in
                        var cell = cell(node, isHeader: row == 0)
                        if row == 0 { widths.append(cell.attributes["colwidth"]) }
                        cell.attributes["colwidth"] = column < widths.count ? widths[column] : nil
                        if column < alignments.count, let alignment = alignments[column].flatMap({ Self.names[$0] }) {
                            cell.attributes["textAlign"] = .string(alignment)
                        }
                        return .element(cell)
                    }))
        }
        return .element(.init("table", [:], rows))
    }

    private static let names: [Character: String] = ["l": "left", "c": "center", "r": "right"]

    private func cell(_ node: CommonMark.Node, isHeader: Bool) -> RichText.Element {
        var cell = RichText.Element(isHeader ? "tableHeader" : "tableCell")
        var items = InlineAssembly.withoutImages(inline.items(in: node))
        if case .text(let text) = items.first?.content, let rest = Self.takeAttributes(from: text, for: &cell) {
            items[0].content = .text(rest)
        }
        cell.children = InlineAssembly.parts(items, inline, isCell: true).map { part in
            guard case .text(let nodes) = part else { return .element(.init("paragraph")) }
            return .element(.init("paragraph", [:], nodes))
        }
        return cell
    }

    /// What follows `{.header colwidth=100,50}` and a space; nil if the text does not begin like this.
    private static func takeAttributes(from text: String, for cell: inout RichText.Element) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.first == "{", let end = scalars.firstIndex(of: "}") else { return nil }
        var changed = cell
        for word in String(scalars[..<end].dropFirst()).split(separator: " ") {
            switch word {
            case ".header": changed.name = "tableHeader"
            case ".cell": changed.name = "tableCell"
            case _ where word.hasPrefix("colwidth="):
                let numbers = word.dropFirst("colwidth=".count).split(separator: ",").map { Int($0) }
                guard !numbers.isEmpty, !numbers.contains(nil) else { return nil }
                changed.attributes["colwidth"] = .array(numbers.compactMap { $0 }.map { .number(Double($0)) })
            default: return nil
            }
        }
        cell = changed
        let rest = scalars[scalars.index(after: end)...]
        return String(rest.first == " " ? rest.dropFirst() : rest)
    }
}
