import AppCore

extension ViewNode {
    /// The tree for a person at a terminal: finished lines, none with more than `columns` cells.
    ///
    /// - Parameters:
    ///   - columns: Cells in a line; at least 20 are assumed.
    ///   - hasColours: Whether lines carry ANSI sequences for bold, faint and colours. Each line ends as it began.
    ///   - focused: The id of the node that is marked; `nil` leaves it to the tree.
    package func terminalLines(columns: Int, hasColours: Bool = true, focused: String? = nil) -> [String] {
        var view = TerminalView(columns: max(columns, 20), hasColours: hasColours, focused: focused)
        view.show(self, indent: 0)
        return view.lines
    }
}

/// Writes a tree as lines, with the mark of the focus in a margin of two cells.
struct TerminalView {
    enum Style: String {
        case plain = ""
        case bold = "1"
        case faint = "2"
        case warning = "33"
        case own = "36"
        case active = "34"
    }

    private(set) var lines: [String] = []
    private let columns: Int
    private let hasColours: Bool
    private let focused: String?

    init(columns: Int, hasColours: Bool, focused: String?) {
        self.columns = columns
        self.hasColours = hasColours
        self.focused = focused
    }

    mutating func show(_ node: ViewNode, indent: Int) {
        guard node.isVisible else { return }
        switch node.role {
        case "screen": break
        case "message": message(node, indent)
        case "list", "section", "message_list":
            if !node.label.isEmpty { write(node.label, .faint, node, indent) }
            if let detail = node.detail { write(detail, .faint, node, indent) }
        default: write(Self.words(node), Self.style(node), node, indent)
        }
        // Deeper than this, a narrow terminal would have no room for text.
        let inner = node.role == "screen" ? indent : min(indent + 2, columns / 4)
        for child in node.children { show(child, indent: inner) }
    }

    /// The node in one paragraph, with the signs of its role.
    private static func words(_ node: ViewNode) -> String {
        let value = node.value.flatMap { $0.isEmpty ? nil : $0 }
        let named = node.label.isEmpty ? value ?? "" : value.map { "\(node.label): \($0)" } ?? node.label
        let shown =
            switch node.role {
            case "button": "[ \(named) ]"
            case "toggle": "[\(node.isSelected ? "x" : " ")] \(named)"
            case "choice": "(\(node.isSelected ? "•" : " ")) \(named)"
            case "text_field", "text_input", "secret_field", "composer": "\(node.label): \(value ?? "")▏"
            case "banner": "! \(named)"
            case "item": "• \(named)"
            case "progress": [bar(node), named].joined(separator: " ")
            default: named
            }
        return ([shown] + notes(node)).joined(separator: " · ")
    }

    private static func notes(_ node: ViewNode) -> [String] {
        [node.at?.minuteText, node.detail, node.isBusy ? "…" : nil].compactMap(\.self).filter { !$0.isEmpty }
    }

    private static func bar(_ node: ViewNode) -> String {
        let full = (node.progress?.percent ?? 0) / 10
        return String(repeating: "█", count: full) + String(repeating: "░", count: 10 - full)
    }

    private static func style(_ node: ViewNode) -> Style {
        switch node.role {
        case "heading": .bold
        case "banner": .warning
        case _ where !node.isEnabled: .faint
        case "status": .faint
        case "item": .bold
        case _ where node.isActionable: .active
        default: .plain
        }
    }

    /// A message on its side, at most four fifths of the width.
    private mutating func message(_ node: ViewNode, _ indent: Int) {
        let value = node.progress == nil ? node.value : [Self.bar(node), node.value ?? ""].joined(separator: " ")
        let words = [node.at?.clockText, node.detail].compactMap(\.self).filter { !$0.isEmpty }
        let room = max((columns - indent - 2) * 4 / 5, 10)
        let isOwn = node.side == .own
        let isNote = node.side == .note
        let parts = [(node.label, isNote ? Style.faint : .bold), (value ?? "", isOwn ? .own : .plain)]
        for (text, style) in parts + [(words.joined(separator: " · "), .faint)] where !text.isEmpty {
            write(text, style, node, indent, room: room, isRight: isOwn)
        }
    }

    private mutating func write(
        _ text: String, _ style: Style, _ node: ViewNode, _ indent: Int, room: Int? = nil, isRight: Bool = false
    ) {
        let isFocused = focused.map { $0 == node.id } ?? node.isFocused
        let width = columns - indent - 2
        for (number, line) in PlainText.lines(of: PlainText.of(text), columns: min(room ?? width, width)).enumerated() {
            let margin = isFocused && number == 0 ? "› " : "  "
            let shift = isRight ? max(width - PlainText.cells(line), 0) : 0
            lines.append(margin + String(repeating: " ", count: indent + shift) + dressed(line, style))
        }
    }

    private func dressed(_ text: String, _ style: Style) -> String {
        guard hasColours, style != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
