/// How a screen is divided.
enum Division: CaseIterable {
    /// A window on the messages between a fixed head and the composer.
    case talk
    /// A window on the page above the composer.
    case page
    /// One window on everything.
    case whole
}

extension Forms {
    /// The root, divided as asked if it has what that takes.
    mutating func screen(_ root: ViewNode, _ division: Division) -> Box {
        let children = root.children.filter(\.isVisible)[...]
        let composer = division == .whole ? nil : children.firstIndex(where: Self.beginsComposer)
        let list = division == .talk ? children.firstIndex(where: Self.isMessageList) : nil
        return place(root, in: nil) { forms, index in
            let end = composer ?? children.endIndex
            var parts: [Box] = []
            if let list, list < end {
                parts.append(forms.chrome(forms.boxes(children[..<list], in: index)))
                parts.append(forms.place(children[list], in: index) { $0.talk(children[list], $1) })
                parts.append(forms.foot(children[(list + 1)...], index, composer))
            } else {
                parts.append(forms.page(root, children[..<end], index))
                if end < children.endIndex { parts.append(forms.foot(children[end...], index, end)) }
            }
            return .column(parts)
        }
    }

    static let margin = Box.Padding(horizontal: 16, vertical: 12)

    private mutating func page(_ root: ViewNode, _ children: ArraySlice<ViewNode>, _ index: Int) -> Box {
        var lines = boxes(children, in: index)
        if root.role != "screen", !root.label.isEmpty { lines.insert(.text(root.label, .title, .text), at: 0) }
        let isCover = children.contains { $0.role == "cover" }
        let column = Box.column(lines, gap: 12).with { $0.padding = Self.margin }
        if isCover { return column.with { $0.grow = 1 } }
        return Box(content: .scroll([column]), grow: 1)
    }

    /// The window on the messages.
    private mutating func talk(_ list: ViewNode, _ index: Int) -> Box {
        var messages: [Box] = []
        messages.reserveCapacity(list.children.count)
        for message in list.children where message.isVisible { messages.append(box(message, in: index)) }
        return Box(content: .scroll(messages), padding: Self.margin, gap: 8, grow: 1)
    }

    /// What stands below the messages: who is typing, then the composer.
    private mutating func foot(_ children: ArraySlice<ViewNode>, _ index: Int, _ composer: Int?) -> Box {
        let split = composer ?? children.endIndex
        var lines = boxes(children[..<split], in: index)
        if split < children.endIndex { lines.append(composerRow(children[split...], index)) }
        return chrome(lines)
    }

    /// A bar at the edge of the screen.
    private func chrome(_ lines: [Box]) -> Box {
        guard !lines.isEmpty else { return Box() }
        return Box.column(lines, gap: 8).with {
            $0.padding = Self.margin
            $0.surface = Surface(fill: .bar, isChrome: true)
        }
    }

    /// A field that takes what the buttons leave.
    private mutating func composerRow(_ children: ArraySlice<ViewNode>, _ index: Int) -> Box {
        let boxes = children.map { node in
            box(node, in: index).with {
                guard node.role != "button" else { return }
                $0.grow = 1
                $0.minWidth = 180
            }
        }
        return .row(boxes)
    }

    mutating func composer(_ node: ViewNode, _ index: Int) -> Box {
        composerRow(node.children.filter(\.isVisible)[...], index)
    }

    static func isMessageList(_ node: ViewNode) -> Bool {
        node.role == "message_list" || node.role == "list" && node.children.contains { $0.role == "message" }
    }

    /// The draft of a talk; all that follows it belongs to the composer.
    private static func beginsComposer(_ node: ViewNode) -> Bool {
        node.role == "composer" || node.id == "chat.draft"
    }
}
