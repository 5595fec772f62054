internal import Storage

/// Looks into a folder and into every one beneath it, without recursion: however deep they lie in each other, the stack stays as it
/// is and few descriptors are open.
///
/// What goes while it is under way is left out. Of a folder, only the names of folders are kept in memory.
struct TreeWalk {
    private let root: Folder
    private var steps: [String] = []
    /// Names of folders that were not looked into yet, for each folder on the way to the last one.
    private var waiting: [[String]] = []
    private var hasBegun = false

    init(_ root: Folder) { self.root = root }

    /// Looks into the next folder; false when there are no more.
    /// - Parameters:
    ///   - begin: gets the folder, and its path from where the walk began.
    ///   - body: gets what is in it, one after another in no order; false leaves out the rest.
    mutating func next(
        _ begin: (Folder, [String]) throws(FileError) -> Void,
        _ body: (Folder, FolderEntry) throws(FileError) -> Bool
    ) throws(FileError) -> Bool {
        guard hasBegun else {
            hasBegun = true
            try look(into: root, begin, body)
            return true
        }
        while let last = waiting.indices.last {
            guard let name = waiting[last].popLast() else {
                waiting.removeLast()
                _ = steps.popLast()
                continue
            }
            steps.append(name)
            let folder: Folder
            do throws(FileError) {
                folder = try root.folder(ConfinedPath(steps: steps))
            } catch {
                guard error.code == .missing || error.code == .notDirectory else { throw error }
                _ = steps.popLast()
                continue
            }
            try look(into: folder, begin, body)
            return true
        }
        return false
    }

    private mutating func look(
        into folder: Folder, _ begin: (Folder, [String]) throws(FileError) -> Void,
        _ body: (Folder, FolderEntry) throws(FileError) -> Bool
    ) throws(FileError) {
        try begin(folder, steps)
        var folders: [String] = []
        try folder.forEachEntry { (entry) throws(FileError) in
            if entry.kind == .folder { folders.append(entry.name) }
            return try body(folder, entry)
        }
        waiting.append(folders)
    }
}
