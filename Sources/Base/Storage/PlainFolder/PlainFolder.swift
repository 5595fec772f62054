internal import Platform

/// An open folder beneath a confined one, in which a symbolic link is a thing of its own: nothing is ever reached through one.
///
/// It stays the same folder when it is renamed. Calls take one name each, are synchronous, and may come from any thread.
package struct PlainFolder: Sendable {
    let descriptor: ConfinedFile

    /// What lies in the folder.
    package typealias Entry = FolderEntry

    /// The folder in this one.
    package func folder(_ name: String) throws(FileError) -> PlainFolder {
        PlainFolder(descriptor: try descriptor.folder(step(name)))
    }

    /// A folder further down, however deep. A link on the way is not a directory.
    package func folder(_ path: ConfinedPath) throws(FileError) -> PlainFolder {
        var (folder, rest) = (self, path.steps[...])
        while !rest.isEmpty {
            // The system takes a path of 4096 bytes at once.
            let steps = rest.prefix(Self.stepsAtOnce)
            rest = rest.dropFirst(Self.stepsAtOnce)
            if let reached = try folder.descriptor.folder(beneath: steps) {
                folder = PlainFolder(descriptor: reached)
            } else {
                for name in steps { folder = try folder.folder(name) }
            }
        }
        return folder
    }

    private static let stepsAtOnce = ConfinedPath.byteLimit / (ConfinedPath.nameByteLimit + 1) - 1

    /// What has this name, a link for itself; nil if nothing has it.
    package func status(_ name: String) throws(FileError) -> FileStatus? {
        do throws(FileError) {
            return try FileStatus(of: step(name), in: descriptor.number)
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    /// The folder itself.
    package func status() throws(FileError) -> FileStatus { try FileStatus(of: "", in: descriptor.number) }

    /// What is in it, sorted by name, without names that are no UTF-8.
    package func entries(atMost limit: Int) throws(FileError) -> [Entry] {
        var entries: [Entry] = []
        try forEachEntry { (entry) throws(FileError) in
            guard entries.count < limit else {
                throw FileError(.failed, reason: "the folder holds more than \(limit) entries")
            }
            entries.append(entry)
            return true
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Some of what is in it, for those who remove it and ask again.
    package func someEntries(atMost limit: Int) throws(FileError) -> [Entry] {
        var entries: [Entry] = []
        try forEachEntry { entry in
            entries.append(entry)
            return entries.count < limit
        }
        return entries
    }

    /// Hands out what is in it, one after another in no order, without names that are no UTF-8. However much it is, it is never all in
    /// memory.
    /// - Parameter body: says whether it wants more.
    package func forEachEntry(_ body: (Entry) throws(FileError) -> Bool) throws(FileError) {
        try FolderEntry.forEach(in: descriptor.number, body)
    }

    /// Returns when the names in it are on the disk, on file systems that keep them there.
    package func synchronize() throws(FileError) {
        let folder = try descriptor.open(".", O_RDONLY | O_DIRECTORY)
        if FileDescriptor.retry({ fsync(folder.number) }) != 0, errno != EINVAL, errno != ENOTSUP { throw .last }
    }

    /// Checks that a name is one step, and not upwards.
    func step(_ name: String) throws(FileError) -> String {
        let isStep = !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == 0x2f }
        guard isStep, name.utf8.count <= ConfinedPath.nameByteLimit else {
            throw FileError(.failed, reason: "this can be no name of a file")
        }
        return name
    }
}

extension ConfinedFolder {
    /// The folder itself, for work that never follows links.
    package var plain: PlainFolder { PlainFolder(descriptor: root) }
}

extension ConfinedPath {
    /// The folder itself.
    package static let root = ConfinedPath(steps: [])

    /// The path of something further down.
    package func appending(_ other: ConfinedPath) throws(FileError) -> ConfinedPath {
        guard steps.count + other.steps.count <= Self.stepLimit else {
            throw FileError(.failed, reason: "the path has too many steps")
        }
        return ConfinedPath(steps: steps + other.steps)
    }

    /// The path of what lies there under a name.
    package func appending(_ name: String) throws(FileError) -> ConfinedPath {
        try appending(ConfinedPath(steps: [name]))
    }

    /// What comes after `other`, which is this path or above it.
    package func below(_ other: ConfinedPath) -> ConfinedPath {
        ConfinedPath(steps: Array(steps.dropFirst(other.steps.count)))
    }

    /// Whether this is the other path, or lies beneath it.
    package func isWithin(_ other: ConfinedPath) -> Bool { steps.starts(with: other.steps) }
}
