internal import Components
internal import Storage
internal import Synchronization

/// The files of a storage, as apps know them: folders, files, and links that are never followed on the way to something.
///
/// Calls block and belong on a ``BlockingQueue``. Everything that changes is made in the work folder first, so a process that is
/// killed leaves the old or the new (an empty file where a sink began a missing one), and an acknowledged change survives a power cut.
final class Tree: Sendable {
    let folder: Folder
    let limits: StorageLimits
    let quota: StorageQuota
    let work: WorkFolder
    /// Whether files and folders have versions.
    let keepsVersions: Bool
    private let isClosed = Atomic(false)

    init(_ folder: Folder, limits: StorageLimits, quota: StorageQuota, keepsVersions: Bool) {
        self.keepsVersions = keepsVersions
        self.folder = folder
        self.limits = limits
        self.quota = quota
        work = WorkFolder(in: folder)
    }

    /// Takes everything back. Work that is under way ends at its next step.
    func close() { isClosed.store(true, ordering: .releasing) }

    /// Whether it was not taken back.
    var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

    /// Throws if everything was taken back. Long work asks again and again.
    func checkOpen() throws(RuntimeException) {
        guard isOpen else { throw .file(flag: "storageClosed", at: "") }
    }

    /// Takes bytes from the quota, or throws and takes none.
    func reserve(_ bytes: Int64, at location: Location) throws(RuntimeException) {
        try quota.reserve(bytes, at: location) { () throws(RuntimeException) in try checkOpen() }
    }

    /// A name in an open folder.
    struct Place {
        let folder: Folder
        let name: String
    }

    /// Where something lies or would lie. The root itself lies nowhere, and cannot be changed.
    func place(_ location: Location) throws(RuntimeException) -> Place {
        guard let name = location.path.name else {
            throw location.exception(.denied, "the root folder itself cannot be changed or replaced")
        }
        let parent = location.path.parent
        return Place(folder: try location.attempt { () throws(FileError) in try folder.folder(parent) }, name: name)
    }

    /// The item at the place, without following a link; nil if there is none.
    func status(_ location: Location) throws(RuntimeException) -> FileStatus? {
        guard let name = location.path.name else {
            return try location.attempt { () throws(FileError) in try folder.status() }
        }
        do throws(FileError) {
            return try folder.folder(location.path.parent).status(of: name)
        } catch {
            if error.code == .missing || error.code == .notDirectory { return nil }
            throw .file(error, at: location.shown)
        }
    }

    /// What is there, for a call that needs it. An app may not use pipes, sockets and devices.
    func existing(_ location: Location) throws(RuntimeException) -> FileStatus {
        if let status = try status(location), status.kind != .other { return status }
        // Says what is wrong on the way, if something is.
        _ = try place(location)
        throw location.exception(.missing)
    }

    func openFolder(_ location: Location) throws(RuntimeException) -> Folder {
        try location.attempt { () throws(FileError) in try folder.folder(location.path) }
    }

    /// Opens a file for reading.
    func open(_ location: Location) throws(RuntimeException) -> FileDescriptor {
        guard location.path.name != nil else { throw location.exception(.isDirectory) }
        let place = try place(location)
        return try location.attempt { () throws(FileError) in try place.folder.open(place.name) }
    }

    /// What a folder holds, sorted by name.
    func entries(_ location: Location) throws(RuntimeException) -> [FolderEntry] {
        let folder = try openFolder(location)
        let isRoot = location.path.steps.isEmpty
        let entries = try location.attempt { () throws(FileError) in try folder.entries(atMost: limits.entries) }
        return entries.filter {
            $0.kind != .other && !Location.isOfStorage($0.name) && !(isRoot && $0.name == WorkFolder.name)
        }
    }

    /// All bytes of a file; nil if there are none.
    func read(_ location: Location) throws(RuntimeException) -> [UInt8]? {
        guard let part = try part(of: location) else { return nil }
        return try location.attempt { () throws(FileError) in try part.bytes() }
    }

    /// A file from `start` to before `end`; nil if nothing is there.
    func part(
        of location: Location, from start: UInt64? = nil, to end: UInt64? = nil
    ) throws(RuntimeException) -> FilePart? {
        try part(of: open(location), at: location, from: start, to: end)
    }

    /// The same of a file that is open.
    func part(
        of file: FileDescriptor, at location: Location, from start: UInt64? = nil, to end: UInt64? = nil
    ) throws(RuntimeException) -> FilePart? {
        let size = try location.attempt { () throws(FileError) in try file.status().size }
        let first = Int64(clamping: start ?? 0)
        let last = min(size, Int64(clamping: end ?? .max))
        guard first < last else { return nil }
        return FilePart(file: file, offset: first, count: try checked(last - first, at: location))
    }

    /// A number of bytes that may be read or written in one call.
    func checked(_ count: Int64, at location: Location) throws(RuntimeException) -> Int {
        guard count <= Int64(limits.bytesPerCall) else {
            throw .limit(
                "one call reads or writes at most \(limits.bytesPerCall) bytes; take parts of the file",
                at: location.shown)
        }
        return Int(count)
    }
}
