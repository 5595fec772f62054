extension Forms {
    mutating func button(_ node: ViewNode, _ index: Int) -> Box {
        let colours: Palette = node.isEnabled ? .onButton : .onDisabled
        return within(colours) { forms in
            var lines: [Box] = []
            for (text, face) in [(node.label, Typeface.strong), (node.value ?? "", .small)] where !text.isEmpty {
                lines.append(.text(text, face, colours.text).with { $0.alignment = .center })
            }
            lines += forms.details(node, colours).map { $0.with { $0.alignment = .center } }
            lines += forms.boxes(node.children, in: index)
            return Box.column(lines).with {
                $0.padding = .init(horizontal: 12, vertical: 8)
                $0.minWidth = Forms.touchTarget
                $0.minHeight = Forms.touchTarget
                $0.isCentered = true
                $0.surface = Surface(
                    fill: node.isEnabled ? .button : .disabled, border: forms.hasFocus(node) ? .accent : nil,
                    radius: 10)
            }
        }
    }

    /// A switch, or one choice of several: a mark that is filled if it is on.
    mutating func mark(_ node: ViewNode, _ index: Int) -> Box {
        let isChoice = node.role == "choice"
        let colours: Palette = node.isEnabled || node.isSelected ? .onPaper : .onDisabled
        return within(colours) { forms in
            let mark = Box(
                minWidth: 20, minHeight: 20,
                surface: Surface(
                    fill: node.isSelected ? .accent : .field, border: node.isSelected ? .accent : .line,
                    radius: isChoice ? 10 : 5))
            var lines: [Box] = node.label.isEmpty ? [] : [.text(node.label, .body, colours.text)]
            if let value = node.value, !value.isEmpty { lines.append(.text(value, .small, colours.muted)) }
            lines += forms.details(node, colours) + forms.boxes(node.children, in: index)
            return Box.row([mark, Box.column(lines).with { $0.grow = 1 }]).with {
                $0.padding = .init(horizontal: 12, vertical: 8)
                $0.minHeight = Forms.touchTarget
                $0.isCentered = true
                $0.surface = Surface(
                    fill: node.isEnabled || node.isSelected ? .card : .disabled,
                    border: forms.hasFocus(node) ? .accent : nil, radius: 10)
            }
        }
    }

    /// A field: its name above, its end in sight, as when one writes.
    mutating func field(_ node: ViewNode, _ index: Int) -> Box {
        let colours: Palette = node.isEnabled ? .onPaper : .onDisabled
        var lines: [Box] = node.label.isEmpty ? [] : [.text(node.label, .small, .muted)]
        var shown: [Box] = []
        if let value = node.value, !value.isEmpty {
            let block = TextBlock(text: value, face: .body, ink: colours.text, maxLines: 6)
            shown.append(Box(content: .text(block)))
        }
        let entry = Box.column(shown).with {
            $0.padding = .init(horizontal: 12, vertical: 10)
            $0.minHeight = Forms.touchTarget
            $0.isCentered = true
            $0.surface = Surface(
                fill: node.isEnabled ? .field : .disabled, border: hasFocus(node) ? .accent : .line, radius: 10)
        }
        lines.append(entry)
        lines += details(node, .onPaper) + boxes(node.children, in: index)
        return .column(lines, gap: 4)
    }

    func hasFocus(_ node: ViewNode) -> Bool { node.id == focused }

    /// Builds something on a surface with other colours of text.
    mutating func within(_ colours: Palette, _ build: (inout Forms) -> Box) -> Box {
        let outer = palette
        defer { palette = outer }
        palette = colours
        return build(&self)
    }
}
