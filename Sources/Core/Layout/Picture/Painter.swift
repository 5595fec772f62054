/// Draws the fragments that are in sight.
struct Painter {
    private let layout: Layout
    private var chrome: [Scene.Primitive] = []
    private var content: [Scene.Primitive] = []

    private init(_ layout: Layout) { self.layout = layout }

    static func scene(of layout: Layout) -> Scene {
        var painter = Painter(layout)
        let whole = layout.viewport.rect
        if layout.root.isVisible { painter.paint(layout.fragment, x: 0, y: 0, clip: whole, node: 0) }
        let background = Scene.Primitive.rect(
            Scene.Shape(
                semanticNodeID: layout.root.id, bounds: whole, radius: 0, fill: Ink.paper.hex, stroke: nil, clip: nil))
        return Scene(
            viewport: layout.viewport, title: layout.root.label.isEmpty ? layout.root.id : layout.root.label,
            layers: [
                .init(id: "background", zIndex: 0, primitives: [background]),
                .init(id: "chrome", zIndex: 10, primitives: painter.chrome),
                .init(id: "content", zIndex: 20, primitives: painter.content),
            ])
    }

    private mutating func paint(_ fragment: Fragment, x: Int, y: Int, clip: Rect, node: Int) {
        let bounds = Rect(x: x + fragment.x, y: y + fragment.y, width: fragment.width, height: fragment.height)
        guard let shown = bounds.intersection(clip) else { return }
        let node = fragment.node ?? node
        if let surface = fragment.surface { paint(surface, bounds, clip, node) }
        if let block = fragment.text { paint(block, bounds, clip, node) }
        var top = bounds.y
        if fragment.contentHeight != nil, let id = layout.frames.indices.contains(node) ? layout.frames[node].id : nil {
            top -= layout.scrollAreas.first { $0.id == id }?.offset ?? 0
        }
        let inner = fragment.contentHeight == nil ? clip : shown
        for child in fragment.children { paint(child, x: bounds.x, y: top, clip: inner, node: node) }
    }

    private mutating func paint(_ surface: Surface, _ bounds: Rect, _ clip: Rect, _ node: Int) {
        let shape = Scene.Primitive.rect(
            Scene.Shape(
                semanticNodeID: layout.frames[node].id, bounds: bounds, radius: surface.radius,
                fill: surface.fill?.hex, stroke: surface.border?.hex, clip: clip.contains(bounds) ? nil : clip))
        if surface.isChrome { chrome.append(shape) } else { content.append(shape) }
    }

    private mutating func paint(_ block: TextBlock, _ bounds: Rect, _ clip: Rect, _ node: Int) {
        let face = block.face
        let lines = block.lines(within: bounds.width)
        let directions = block.directions(of: lines)
        for (number, line) in lines.enumerated() {
            let width = face.points(line.advance)
            let alignment = block.alignment.reading(directions[number])
            let place = Rect(
                x: bounds.x + alignment.indent(of: width, in: bounds.width),
                y: bounds.y + number * face.lineHeight, width: width, height: face.lineHeight)
            guard place.intersection(clip) != nil else { continue }
            content.append(
                .text(
                    Scene.Line(
                        semanticNodeID: layout.frames[node].id, text: block.shown(line), x: place.x,
                        y: place.y + face.baseline, width: width, fontSize: face.size,
                        fontWeight: face.isBold ? 700 : 400, fill: block.ink.hex,
                        direction: directions[number] == .rightToLeft ? "rtl" : nil,
                        clip: clip.contains(place) ? nil : clip)))
        }
    }
}

extension Box.Alignment {
    /// From the left edge of a room to something in it.
    func indent(of width: Int, in room: Int) -> Int {
        switch self {
        case .stretch, .start: 0
        case .center: max(room - width, 0) / 2
        case .end: max(room - width, 0)
        }
    }
}

extension TextBlock {
    /// The text of a line as it is drawn: without the spaces that hang over its end, and with U+FFFD for what cannot be
    /// drawn.
    func shown(_ line: TextLine) -> String {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: line.start)
        let end = utf8.index(start, offsetBy: line.end - line.start)
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars[start..<end] {
            shown.append(scalar == "\t" ? " " : scalar.isShown ? scalar : "\u{FFFD}")
        }
        while let last = shown.last, last == " " || last == "\u{200B}" { shown.removeLast() }
        return String(shown)
    }
}

extension Layout {
    /// What to draw.
    package var scene: Scene { Painter.scene(of: self) }
}
