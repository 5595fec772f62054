// Heights and lines are decided when a box is measured; widths and columns when it is settled. So every text is measured
// once, however deep it lies.

extension Fragment {
    /// Puts boxes below each other.
    mutating func measureColumn(_ boxes: [Box], _ limit: Int) -> (width: Int, height: Int) {
        var width = 0
        var top = box.padding.vertical
        children.reserveCapacity(boxes.count)
        for child in boxes {
            var fragment = Fragment(child, within: limit)
            fragment.y = top
            top += fragment.height + box.gap
            width = max(width, fragment.width)
            children.append(fragment)
        }
        return (width, boxes.isEmpty ? 0 : top - box.gap - box.padding.vertical)
    }

    /// Puts boxes beside each other, on as many lines as they need. What grows begins with its least width and takes what
    /// its line leaves over.
    mutating func measureRow(_ boxes: [Box], _ limit: Int) -> (width: Int, height: Int) {
        isRow = true
        let rigid = boxes.map { $0.grow > 0 ? nil : Fragment($0, within: limit) }
        let bases = zip(boxes, rigid).map { box, fragment in fragment?.width ?? min(box.minWidth, limit) }
        var width = 0
        var top = box.padding.vertical
        for (number, range) in lines(bases, limit).enumerated() {
            let used = bases[range].reduce(0, +) + box.gap * (range.count - 1)
            let weight = range.reduce(0) { $0 + boxes[$1].grow }
            var line: [Fragment] = []
            for index in range {
                let share = max(limit - used, 0) * boxes[index].grow / max(weight, 1)
                var fragment = rigid[index] ?? Fragment(boxes[index], within: bases[index] + share)
                fragment.line = number
                line.append(fragment)
            }
            let height = line.reduce(0) { max($0, $1.height) }
            for index in line.indices { line[index].y = top + (height - line[index].height) / 2 }
            width = max(width, line.reduce(box.gap * (line.count - 1)) { $0 + $1.width })
            top += height + box.gap
            children += line
        }
        return (width, boxes.isEmpty ? 0 : top - box.gap - box.padding.vertical)
    }

    private func lines(_ bases: [Int], _ limit: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var used = 0
        for (index, width) in bases.enumerated() {
            if index > start, used + box.gap + width > limit {
                lines.append(start..<index)
                start = index
                used = width
            } else {
                used += (index > start ? box.gap : 0) + width
            }
        }
        return start < bases.count ? lines + [start..<bases.count] : lines
    }

    mutating func moveDown(_ points: Int) {
        guard points > 0 else { return }
        for index in children.indices { children[index].y += points }
    }
}

extension TextBlock {
    /// The lines that are shown when none may be wider than `width` points.
    func lines(within width: Int) -> [TextLine] {
        let lines = LineBreaker.lines(of: text, limit: face.advance(fitting: width))
        return maxLines.map { lines.suffix($0) } ?? lines
    }

    func size(within width: Int) -> (width: Int, height: Int) {
        let lines = lines(within: width)
        let widest = lines.reduce(0) { max($0, $1.advance) }
        return (face.points(widest), lines.count * face.lineHeight)
    }
}
