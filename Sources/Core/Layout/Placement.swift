/// Turns the tree of fragments, where places are relative, into frames of the viewport.
struct Placement {
    private(set) var frames: [Layout.Frame]
    private(set) var scrollAreas: [Layout.ScrollArea] = []
    private let state: ViewportState

    init(nodes: [(node: ViewNode, parent: Int?)], state: ViewportState) {
        frames = nodes.map { Layout.Frame(node: $0.node, parent: $0.parent) }
        self.state = state
    }

    /// `x` and `y` are where the parent's corner is; `node` is the frame around the fragment.
    mutating func visit(_ fragment: Fragment, x: Int, y: Int, clip: Rect?, node: Int, area: Int? = nil) {
        let bounds = Rect(x: x + fragment.x, y: y + fragment.y, width: fragment.width, height: fragment.height)
        let shown = clip.flatMap { bounds.intersection($0) }
        let node = fragment.node ?? node
        if fragment.node != nil {
            frames[node].bounds = bounds
            frames[node].shown = shown
            frames[node].area = area
        }
        var top = bounds.y
        var (inner, area) = (clip, area)
        if let contentHeight = fragment.contentHeight {
            let window = window(of: frames[node].node, bounds, contentHeight)
            (inner, area) = (shown, scrollAreas.count)
            scrollAreas.append(window)
            top -= window.offset
        }
        // By index, because that copies no fragment.
        for index in fragment.children.indices {
            visit(fragment.children[index], x: bounds.x, y: top, clip: inner, node: node, area: area)
        }
    }

    private func window(of node: ViewNode, _ window: Rect, _ contentHeight: Int) -> Layout.ScrollArea {
        let most = max(contentHeight - window.height, 0)
        let start = Forms.isMessageList(node) ? most : 0
        return Layout.ScrollArea(
            id: node.id, window: window, contentHeight: contentHeight,
            offset: min(max(state.scroll[node.id] ?? start, 0), most))
    }
}
