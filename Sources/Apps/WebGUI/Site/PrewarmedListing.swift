package import Components
internal import Wire

/// The names at every object of a tree of capabilities, known before a page asks: it asks while its first script runs, when
/// nothing can be awaited.
package struct PrewarmedListing: Hashable, Sendable {
    /// Names in a path; the deepest of the platform is `w3n/system/apps/opener`.
    package static let depth = 4
    /// Names altogether. What is beyond is not there for pages.
    package static let limit = 2000

    /// Names by path. Paths without names are left out.
    package private(set) var names: [[String]: [String]] = [:]

    /// Walks a tree, breadth first.
    ///
    /// - Parameter list: the names at a path, none for functions and for paths that lead nowhere.
    package init(_ list: (_ path: [String]) async -> [String]) async {
        var paths = [[ObjectConnection.rootName]][...]
        var room = Self.limit
        while let path = paths.popFirst() {
            let found = await list(path).filter(Self.isName).prefix(room)
            guard !found.isEmpty else { continue }
            room -= found.count
            names[path] = Array(found)
            if path.count < Self.depth { paths += found.map { path + [$0] } }
        }
    }

    /// Walks the tree of the built-in core.
    package init(_ root: ServiceObject) async {
        await self.init { path in
            var object: ServiceObject? = root
            for name in path.dropFirst() { object = object?.members[name] }
            return object?.names ?? []
        }
    }

    /// A slash would make one path look like another.
    private static func isName(_ name: String) -> Bool { (1...128).contains(name.utf8.count) && !name.contains("/") }

    /// `{"w3n":["log","storage"],"w3n/storage":["getAppLocalFS"]}`, sorted by path.
    package var json: String {
        var object = JSONObject()
        let paths = names.map { (path: $0.key.joined(separator: "/"), names: $0.value) }
        for entry in paths.sorted(by: { $0.path < $1.path }) {
            object.append(entry.path, .array(entry.names.map { .string($0) }))
        }
        return JSONValue.object(object).text
    }
}
