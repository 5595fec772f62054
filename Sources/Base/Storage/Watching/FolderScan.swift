internal import Platform

/// What some folders looked like at one time.
struct FolderScan: Sendable {
    /// Of one folder.
    private static let entryLimit = 1_000_000

    private(set) var entries: [String: FileStatus] = [:]

    /// Looks through a folder.
    /// - Parameter willList: called with the path of each folder before it is listed, and its depth.
    mutating func look(at folder: WatchedFolder, _ willList: (WatchedFolder) -> Void) {
        willList(folder)
        // Missing or unreadable now: what was in it counts as gone, and is told again when it is back.
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

    /// Takes over how a file is now.
    mutating func refresh(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0 { note(path, FileStatus(status)) } else { entries[path] = nil }
    }

    private mutating func note(_ path: String, _ status: FileStatus) {
        entries[path] = status.kind == .folder ? status.withoutContent : status
    }

    /// Drops a folder that went, and says what was in it.
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
