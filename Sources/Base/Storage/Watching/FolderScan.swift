internal import Platform

/// The state of some folders at one time.
struct FolderScan: Sendable {
    /// The entries of one folder that are looked at.
    private static let entryLimit = 1_000_000

    /// What shows that an entry changed. For a folder that is its identity, not its content.
    struct Look: Hashable, Sendable {
        let kind: FileStatus.Kind
        let inode: UInt64
        let size: Int64
        let modified: FileStatus.Time?

        init(_ status: FileStatus) {
            (kind, inode) = (status.kind, status.inode)
            (size, modified) = kind == .folder ? (0, nil) : (status.size, status.modified)
        }
    }

    private(set) var entries: [String: Look] = [:]

    /// Scans a folder.
    /// - Parameter willList: called with the path of each folder before it is listed, and its depth.
    mutating func look(at folder: WatchedFolder, _ willList: (WatchedFolder) -> Void) {
        willList(folder)
        // Missing or unreadable now: its entries count as gone, and are reported again when it is back.
        guard let open = try? Folder(folder.path), let names = try? open.names(atMost: Self.entryLimit) else { return }
        for name in names where !name.hasPrefix(".") {
            guard let status = try? open.status(of: name) else { continue }
            let path = "\(folder.path)/\(name)"
            note(path, status)
            if status.kind == .folder, folder.depth > 0 {
                look(at: WatchedFolder(path, depth: folder.depth - 1), willList)
            }
        }
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Records the current state of a file.
    mutating func refresh(_ path: String) {
        if let status = FileStatus.look(at: path, in: AT_FDCWD) { note(path, status) } else { entries[path] = nil }
    }

    private mutating func note(_ path: String, _ status: FileStatus) { entries[path] = Look(status) }

    /// Drops a folder that is gone, and returns the paths that were in it.
    mutating func remove(folder path: String) -> Set<String> {
        let gone = entries.keys.filter { $0.hasPrefix(path + "/") }
        for path in gone { entries[path] = nil }
        return Set(gone)
    }

    /// The paths that are not the same in both.
    func differences(from older: FolderScan) -> Set<String> {
        var paths = Set(entries.filter { older.entries[$0.key] != $0.value }.keys)
        for path in older.entries.keys where entries[path] == nil { paths.insert(path) }
        return paths
    }
}
