extension Layout {
    /// What can have the focus, in the order of the tab key: the order of reading.
    package var focusOrder: [String] {
        frames.filter(\.node.isActionable).map(\.id)
    }

    /// The state after the tab key, or with shift. After the last comes the first.
    package func focusingNext(backwards: Bool = false) -> ViewportState {
        let order = focusOrder
        guard !order.isEmpty else { return state }
        let step = backwards ? order.count - 1 : 1
        let start = backwards ? 0 : order.count - 1
        let present = focused.flatMap { order.firstIndex(of: $0) } ?? start
        return focusing(order[(present + step) % order.count])
    }

    /// The state with the focus on a node, which is scrolled into sight; unchanged if nothing can be done with the node.
    package func focusing(_ id: String) -> ViewportState {
        guard self[id]?.node.isActionable == true else { return state }
        var state = revealing(id)
        state.focus = id
        return state
    }

    /// The state after scrolling by so many points, down if positive: of the node, or of the nearest around it that
    /// scrolls. It goes no further than the content.
    package func scrolled(_ id: String, by points: Int) -> ViewportState {
        guard let area = scrollArea(around: id) else { return state }
        let (sum, overflow) = area.offset.addingReportingOverflow(points)
        return scrolled(area, to: overflow ? (points > 0 ? .max : .min) : sum)
    }

    /// The state in which a node is in sight, if need be by scrolling as little as that takes.
    package func revealing(_ id: String) -> ViewportState {
        guard let frame = self[id], let area = frame.area.map({ scrollAreas[$0] }) else { return state }
        let (bounds, window) = (frame.bounds, area.window)
        if bounds.y < window.y || bounds.height > window.height {
            return scrolled(area, to: area.offset + bounds.y - window.y)
        }
        return bounds.maxY > window.maxY ? scrolled(area, to: area.offset + bounds.maxY - window.maxY) : state
    }

    /// The window that the node is, or that it is in; for the root, the first on the screen.
    package func scrollArea(around id: String) -> ScrollArea? {
        if let own = scrollAreas.first(where: { $0.id == id }) { return own }
        guard let index = indices[id] else { return nil }
        return index == 0 ? scrollAreas.first : frames[index].area.map { scrollAreas[$0] }
    }

    private func scrolled(_ area: ScrollArea, to offset: Int) -> ViewportState {
        var state = state
        let offset = min(max(offset, 0), area.maxOffset)
        let isMessages = self[area.id].map { Forms.isMessageList($0.node) } ?? false
        // At its end a list of messages is not held, so that it follows what comes.
        state.scroll[area.id] = isMessages && offset == area.maxOffset ? nil : offset
        return state
    }
}
