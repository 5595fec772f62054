internal import Components
internal import Storage
internal import Synchronization

/// A file that is being made in the work folder. It gets its name when it is whole, or goes with its last reference.
final class Draft: Sendable {
    let file: ConfinedFile
    private let name: String
    private let folder: PlainFolder
    private let tree: Tree
    private struct State {
        var reserved = StorageLimits.entryCost
        var isCommitted = false
    }
    private let state = Mutex(State())

    init(in tree: Tree, for location: Location) throws(RuntimeException) {
        self.tree = tree
        name = WorkFolder.freshName()
        folder = try location.attempt { () throws(ConfinedError) in try tree.work.folder() }
        let (folder, name) = (folder, name)
        // Before it is there, so that it is not counted twice.
        try tree.reserve(StorageLimits.entryCost, at: location)
        do throws(ConfinedError) {
            file = try folder.create(name)
        } catch {
            tree.quota.release(StorageLimits.entryCost)
            throw .file(error, at: location.shown)
        }
    }

    deinit {
        let state = state.withLock { $0 }
        if state.isCommitted { return }
        try? folder.remove(name)
        tree.quota.release(state.reserved)
    }

    /// Takes bytes from the quota, beside those of the entry; they are given back if this never gets its name.
    func reserve(_ bytes: Int64, at location: Location) throws(RuntimeException) {
        try tree.reserve(bytes, at: location)
        state.withLock { $0.reserved = $0.reserved.saturatingSum(bytes) }
    }

    /// Gives the file its name. When this returns, it survives a power cut.
    /// - Parameter replacing: whether it may take the place of another file, whose attributes it takes over then.
    func commit(to place: Tree.Place, replacing: Bool, at location: Location) throws(RuntimeException) {
        try tree.checkOpen()
        let freed = try location.attempt { () throws(ConfinedError) in
            let freed = replacing ? try takeOver(place) : 0
            try file.synchronize()
            try folder.rename(name, to: place.folder, place.name, replacing: replacing)
            state.withLock { $0.isCommitted = true }
            try place.folder.synchronize()
            return freed
        }
        tree.quota.release(freed)
    }

    /// Returns what the quota gets back.
    private func takeOver(_ place: Tree.Place) throws(ConfinedError) -> Int64 {
        guard let status = try place.folder.status(place.name), status.kind == .file else { return 0 }
        let old: ConfinedFile
        do throws(ConfinedError) {
            old = try place.folder.open(place.name)
        } catch {
            if error.code == .notFound || error.code == .notFile { return 0 }
            throw error
        }
        try file.takePermissions(of: old)
        try StoredAttributes(file.attributes).copy(from: StoredAttributes(old.attributes))
        return status.size.saturatingSum(StorageLimits.entryCost)
    }
}
