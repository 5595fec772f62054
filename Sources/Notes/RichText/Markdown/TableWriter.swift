/// Prints a table whose rows are equally long, whose cells have paragraphs only, and whose columns look the same
/// throughout. Any other table is printed as JSON.
struct TableWriter {
    private let rows: [[RichText.Element]]

    init?(_ table: RichText.Element) {
        let elements = table.children.compactMap(\.element)
        rows = elements.map { $0.children.compactMap(\.element) }
        guard let first = rows.first, !first.isEmpty, elements.count == table.children.count else { return nil }
        for (element, row) in zip(elements, rows) {
            guard element.name == "tableRow", element.children.count == row.count, row.count == first.count else {
                return nil
            }
            for (cell, top) in zip(row, first) {
                guard cell.isPlainCell, cell.alignment == top.alignment, cell.widths == top.widths else { return nil }
            }
        }
    }

    var lines: [String] {
        var lines = rows.enumerated().map { index, row in
            "| " + row.map { text(of: $0, isFirst: index == 0) }.joined(separator: " | ") + " |"
        }
        let bars = rows[0].map { cell in
            switch cell.alignment {
            case "left": ":--"
            case "center": ":-:"
            case "right": "--:"
            default: "---"
            }
        }
        lines.insert("| " + bars.joined(separator: " | ") + " |", at: 1)
        return lines
    }

    private func text(of cell: RichText.Element, isFirst: Bool) -> String {
        var attributes: [String] = []
        if (cell.name == "tableHeader") != isFirst { attributes.append(isFirst ? ".cell" : ".header") }
        if isFirst, let widths = cell.widths {
            attributes.append("colwidth=" + widths.map(String.init).joined(separator: ","))
        }
        let writer = InlineWriter(isOneLine: true, place: TextPlace(isCell: true))
        let text = cell.children.map { writer.text(of: $0.element?.children ?? []) }.joined(separator: "<p>")
        return attributes.isEmpty ? text : "{\(attributes.joined(separator: " "))} \(text)"
    }
}

extension RichText.Element {
    fileprivate var isPlainCell: Bool {
        guard name == "tableHeader" || name == "tableCell" else { return false }
        let spans = [attributes["colspan"], attributes["rowspan"]]
        guard spans.allSatisfy({ $0 == nil || $0 == .null || $0 == 1 }), hasPlainWidths else { return false }
        return !children.isEmpty && children.allSatisfy { $0.element?.name == "paragraph" }
    }

    /// Whether the widths, if there are any, are whole numbers.
    private var hasPlainWidths: Bool {
        widths != nil || attributes["colwidth"] == nil || attributes["colwidth"] == .null
    }

    /// The widths of the columns that a cell spans, in pixels.
    fileprivate var widths: [Int]? {
        guard case .array(let values) = attributes["colwidth"], !values.isEmpty else { return nil }
        let widths = values.compactMap(\.integer)
        return widths.count == values.count ? widths : nil
    }

    fileprivate var alignment: String? { attributes["textAlign"]?.string }
}
