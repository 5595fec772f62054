internal import Storage

/// Looks into a folder and into every one beneath it, without recursion: however deep they lie in each other, the stack stays as it
/// is and few descriptors are open.
///
/// What goes while it is under way is left out.
struct TreeWalk {
    /// One folder with what it holds.
    struct Stop {
        let folder: PlainFolder
        /// From where the walk began.
        let steps: [String]
        let entries: [PlainFolder.Entry]
    }

    private let root: PlainFolder
    private var steps: [String] = []
    /// Names of folders that were not looked into yet, for each folder on the way to the last one.
    private var waiting: [[String]] = []
    private var hasBegun = false

    init(_ root: PlainFolder) { self.root = root }

    /// The next folder; nil when there are no more.
    mutating func next() throws(ConfinedError) -> Stop? {
        guard hasBegun else {
            hasBegun = true
            return try look()
        }
        while let last = waiting.indices.last {
            guard let name = waiting[last].popLast() else {
                waiting.removeLast()
                _ = steps.popLast()
                continue
            }
            steps.append(name)
            do throws(ConfinedError) {
                return try look()
            } catch {
                guard error.code == .notFound || error.code == .notDirectory else { throw error }
                _ = steps.popLast()
            }
        }
        return nil
    }

    private mutating func look() throws(ConfinedError) -> Stop {
        let folder = try root.folder(ConfinedPath(steps: steps))
        let entries = try folder.entries(atMost: .max)
        waiting.append(entries.filter { $0.kind == .folder }.map(\.name))
        return Stop(folder: folder, steps: steps, entries: entries)
    }
}
