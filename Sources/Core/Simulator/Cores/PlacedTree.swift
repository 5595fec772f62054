import AppCore

/// A tree as JSON, `{screen, root}`, in which nodes say where they are: `bounds` are points of the screen.
struct PlacedTree {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    private var root: JSONValue { json["root"] ?? .null }

    /// Whether the tree says where it is at all.
    var hasPlaces: Bool { root["bounds"]?.object != nil }

    /// The first node with this id, in reading order.
    func find(_ id: String) -> JSONValue? { Self.find(id, in: root) }

    private static func find(_ id: String, in node: JSONValue) -> JSONValue? {
        if node["id"]?.string == id { return node }
        for child in node["children"]?.array ?? [] { if let match = find(id, in: child) { return match } }
        return nil
    }

    /// The deepest node at a point, of children the last one; with an action, the deepest that is enabled and offers it.
    /// A node outside its parent cannot be reached.
    func hit(x: Int, y: Int, action: String? = nil) -> JSONValue? {
        Self.hit(root, Double(x), Double(y), action)
    }

    private static func hit(_ node: JSONValue, _ x: Double, _ y: Double, _ action: String?) -> JSONValue? {
        guard node["visible"]?.bool != false, let bounds = node["bounds"],
            let left = bounds["x"]?.number, let top = bounds["y"]?.number,
            let width = bounds["width"]?.number, let height = bounds["height"]?.number,
            left <= x, x < left + width, top <= y, y < top + height
        else { return nil }
        for child in (node["children"]?.array ?? []).reversed() {
            if let match = hit(child, x, y, action) { return match }
        }
        guard let action else { return node }
        let offers = node["supported_actions"]?.array ?? []
        return node["enabled"]?.bool != false && offers.contains(.string(action)) ? node : nil
    }
}
