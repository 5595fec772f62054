extension Lint {
    /// What no touch reaches, however one scrolls.
    static func reach(_ layout: Layout) -> [Finding] {
        var findings: [Finding] = []
        visit(layout.root) { node, isReached in
            guard !isReached, node.isVisible, node.isActionable else { return }
            findings.append(
                Finding(.unreachable, node.id, "It is visible and in something that is not. Show both or hide both."))
        }
        for index in layout.frames.indices where layout.frames[index].node.isActionable {
            let frame = layout.frames[index]
            if !canComeIntoSight(index, layout) {
                findings.append(
                    Finding(.unreachable, frame.id, "No scrolling brings it into sight. Nest it less deeply."))
            } else if let shown = frame.shown, isCovered(index, shown, layout) {
                findings.append(
                    Finding(
                        .unreachable, frame.id, "What lies on it takes every touch. Leave room around its children."))
            }
        }
        return findings
    }

    /// Whether any part of it is in sight once its window is scrolled as needed: content can be brought to any height of
    /// its window, and is not moved across.
    private static func canComeIntoSight(_ index: Int, _ layout: Layout) -> Bool {
        let bounds = layout.frames[index].bounds
        guard let window = layout.frames[index].area.map({ layout.scrollAreas[$0].window }) else {
            return bounds.intersection(layout.viewport.rect) != nil
        }
        let column = Rect(x: bounds.x, y: window.y, width: bounds.width, height: window.height)
        return bounds.height > 0 && column.intersection(window)?.intersection(layout.viewport.rect) != nil
    }

    private static func isCovered(_ index: Int, _ shown: Rect, _ layout: Layout) -> Bool {
        let columns = [shown.x, shown.x + shown.width / 2, shown.maxX - 1]
        let rows = [shown.y, shown.y + shown.height / 2, shown.maxY - 1]
        return !columns.contains { x in rows.contains { y in takes(index, x, y, layout) } }
    }

    private static func takes(_ index: Int, _ x: Int, _ y: Int, _ layout: Layout) -> Bool {
        let frame = layout.frames[index]
        return frame.node.actions.contains { layout.hit(x: x, y: y, action: $0)?.id == frame.id }
    }
}
