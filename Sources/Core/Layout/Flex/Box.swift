/// What the layout works on: boxes in columns and rows, as flexbox has them, but only the part that is needed here.
struct Box: Sendable {
    enum Content: Sendable {
        case nothing
        case text(TextBlock)
        /// One below the other.
        case column([Box])
        /// Beside each other, and on further lines if they do not fit.
        case row([Box])
        /// A window on a column that may be higher than the window; the column moves up by the offset.
        case scroll([Box])
    }

    /// Where a box stands across its column.
    enum Alignment: Sendable { case stretch, start, center, end }

    struct Padding: Sendable {
        var horizontal = 0
        var vertical = 0
    }

    var content: Content = .nothing
    /// The frame that takes this box's place: its index in ``Layout/frames``.
    var node: Int?
    var padding = Padding()
    /// Points between two children.
    var gap = 0
    /// The share of what is left over that the box takes: of the width in a row, of the height in the viewport.
    var grow = 0
    /// In as far as there is room.
    var minWidth = 0
    var minHeight = 0
    /// The box is at most so many hundredths of its column wide.
    var maxShare = 100
    var alignment = Alignment.stretch
    /// Whether the content stands in the middle of the height if there is more than it needs.
    var isCentered = false
    var surface: Surface?

    static func column(_ children: [Box], gap: Int = 0) -> Box { Box(content: .column(children), gap: gap) }

    static func row(_ children: [Box], gap: Int = 8) -> Box { Box(content: .row(children), gap: gap) }

    static func text(_ text: String, _ face: Typeface, _ ink: Ink, alignment: Alignment = .start) -> Box {
        Box(content: .text(TextBlock(text: text, face: face, ink: ink, alignment: alignment)))
    }

    /// The same box with other properties.
    func with(_ change: (inout Box) -> Void) -> Box {
        var box = self
        change(&box)
        return box
    }
}

/// A text in one face and one colour.
struct TextBlock: Sendable {
    var text: String
    var face: Typeface
    var ink: Ink
    var alignment = Box.Alignment.start
    /// Only the last lines are shown if there are more, as in a field that is being written in.
    var maxLines: Int?
}
