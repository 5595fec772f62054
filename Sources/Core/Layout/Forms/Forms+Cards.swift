import AppCore

extension Forms {
    /// An entry of a list.
    mutating func card(_ node: ViewNode, _ index: Int) -> Box {
        let lines = words(node, .strong) + details(node, palette) + actions(node, index)
        let column = Box.column(lines, gap: 4)
        return (node.isBusy ? busy(column) : column).with {
            $0.padding = .init(horizontal: 12, vertical: 10)
            $0.surface = Surface(
                fill: .card, border: hasFocus(node) || node.isSelected ? .accent : nil, radius: 12)
        }
    }

    /// Something that the person should know before all else.
    mutating func banner(_ node: ViewNode, _ index: Int) -> Box {
        within(.onBanner) { forms in
            let lines = forms.words(node, .body) + forms.details(node, .onBanner) + forms.actions(node, index)
            return Box.column(lines, gap: 6).with {
                $0.padding = .init(horizontal: 12, vertical: 10)
                $0.surface = Surface(
                    fill: .banner, border: forms.hasFocus(node) ? .accent : .edgeOfBanner, radius: 12)
            }
        }
    }

    /// A bubble on its side of the talk, or a note in the middle.
    mutating func message(_ node: ViewNode, _ index: Int) -> Box {
        switch node.side ?? .other {
        case .own: bubble(node, index, .onOwn, Surface(fill: .own, radius: 14), .end)
        case .other: bubble(node, index, .onPaper, Surface(fill: .other, radius: 14), .start)
        case .note: bubble(node, index, .onPaper, nil, .center)
        }
    }

    private mutating func bubble(
        _ node: ViewNode, _ index: Int, _ colours: Palette, _ surface: Surface?, _ side: Box.Alignment
    ) -> Box {
        within(colours) { forms in
            var lines: [Box] = []
            let isNote = node.side == .note
            if !node.label.isEmpty {
                lines.append(.text(node.label, .small, colours.muted, alignment: isNote ? .center : .start))
            }
            if let progress = node.progress { lines.append(forms.bar(progress)) }
            if let value = node.value, !value.isEmpty { lines.append(.text(value, .body, colours.text)) }
            let words = [node.at?.clockText, node.detail].compactMap(\.self).filter { !$0.isEmpty }
            if !words.isEmpty {
                lines.append(
                    .text(
                        words.joined(separator: " · "), .small, colours.muted, alignment: isNote ? .center : .start))
            }
            lines += forms.actions(node, index)
            return Box.column(lines, gap: 4).with {
                $0.padding = .init(horizontal: 12, vertical: 8)
                $0.alignment = side
                $0.maxShare = isNote ? 100 : 80
                $0.surface = surface
                if forms.hasFocus(node) { $0.surface = Surface(fill: surface?.fill, border: .accent, radius: 14) }
            }
        }
    }

    private func words(_ node: ViewNode, _ face: Typeface) -> [Box] {
        [(node.label, face), (node.value ?? "", Typeface.body)].filter { !$0.0.isEmpty }.map { text, face in
            .text(text, face, palette.text)
        }
    }
}
