import AppCore
import Layout

/// Reads a tree: whatever it is, it is refused or laid out, drawn, checked and read back.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzViewTree(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let tree = try? ViewNode(json: UnsafeBufferPointer(start: start, count: count)) else { return 0 }
    let layout = Layout(of: tree)
    let svg = layout.svg
    precondition(svg.hasSuffix("</svg>\n"), "the picture is cut off")
    precondition(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "the picture is not XML")
    for frame in layout.frames where frame.shown != nil {
        precondition(layout.viewport.width > 0 && frame.shown.map { layout.hit(x: $0.x, y: $0.y) != nil } == true)
    }
    for line in tree.terminalLines(columns: 40, hasColours: false) {
        precondition(!line.unicodeScalars.contains { $0.value < 0x20 }, "a terminal would obey this")
    }
    _ = tree.outline
    _ = Lint.findings(in: layout)
    let moved = Layout(of: tree, state: layout.scrolled(tree.id, by: 100))
    _ = LayoutDifference(from: layout, to: moved)
    let written = try? JSON.encode(layout.tree)
    let read = written.flatMap { try? ViewNode(json: $0) }
    precondition(read.map(nodes) == nodes(tree), "the tree cannot be read back")
    return 0
}

private func nodes(_ node: ViewNode) -> Int { node.children.reduce(1) { $0 + nodes($1) } }
