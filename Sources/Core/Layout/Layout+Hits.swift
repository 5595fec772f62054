extension Layout {
    /// What is touched at a point: the deepest node there that is in sight, and of those the last in reading order.
    ///
    /// - Parameters:
    ///   - x: Points from the left edge of the viewport.
    ///   - y: Points from its upper edge.
    package func hit(x: Int, y: Int) -> Frame? {
        frames.last { $0.shown?.contains(x: x, y: y) == true }
    }

    /// What takes an action at a point: what is touched, or the nearest node around it that is enabled and offers the
    /// action. A node that could offer it and is not enabled lets nothing through to what it lies on.
    package func hit(x: Int, y: Int, action: String) -> Frame? {
        var index = frames.lastIndex { $0.shown?.contains(x: x, y: y) == true }
        while let current = index {
            let frame = frames[current]
            if supports(action, frame) { return frame }
            if !frame.node.isEnabled { return nil }
            index = frame.parent
        }
        return nil
    }

    /// The actions of a node here and now: its own, and `scroll` if it has more content than its window shows.
    package func actions(of frame: Frame) -> [String] {
        guard frame.node.isEnabled else { return [] }
        let canScroll = scrollAreas.contains { $0.id == frame.id && $0.maxOffset > 0 }
        let own = frame.node.actions.filter { $0 != "scroll" }
        return canScroll ? own + ["scroll"] : own
    }

    private func supports(_ action: String, _ frame: Frame) -> Bool {
        frame.node.isEnabled && actions(of: frame).contains(action)
    }
}
