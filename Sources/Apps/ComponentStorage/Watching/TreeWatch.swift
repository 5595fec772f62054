internal import Components
internal import Storage

/// Watches a folder and those below it. The system's notifications only say where to look; what is told is what is found there.
struct TreeWatch: Sendable {
    private let tree: Tree
    /// The path of the storage that notifications begin with.
    private let root: String
    private let location: Location
    private let depth: Int
    private let tellsContents: Bool
    private var snapshots: [ConfinedPath: FolderSnapshot] = [:]
    private var count = 0

    /// - Parameter depth: folders in folders that are watched; 0 for the folder itself alone.
    init(
        of location: Location, in tree: Tree, at root: String, depth: Int, tellsContents: Bool
    ) throws(RuntimeException) {
        self.tree = tree
        self.root = root
        self.location = location
        self.depth = depth
        self.tellsContents = tellsContents
        _ = try look(into: location, depth: depth)
    }

    /// What changed, given the paths that notifications named. The last one is `removed` if the watched folder is gone.
    mutating func events(after changed: Set<String>) throws(RuntimeException) -> [StorageEvent] {
        var events: [StorageEvent] = []
        for path in folders(of: changed) {
            guard let old = snapshots[path] else { continue }
            let new: FolderSnapshot
            do throws(RuntimeException) {
                new = try FolderSnapshot(of: old.location, in: tree)
            } catch {
                guard error.has("notFound") || error.has("notDirectory") else { throw error }
                forget(path)
                if path == location.path { return events + [.removed(location.shown)] }
                continue
            }
            try take(new, in: path)
            events += new.events(since: old, withContents: tellsContents) { try? tree.version(of: $0) }
            for name in old.folders where !new.folders.contains(name) {
                if let gone = try? old.location.child(name) { forget(gone.path) }
            }
            guard path.steps.count - location.path.steps.count < depth else { continue }
            for name in new.folders {
                let inner = try new.location.child(name)
                guard snapshots[inner.path] == nil else { continue }
                events += try look(into: inner, depth: depth - (inner.path.steps.count - location.path.steps.count))
            }
        }
        return events
    }

    /// The watched folders that the paths lie in, or are; from the top down.
    private func folders(of changed: Set<String>) -> [ConfinedPath] {
        var folders: Set<ConfinedPath> = []
        for path in changed where path == root || path.hasPrefix(root + "/") {
            guard let inner = try? ConfinedPath(String(path.dropFirst(root.count))) else { continue }
            folders.insert(inner)
            folders.insert(inner.parent)
        }
        // The watched folder may be gone together with those above it.
        folders.insert(location.path)
        return folders.filter { snapshots[$0] != nil }.sorted { $0.steps.lexicographicallyPrecedes($1.steps) }
    }

    /// Begins to watch a folder, and says what is in it.
    private mutating func look(into location: Location, depth: Int) throws(RuntimeException) -> [StorageEvent] {
        let snapshot: FolderSnapshot
        do throws(RuntimeException) {
            snapshot = try FolderSnapshot(of: location, in: tree)
        } catch {
            // It may be gone again.
            if location.path != self.location.path, error.has("notFound") || error.has("notDirectory") { return [] }
            throw error
        }
        try take(snapshot, in: location.path)
        var events = snapshot.contents
        guard depth > 0 else { return events }
        for name in snapshot.folders { events += try look(into: snapshot.location.child(name), depth: depth - 1) }
        return events
    }

    private mutating func take(_ snapshot: FolderSnapshot, in path: ConfinedPath) throws(RuntimeException) {
        count += snapshot.count - (snapshots[path]?.count ?? 0)
        snapshots[path] = snapshot
        guard count <= tree.limits.entries else {
            throw .limit("at most \(tree.limits.entries) entries are watched at once", at: location.shown)
        }
    }

    private mutating func forget(_ path: ConfinedPath) {
        for (inner, snapshot) in snapshots where inner.isWithin(path) {
            count -= snapshot.count
            snapshots[inner] = nil
        }
    }
}
