internal import Components
internal import Storage

/// Versions that are kept, each as a file with its number as name, in a folder of the storage's own.
///
/// It lies beside the file, so both are moved and removed with the folder that they lie in. That of a folder lies in the folder itself,
/// and its versions say what the folder held.
enum Archive {
    /// What apps cannot name in any folder.
    static let name = ".alcove-versions"
    /// The name in ``Archive/name`` for the versions of the folder that it lies in. No file's has such a name: see ``StoredVersion``.
    static let ofFolder = "-folder"
}

extension Tree {
    /// Keeps the version that something has now.
    /// - Parameter version: which it has to be; nil for whichever it is.
    /// - Returns: the version.
    func archive(_ location: Location, version: UInt64?) throws(RuntimeException) -> UInt64 {
        let current = try currentVersion(of: location)
        guard version == nil || version == current else { throw .versionMismatch(at: location, current) }
        let isFolder = try existing(location).kind == .folder
        let (parent, name) =
            try isFolder ? (openFolder(location), Archive.ofFolder) : fileArchive(location, making: true)
        guard let name else { throw location.exception(.missing) }
        let all = try madeFolder(Archive.name, in: parent, at: location, isVisible: false)
        let folder = try madeFolder(name, in: all, at: location, isVisible: false)
        let kept = try location.attempt { () throws(FileError) in
            try folder.entries(atMost: limits.archivedVersions + 1)
        }
        if kept.contains(where: { $0.name == String(current) }) { return current }
        guard kept.count < limits.archivedVersions else {
            throw .limit("at most \(limits.archivedVersions) versions are archived", at: location.shown, code: "ENOSPC")
        }
        let draft = try Draft(in: self, for: location)
        if isFolder {
            let listing = FsProto.ListFolderReplyBody(entries: try entries(location).map(FsProto.ListingEntryMsg.init))
                .encoded
            try draft.reserve(Int64(listing.count), at: location)
            try location.attempt { () throws(FileError) in try draft.file.write(listing[...], at: 0) }
        } else {
            try fill(draft, with: open(location), from: location, of: self, to: location)
        }
        try draft.commit(into: folder, as: String(current), at: location)
        return current
    }

    /// The versions that are kept of something, the oldest first.
    func archivedVersions(of location: Location) throws(RuntimeException) -> [UInt64] {
        guard let folder = try archiveFolder(of: location) else { return [] }
        return try location.attempt { () throws(FileError) in
            try folder.entries(atMost: limits.archivedVersions + 1)
        }.compactMap { UInt64($0.name) }.sorted()
    }

    /// A version that was kept, as a file.
    func open(_ location: Location, archived version: UInt64) throws(RuntimeException) -> FileDescriptor {
        guard let folder = try archiveFolder(of: location) else { throw location.exception(.missing) }
        return try location.attempt { () throws(FileError) in try folder.open(String(version)) }
    }

    /// Removes the versions that are kept of a file that goes.
    func removeArchive(of name: String, in folder: Folder) {
        guard keepsVersions, let file = try? folder.open(name), let archive = StoredVersion(file.attributes).archive,
            let all = try? folder.folder(Archive.name)
        else { return }
        discard(archive, in: all)
        // It goes with the last one.
        if (try? folder.removeEmptyFolder(Archive.name)) == true { quota.release(StorageLimits.entryCost) }
    }

    /// Removes the versions that are kept in a folder that goes, if nothing else is in it.
    func removeArchives(in folder: Folder) {
        guard let entries = try? folder.someEntries(atMost: 2), entries.map(\.name) == [Archive.name] else { return }
        discard(Archive.name, in: folder)
    }

    /// Takes the versions of a file along that was moved.
    func moveArchive(of name: String, from: Folder, to: Folder, at location: Location)
        throws(RuntimeException)
    {
        guard keepsVersions, let file = try? to.open(name), let archive = StoredVersion(file.attributes).archive,
            let all = try? from.folder(Archive.name), (try? all.status(of: archive)) ?? nil != nil
        else { return }
        let there = try madeFolder(Archive.name, in: to, at: location, isVisible: false)
        try location.attempt { () throws(FileError) in
            try all.move(archive, to: there, as: archive, replacing: false)
            try there.synchronize()
        }
        if (try? from.removeEmptyFolder(Archive.name)) == true { quota.release(StorageLimits.entryCost) }
    }

    /// A failure here leaves files that nothing refers to; they are counted.
    private func discard(_ name: String, in folder: Folder) {
        let fresh = WorkFolder.freshName()
        guard let work = try? work.folder(), (try? folder.move(name, to: work, as: fresh, replacing: false)) != nil,
            let freed = try? TreeRemoval().remove(fresh, in: work)
        else { return }
        quota.release(freed)
    }

    private func currentVersion(of location: Location) throws(RuntimeException) -> UInt64 {
        guard let version = try version(of: location) else {
            throw .file(code: "ENOSYS", flag: "notImplemented", at: location.shown, cause: "links have no versions")
        }
        return version
    }

    private func archiveFolder(of location: Location) throws(RuntimeException) -> Folder? {
        guard keepsVersions else { return nil }
        let isFolder = try existing(location).kind == .folder
        let (parent, name) =
            try isFolder ? (openFolder(location), Archive.ofFolder) : fileArchive(location, making: false)
        return name.flatMap { try? parent.folder(Archive.name).folder($0) }
    }

    /// The folder that a file lies in, and the name of its archive there.
    private func fileArchive(
        _ location: Location, making: Bool
    ) throws(RuntimeException) -> (Folder, String?) {
        let parent = try place(location).folder
        let stored = StoredVersion(try systemAttributes(location))
        if let name = stored.archive { return (parent, name) }
        guard making else { return (parent, nil) }
        let name = WorkFolder.freshName()
        try location.attempt { () throws(FileError) in try stored.setArchive(name) }
        return (parent, name)
    }
}
