/// Where everything of a tree is on a screen, and what follows from that: what a touch hits, what can be scrolled, the
/// order of the focus, and the picture.
///
/// It is a pure function of the tree, the viewport and the state: the same in every build, in whole points.
package struct Layout: Sendable {
    /// A node and its place.
    package struct Frame: Sendable, Identifiable {
        package let node: ViewNode
        /// The index of the frame it is in; `nil` for the root.
        package let parent: Int?
        /// In points of the viewport, also if it is scrolled out of sight.
        package internal(set) var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
        /// The part of it that is in sight; `nil` if none is.
        package internal(set) var shown: Rect?
        /// The window it is in: an index of ``Layout/scrollAreas``.
        var area: Int?

        package var id: String { node.id }
    }

    /// A window on content that may be higher than the window.
    package struct ScrollArea: Sendable, Hashable {
        /// The id of the node that scrolls.
        package let id: String
        package let window: Rect
        package let contentHeight: Int
        /// Points of content above the window.
        package let offset: Int

        package var maxOffset: Int { max(contentHeight - window.height, 0) }
    }

    package let root: ViewNode
    package let viewport: Viewport
    package let state: ViewportState
    /// Everything that is visible in the sense of the tree, in reading order, the root first.
    package let frames: [Frame]
    package let scrollAreas: [ScrollArea]
    /// The id of the node with the focus.
    package let focused: String?
    let fragment: Fragment
    /// The index of the first frame with an id.
    let indices: [String: Int]

    package init(of root: ViewNode, viewport: Viewport = .phone, state: ViewportState = ViewportState()) {
        self.root = root
        self.viewport = viewport
        self.state = state
        focused = Layout.focus(in: root, state)
        let (fragment, forms) = Layout.arrange(root, viewport, focused)
        var placement = Placement(nodes: forms.nodes, state: state)
        if root.isVisible { placement.visit(fragment, x: 0, y: 0, clip: viewport.rect, node: 0) }
        self.fragment = fragment
        frames = placement.frames
        scrollAreas = placement.scrollAreas
        indices = Dictionary(zip(frames.map(\.id), frames.indices)) { first, _ in first }
    }

    /// The frame of the first node with this id; `nil` if there is none, or it is not visible.
    package subscript(id: String) -> Frame? { indices[id].map { frames[$0] } }

    /// The least height of a window on messages or a page; below it the screen scrolls as a whole.
    private static let leastWindow = 160

    private static func arrange(_ root: ViewNode, _ viewport: Viewport, _ focused: String?) -> (Fragment, Forms) {
        var forms = Forms(viewport: viewport, focused: focused)
        var fragment = Fragment(Box(), within: 0)
        guard root.isVisible else { return (fragment, forms) }
        for division in Division.allCases {
            forms = Forms(viewport: viewport, focused: focused)
            fragment = Fragment(forms.screen(root, division), within: viewport.width)
            fragment.settle(width: viewport.width)
            fragment.fit(height: viewport.height)
            let window = fragment.children.first { $0.contentHeight != nil }
            if division == .whole || window.map({ $0.height >= leastWindow }) ?? true { break }
        }
        return (fragment, forms)
    }

    /// What the state names if it can have the focus, or else what the tree says.
    private static func focus(in root: ViewNode, _ state: ViewportState) -> String? {
        if let id = state.focus, root.find(id)?.isActionable == true { return id }
        return focus(in: root)
    }

    private static func focus(in node: ViewNode) -> String? {
        guard node.isVisible else { return nil }
        if node.isFocused { return node.id }
        // By index, because that copies no node.
        for index in node.children.indices { if let id = focus(in: node.children[index]) { return id } }
        return nil
    }
}
