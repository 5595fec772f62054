extension Fragment {
    /// Gives the fragment its final width, and what is in it its place across. It never gets narrower than its content,
    /// so no child leaves its parent.
    mutating func settle(width final: Int) {
        width = max(final, width)
        let inner = width - 2 * box.padding.horizontal
        if isRow {
            var start = 0
            while start < children.count {
                let end = children[start...].firstIndex { $0.line != children[start].line } ?? children.count
                settle(line: start..<end, inner)
                start = end
            }
        } else {
            for index in children.indices { settle(child: index, inner) }
        }
    }

    private mutating func settle(child index: Int, _ inner: Int) {
        let alignment = children[index].box.alignment
        let final = alignment == .stretch ? inner : children[index].width
        children[index].settle(width: final)
        let free = max(inner - children[index].width, 0)
        let indent =
            switch alignment {
            case .stretch, .start: 0
            case .center: free / 2
            case .end: free
            }
        children[index].x = box.padding.horizontal + indent
    }

    private mutating func settle(line: Range<Int>, _ inner: Int) {
        let used = line.reduce(box.gap * (line.count - 1)) { $0 + children[$1].width }
        let weight = line.reduce(0) { $0 + children[$1].box.grow }
        var left = box.padding.horizontal
        for index in line {
            let share = max(inner - used, 0) * children[index].box.grow / max(weight, 1)
            children[index].settle(width: children[index].width + share)
            children[index].x = left
            left += children[index].width + box.gap
        }
    }

    /// Gives the fragment its final height: what grows takes what is left over, and a window that scrolls gives what is
    /// missing.
    mutating func fit(height final: Int) {
        let change = final - height
        height = final
        guard contentHeight == nil else { return }
        guard let growing = children.firstIndex(where: { $0.box.grow > 0 }) else {
            if box.isCentered { moveDown(change / 2) }
            return
        }
        children[growing].fit(height: max(children[growing].height + change, 0))
        for index in children.indices where index > growing { children[index].y += change }
    }
}
