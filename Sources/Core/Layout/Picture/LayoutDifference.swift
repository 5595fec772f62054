/// What a person sees to be different between two layouts. Nodes are told apart by their ids; one that only moved is not
/// different.
package struct LayoutDifference: Sendable, Encodable {
    /// Ids, in reading order.
    package let added: [String]
    package let removed: [String]
    /// Nodes that are in both and show something else.
    package let changed: [String]
    /// The picture after, with outlines: green what was added, red where what was removed had been, amber what changed.
    package let svg: String

    package init(from before: Layout, to after: Layout) {
        added = after.ids.filter { before[$0] == nil }
        removed = before.ids.filter { after[$0] == nil }
        changed = after.ids.filter { id in
            guard let old = before[id], let new = after[id] else { return false }
            return !LayoutDifference.showTheSame(old, new) || (before.focused == id) != (after.focused == id)
        }
        let outlines =
            removed.compactMap { before.outline(of: $0, .removed) } + added.compactMap { after.outline(of: $0, .added) }
            + changed.compactMap { after.outline(of: $0, .changed) }
        svg = after.scene.adding(Scene.Layer(id: "difference", zIndex: 30, primitives: outlines)).svg
    }

    private static func showTheSame(_ old: Layout.Frame, _ new: Layout.Frame) -> Bool {
        var (old, new) = (old.node, new.node)
        // A tree says who has the focus, and a layout who really has it.
        (old.children, new.children, old.isFocused, new.isFocused) = ([], [], false, false)
        return old == new
    }
}

extension Layout {
    /// Every id once, in reading order.
    fileprivate var ids: [String] {
        frames.indices.filter { indices[frames[$0].id] == $0 }.map { frames[$0].id }
    }

    fileprivate func outline(of id: String, _ ink: Ink) -> Scene.Primitive? {
        guard let shown = self[id]?.shown else { return nil }
        return .rect(
            Scene.Shape(
                semanticNodeID: id, bounds: shown, radius: 4, fill: nil, stroke: ink.hex, strokeWidth: 3, clip: nil))
    }
}

extension Scene {
    fileprivate func adding(_ layer: Layer) -> Scene {
        Scene(viewport: viewport, title: title, layers: layers + [layer])
    }
}
