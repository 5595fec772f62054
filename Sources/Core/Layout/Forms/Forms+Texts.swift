extension Forms {
    /// A label that names a value, or stands alone; then the state in words.
    mutating func paragraph(_ node: ViewNode, _ index: Int, _ face: Typeface) -> Box {
        var lines: [Box] = []
        if let value = node.value, !value.isEmpty {
            if !node.label.isEmpty { lines.append(.text(node.label, .small, palette.muted)) }
            lines.append(.text(value, face, palette.text))
        } else if !node.label.isEmpty {
            lines.append(.text(node.label, face, node.role == "status" ? palette.muted : palette.text))
        }
        lines += details(node, palette)
        lines += boxes(node.children, in: index)
        let column = Box.column(lines, gap: 2)
        return node.isBusy ? busy(column) : column
    }

    /// A group: its name, unless it is a screen, and its children below.
    mutating func group(_ node: ViewNode, _ index: Int) -> Box {
        var lines: [Box] = []
        if !node.label.isEmpty, node.role != "screen" {
            lines.append(.text(node.label, .smallStrong, palette.muted))
        }
        if let value = node.value, !value.isEmpty { lines.append(.text(value, .body, palette.text)) }
        lines += details(node, palette)
        return .column(lines + boxes(node.children, in: index), gap: 8)
    }

    mutating func cover(_ node: ViewNode, _ index: Int) -> Box {
        let lines: [Box] = [.text(node.label, .title, .text).with { $0.alignment = .center }]
        return Box.column(lines + boxes(node.children, in: index), gap: 8).with {
            $0.grow = 1
            $0.isCentered = true
        }
    }

    mutating func progress(_ node: ViewNode, _ index: Int) -> Box {
        var lines: [Box] = node.label.isEmpty ? [] : [.text(node.label, .body, palette.text)]
        if let progress = node.progress { lines.append(bar(progress)) }
        if let value = node.value, !value.isEmpty { lines.append(.text(value, .small, palette.muted)) }
        return .column(lines + details(node, palette) + boxes(node.children, in: index), gap: 4)
    }

    /// A bar whose filled part shows the progress.
    func bar(_ progress: ViewNode.Progress) -> Box {
        let done = progress.percent
        let full = Box(grow: done, minHeight: 6, surface: Surface(fill: palette.text, radius: 3))
        let rest = Box(grow: 100 - done, minHeight: 6, surface: Surface(border: palette.muted, radius: 3))
        return Box.row([full, rest].filter { $0.grow > 0 }, gap: 0).with { $0.minWidth = 120 }
    }

    /// State and time in small print.
    func details(_ node: ViewNode, _ palette: Palette) -> [Box] {
        let words = [node.at?.minuteText, node.detail].compactMap(\.self).filter { !$0.isEmpty }
        return words.isEmpty ? [] : [.text(words.joined(separator: " · "), .small, palette.muted)]
    }

    /// A dot beside what is at work.
    func busy(_ box: Box) -> Box {
        let dot = Box(minWidth: 8, minHeight: 8, surface: Surface(fill: .accent, radius: 4))
        return .row([dot, box.with { $0.grow = 1 }])
    }
}
