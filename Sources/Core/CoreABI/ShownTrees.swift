import AppCore

/// The trees that the host was last told of, one for each view, so that it learns only what is different.
struct ShownTrees {
    private var shown: [ViewID: Shown] = [:]

    private struct Shown {
        var revision: UInt64
        var tree: SemanticNode
    }

    /// What the host asks for: a view's id, or an object with `view` and `windows`.
    struct Look: Decodable {
        var view: ViewID
        var windows: [String: Window.Request]?

        init(_ text: IncomingText) throws(CallError) {
            do {
                if let look = try? JSON.decode(Look.self, from: text.bytes) {
                    self = look
                } else {
                    let name = String(decoding: text.bytes, as: UTF8.self)
                    view = try JSON.decode(ViewID.self, from: JSON.encode(name))
                }
            } catch { throw CallError(.badView, "a view is an id or {\"view\":ID,\"windows\":{…}}") }
        }
    }

    /// The difference from the revision that the host knows to what `core` shows now.
    mutating func changes(of core: Core, _ look: Look, since known: UInt64) throws(CallError) -> Changes {
        guard let tree = core.tree(for: look.view, windows: look.windows ?? [:]) else {
            throw CallError(.unknownView, "the view is not open")
        }
        shown = shown.filter { core.state.views[$0.key] != nil }
        guard let last = shown[look.view] else {
            shown[look.view] = Shown(revision: 1, tree: tree)
            return Changes(rev: 1, root: tree)
        }
        let diff = TreeDiff(from: last.tree, to: tree)
        let revision = diff.isEmpty ? last.revision : last.revision + 1
        shown[look.view] = Shown(revision: revision, tree: tree)
        guard known == last.revision, diff.replaced == nil else { return Changes(rev: revision, root: tree) }
        return Changes(rev: revision, from: known, diff: diff)
    }

    /// JSON as `alcove_core.h` describes it.
    struct Changes: Encodable {
        var rev: UInt64
        var from: UInt64?
        var root: SemanticNode?
        var diff: TreeDiff?

        private enum Key: CodingKey { case rev, from, root, removed, placed, updated }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(rev, forKey: .rev)
            try container.encodeIfPresent(from, forKey: .from)
            try container.encodeIfPresent(root, forKey: .root)
            guard let diff else { return }
            if !diff.removed.isEmpty { try container.encode(diff.removed, forKey: .removed) }
            if !diff.placed.isEmpty { try container.encode(diff.placed, forKey: .placed) }
            if !diff.updated.isEmpty { try container.encode(diff.updated, forKey: .updated) }
        }
    }
}
