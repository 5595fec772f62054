internal import Components
internal import Storage
internal import Synchronization

/// A file that is being made in the work folder. It gets its name when it is whole, or goes with its last reference.
final class Draft: Sendable {
    let file: FileDescriptor
    private let name: String
    private let folder: Folder
    private let tree: Tree
    private struct State {
        var reserved = StorageLimits.entryCost
        var isCommitted = false
    }
    private let state = Mutex(State())

    init(in tree: Tree, for location: Location) throws(RuntimeException) {
        self.tree = tree
        name = WorkFolder.freshName()
        folder = try location.attempt { () throws(FileError) in try tree.work.folder() }
        let (folder, name) = (folder, name)
        // Before it is there, so that it is not counted twice.
        try tree.reserve(StorageLimits.entryCost, at: location)
        do throws(FileError) {
            file = try folder.createPrivate(name)
        } catch {
            tree.quota.release(StorageLimits.entryCost)
            throw .file(error, at: location.shown)
        }
    }

    deinit {
        let state = state.withLock { $0 }
        if state.isCommitted { return }
        _ = try? folder.remove(name)
        tree.quota.release(state.reserved)
    }

    /// Takes bytes from the quota, beside those of the entry; they are given back if this never gets its name.
    func reserve(_ bytes: Int64, at location: Location) throws(RuntimeException) {
        try tree.reserve(bytes, at: location)
        state.withLock { $0.reserved = $0.reserved.saturatingSum(bytes) }
    }

    /// Gives the file its name. When this returns, it survives a power cut.
    /// - Parameters:
    ///   - replacing: whether it may take the place of another file, whose attributes it takes over then.
    ///   - current: the version that the other file has to have; nil for any, and for none.
    /// - Returns: the version of the file.
    @discardableResult
    func commit(
        to place: Tree.Place, replacing: Bool, current: UInt64? = nil, at location: Location
    ) throws(RuntimeException) -> UInt64 {
        // One after another, in all storages of these files: no two contents get the same version.
        try tree.quota.changing.withLock { _ throws(RuntimeException) in
            try tree.checkOpen()
            let old = try location.attempt { () throws(FileError) in replacing ? try takeOver(place) : nil }
            if let current, current != old?.version { throw .versionMismatch(at: location, old?.version) }
            let version = (old?.version ?? 0) + 1
            try location.attempt { () throws(FileError) in
                if tree.keepsVersions { try StoredVersion(file.attributes).set(version) }
                if old == nil { try tree.advance(place.folder) }
                try name(place.name, in: place.folder, replacing: replacing)
            }
            tree.quota.release(old?.size ?? 0)
            return version
        }
    }

    /// Gives the file a name among those of the storage itself.
    func commit(into folder: Folder, as name: String, at location: Location) throws(RuntimeException) {
        try tree.checkOpen()
        try location.attempt { () throws(FileError) in try self.name(name, in: folder, replacing: false) }
    }

    private func name(_ newName: String, in other: Folder, replacing: Bool) throws(FileError) {
        try file.synchronize()
        try folder.move(name, to: other, as: newName, replacing: replacing)
        state.withLock { $0.isCommitted = true }
        try other.synchronize()
    }

    /// Returns the version of the file that is there, and the bytes that the quota gets back for it; nil if none is there.
    private func takeOver(_ place: Tree.Place) throws(FileError) -> (version: UInt64, size: Int64)? {
        guard let status = try place.folder.status(of: place.name), status.kind == .file else { return nil }
        let old: FileDescriptor
        do throws(FileError) {
            old = try place.folder.open(place.name)
        } catch {
            if [.missing, .notFile, .symbolicLink].contains(error.code) { return nil }
            throw error
        }
        try file.takePermissions(of: old)
        try StoredAttributes(file.attributes).copy(from: StoredAttributes(old.attributes))
        let stored = StoredVersion(old.attributes)
        if tree.keepsVersions, let archive = stored.archive { try StoredVersion(file.attributes).setArchive(archive) }
        return (stored.number, status.size.saturatingSum(StorageLimits.entryCost))
    }
}
