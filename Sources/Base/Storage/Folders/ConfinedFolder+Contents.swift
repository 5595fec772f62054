internal import Platform

/// What is in folders.
extension ConfinedFolder {
    /// What is in a folder, in no order, without `.`, `..` and names that are no UTF-8. More than `limit` is `failed`.
    package func entries(_ path: ConfinedPath, atMost limit: Int) throws(FileError) -> [FolderEntry] {
        let folder = try open(path, .reading)
        guard try folder.status().kind == .folder else { throw FileError(number: ENOTDIR) }
        var entries: [FolderEntry] = []
        try Folder(folder).forEachEntry { entry throws(FileError) in
            guard entries.count < limit else {
                throw FileError(.failed, reason: "the folder holds more than \(limit) names")
            }
            entries.append(entry)
            return true
        }
        return entries
    }

    /// Removes a folder with everything in it. Links in it are removed, not followed.
    package func removeTree(_ path: ConfinedPath) throws(FileError) {
        let place = try place(path, followingLast: false).changeable()
        let top = try place.folder.folder(place.name)
        // Folders that were too deep were moved up, and are removed in the next round.
        for _ in 0..<Self.rounds where try !Self.empty(top, top: top, depth: 0) {}
        guard unlinkat(place.folder.number, place.name, AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Folders that are open at the same time while a tree is removed.
    private static let depthLimit = 64
    private static let rounds = 4096

    /// Empties a folder; false if something had to be moved up to the top first.
    private static func empty(
        _ folder: Folder, top: Folder, depth: Int
    ) throws(FileError) -> Bool {
        var isEmpty = true
        for entry in try folder.someEntries(atMost: .max) {
            if unlinkat(folder.number, entry.name, 0) == 0 || errno == ENOENT { continue }
            guard errno == EISDIR || errno == EPERM else { throw .last }
            if depth < depthLimit {
                let isInnerEmpty = try empty(folder.folder(entry.name), top: top, depth: depth + 1)
                isEmpty = isInnerEmpty && isEmpty
                guard isInnerEmpty else { continue }
                if unlinkat(folder.number, entry.name, AT_REMOVEDIR) != 0, errno != ENOENT { throw .last }
            } else {
                let name = ".\(UInt64.random(in: 0...UInt64.max)).old"
                guard renameat(folder.number, entry.name, top.number, name) == 0 else { throw .last }
                isEmpty = false
            }
        }
        return isEmpty
    }
}
