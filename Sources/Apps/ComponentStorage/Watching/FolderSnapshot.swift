internal import Components
internal import Storage

/// What a folder held at one time.
struct FolderSnapshot: Sendable {
    private struct Mark: Hashable {
        var kind: FileStatus.Kind
        var inode: UInt64
        /// Numbers of files are given again.
        var born: FileStatus.Time
        var size: Int64
        var modified: FileStatus.Time

        func isSameFile(as other: Mark) -> Bool { kind == other.kind && inode == other.inode && born == other.born }
    }

    let location: Location
    private var marks: [String: Mark] = [:]

    /// Throws `notFound` or `notDirectory` if the folder is gone.
    init(of location: Location, in tree: Tree) throws(RuntimeException) {
        self.location = location
        let folder = try tree.openFolder(location)
        for entry in try tree.entries(location) {
            guard let status = try location.attempt({ () throws(FileError) in try folder.status(of: entry.name) })
            else { continue }
            marks[entry.name] = Mark(
                kind: status.kind, inode: status.inode, born: status.born, size: status.size, modified: status.modified)
        }
    }

    var count: Int { marks.count }
    var folders: [String] { marks.filter { $0.value.kind == .folder }.map(\.key).sorted() }

    /// All that is in it, as if it had just come.
    var contents: [StorageEvent] {
        marks.sorted { $0.key < $1.key }.map {
            .addition(FolderEntry($0.key, $0.value.kind), in: location.shown)
        }
    }

    /// What happened since another one, in the order of names: first what went, then what came.
    /// - Parameters:
    ///   - withContents: whether changes of files are told, too.
    ///   - version: says which version a file has now.
    func events(
        since older: FolderSnapshot, withContents: Bool, version: (Location) -> UInt64? = { _ in nil }
    ) -> [StorageEvent] {
        let shown = location.shown
        var came = marks.keys.filter { older.marks[$0]?.kind != marks[$0]?.kind }.sorted()
        var events: [StorageEvent] = []
        for name in older.marks.keys.sorted() {
            guard let old = older.marks[name], marks[name]?.kind != old.kind else { continue }
            // What went under one name and came under another was renamed.
            if let index = came.firstIndex(where: { marks[$0]?.isSameFile(as: old) == true }) {
                events.append(.renaming(name, to: came.remove(at: index), in: shown))
            } else {
                events.append(.removal(name, in: shown))
            }
        }
        for name in came {
            guard let kind = marks[name]?.kind else { continue }
            events.append(.addition(FolderEntry(name, kind), in: shown))
        }
        guard withContents else { return events }
        for (name, mark) in marks.sorted(by: { $0.key < $1.key }) where mark.kind == .file {
            if let old = older.marks[name], old.kind == .file, old != mark, let file = try? location.child(name) {
                events.append(.fileChange(file.shown, version: version(file)))
            }
        }
        return events
    }
}
