/// Says how each role is built of boxes, and numbers the nodes in reading order.
struct Forms {
    /// The nodes that have a place, in reading order, with the index of the one they are in.
    private(set) var nodes: [(node: ViewNode, parent: Int?)] = []
    let viewport: Viewport
    /// The id of the node that has the focus.
    let focused: String?
    /// The colours that text has where the form is now.
    var palette = Palette.onPaper

    init(viewport: Viewport, focused: String?) {
        self.viewport = viewport
        self.focused = focused
    }

    /// The colours of text on one kind of surface.
    struct Palette {
        var text: Ink
        var muted: Ink

        static let onPaper = Palette(text: .text, muted: .muted)
        static let onOwn = Palette(text: .onOwn, muted: .mutedOnOwn)
        static let onBanner = Palette(text: .onBanner, muted: .onBanner)
        static let onDisabled = Palette(text: .onDisabled, muted: .onDisabled)
        static let onButton = Palette(text: .accent, muted: .accent)
    }

    /// The least width and height of what can be touched.
    static let touchTarget = 44

    /// Takes the next number for `node`, builds its box, and gives the box the number.
    mutating func place(_ node: ViewNode, in parent: Int?, _ build: (inout Forms, Int) -> Box) -> Box {
        let index = nodes.count
        nodes.append((node, parent))
        var box = build(&self, index)
        box.node = index
        if node.isActionable {
            box.minWidth = max(box.minWidth, Self.touchTarget)
            box.minHeight = max(box.minHeight, Self.touchTarget)
        }
        return box
    }

    /// The box of a node below the root, by its role.
    mutating func box(_ node: ViewNode, in parent: Int) -> Box {
        place(node, in: parent) { forms, index in
            switch node.role {
            case "heading": forms.paragraph(node, index, .title)
            case "text", "status": forms.paragraph(node, index, .body)
            case "button": forms.button(node, index)
            case "toggle", "choice": forms.mark(node, index)
            case "text_field", "text_input", "secret_field": forms.field(node, index)
            case "composer": node.children.isEmpty ? forms.field(node, index) : forms.composer(node, index)
            case "message": forms.message(node, index)
            case "item": forms.card(node, index)
            case "banner": forms.banner(node, index)
            case "progress": forms.progress(node, index)
            case "cover": forms.cover(node, index)
            case "list", "section", "screen", "message_list": forms.group(node, index)
            default: forms.unknown(node, index)
            }
        }
    }

    /// The boxes of children, one below the other; what belongs together shares a row.
    mutating func boxes(_ children: some Collection<ViewNode>, in parent: Int) -> [Box] {
        var boxes: [Box] = []
        var rest = children.filter(\.isVisible)[...]
        while let node = rest.popFirst() {
            let first = box(node, in: parent)
            guard ["heading", "status"].contains(node.role), let next = rest.first, next.role == "button" else {
                boxes.append(first)
                continue
            }
            rest.removeFirst()
            let wide = first.with {
                $0.grow = 1
                $0.minWidth = 120
            }
            boxes.append(.row([wide, box(next, in: parent)]))
        }
        return boxes
    }

    /// The buttons of a card, banner or message: beside each other, on as many lines as they need.
    mutating func actions(_ node: ViewNode, _ index: Int) -> [Box] {
        let visible = node.children.filter(\.isVisible)
        guard !visible.isEmpty else { return [] }
        let isFlat = visible.allSatisfy { Self.isShort($0) }
        return isFlat ? [.row(visible.map { box($0, in: index) })] : boxes(visible, in: index)
    }

    private static func isShort(_ node: ViewNode) -> Bool {
        ["button", "toggle", "status", "choice"].contains(node.role)
    }

    /// A role that this theme does not know.
    private mutating func unknown(_ node: ViewNode, _ index: Int) -> Box {
        if node.actions.contains("set_text") || node.actions.contains("type_text") { return field(node, index) }
        if !node.children.isEmpty { return group(node, index) }
        return node.actions.contains("tap") ? button(node, index) : paragraph(node, index, .body)
    }
}
