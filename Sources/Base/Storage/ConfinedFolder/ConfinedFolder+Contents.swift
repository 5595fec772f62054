internal import Platform

/// What is in folders.
extension ConfinedFolder {
    package struct Entry: Hashable, Sendable {
        package let name: String
        package let kind: FileStatus.Kind
    }

    /// What is in a folder, in no order, without `.`, `..` and names that are no UTF-8. More than `limit` is `ioError`.
    package func entries(_ path: ConfinedPath, atMost limit: Int) throws(FileError) -> [Entry] {
        try Self.entries(open(path, .reading).descriptor, atMost: limit)
    }

    static func entries(_ folder: ConfinedDescriptor, atMost limit: Int) throws(FileError) -> [Entry] {
        // A descriptor of its own, because listing moves along in it and closing the list closes it.
        let copy = FileDescriptor.retry { openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0, let list = fdopendir(copy) else {
            let error = FileError.last
            if copy >= 0 { close(copy) }
            throw error
        }
        defer { closedir(list) }
        var entries: [Entry] = []
        while true {
            errno = 0
            guard let found = readdir(list) else { break }
            guard let entry = try entry(found, in: folder) else { continue }
            guard entries.count < limit else {
                throw FileError(.failed, reason: "the folder holds more than \(limit) names")
            }
            entries.append(entry)
        }
        if errno != 0 { throw .last }
        return entries
    }

    private static func entry(
        _ found: UnsafeMutablePointer<dirent>, in folder: ConfinedDescriptor
    ) throws(FileError) -> Entry? {
        let bytes = withUnsafeBytes(of: &found.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
        guard let name = String(validating: bytes, as: UTF8.self), name != ".", name != ".." else { return nil }
        switch Int32(found.pointee.d_type) {
        case Int32(DT_REG): return Entry(name: name, kind: .file)
        case Int32(DT_DIR): return Entry(name: name, kind: .folder)
        case Int32(DT_LNK): return Entry(name: name, kind: .symbolicLink)
        case Int32(DT_UNKNOWN):
            // Some file systems do not say. What is gone by now is left out.
            return (try? FileStatus(of: name, in: folder.number)).map { Entry(name: name, kind: $0.kind) }
        default: return Entry(name: name, kind: .other)
        }
    }

    /// Removes a folder with everything in it. Links in it are removed, not followed.
    package func removeTree(_ path: ConfinedPath) throws(FileError) {
        let place = try place(path, followingLast: false).changeable()
        let top = try place.folder.open(place.name, O_RDONLY | O_DIRECTORY)
        // What lies too deep was brought up, and is removed in the next round.
        for _ in 0..<Self.rounds where try !Self.empty(top, top: top, depth: 0) {}
        guard unlinkat(place.folder.number, place.name, AT_REMOVEDIR) == 0 else { throw .last }
    }

    /// Folders that are open at the same time while a tree is removed.
    private static let depthLimit = 64
    private static let rounds = 4096

    /// Removes what is in a folder; false if something had to be brought up to the top first.
    private static func empty(
        _ folder: ConfinedDescriptor, top: ConfinedDescriptor, depth: Int
    ) throws(FileError) -> Bool {
        var isEmpty = true
        for entry in try entries(folder, atMost: .max) {
            if unlinkat(folder.number, entry.name, 0) == 0 || errno == ENOENT { continue }
            guard errno == EISDIR || errno == EPERM else { throw .last }
            if depth < depthLimit {
                let isInnerEmpty = try empty(
                    folder.open(entry.name, O_RDONLY | O_DIRECTORY), top: top, depth: depth + 1)
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
