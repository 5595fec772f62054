/// A box that has a size, and a place in its parent.
struct Fragment: Sendable {
    /// In points, from the upper left corner of the parent.
    var x = 0
    var y = 0
    var width = 0
    var height = 0
    var node: Int?
    var surface: Surface?
    var text: TextBlock?
    var children: [Fragment] = []
    /// The height of what scrolls; `nil` if nothing does.
    var contentHeight: Int?
    private(set) var box: Style
    /// Whether the children stand beside each other.
    var isRow = false
    /// In a row, the line that the fragment stands on.
    var line = 0

    /// What of the box is still needed once it is measured.
    struct Style: Sendable {
        var padding = Box.Padding()
        var gap = 0
        var grow = 0
        var alignment = Box.Alignment.stretch
        var isCentered = false
    }

    /// Measures a box and all that is in it: every text once, at the width that it can have at most. The fragment hugs
    /// its content; ``settle(width:)`` gives it its final width.
    init(_ box: Box, within limit: Int) {
        self.box = Style(
            padding: box.padding, gap: box.gap, grow: box.grow, alignment: box.alignment, isCentered: box.isCentered)
        node = box.node
        surface = box.surface
        let limit = max(limit * box.maxShare / 100, 0)
        let inner = max(limit - 2 * box.padding.horizontal, 0)
        let content: (width: Int, height: Int)
        switch box.content {
        case .nothing: content = (0, 0)
        case .text(let block):
            text = block
            content = block.size(within: inner)
        case .column(let boxes): content = measureColumn(boxes, inner)
        case .row(let boxes): content = measureRow(boxes, inner)
        case .scroll(let boxes):
            content = measureColumn(boxes, inner)
            contentHeight = content.height + 2 * box.padding.vertical
        }
        width = max(content.width + 2 * box.padding.horizontal, min(box.minWidth, limit))
        height = max(content.height + 2 * box.padding.vertical, box.minHeight)
        if box.isCentered { moveDown((height - content.height - 2 * box.padding.vertical) / 2) }
    }
}
