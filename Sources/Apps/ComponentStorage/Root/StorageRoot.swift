package import Components
package import Storage
private import Synchronization

/// A real folder that apps get as an `FS` object of the object IPC, with versions and without syncing.
///
/// ```swift
/// let root = try StorageRoot("/home/ann/.alcove/apps/feeds/data", limits: limits)
/// let reply = try root.serve(writable: true, on: connection)
/// ```
///
/// Whatever paths an app asks for, whatever links lie in the folder, and whatever others rename meanwhile: nothing outside is read or
/// written, and no link is followed on the way to something. Paths begin at what the app got; exceptions and events name things
/// by them and never say where the folder is. The folder may be opened several times, also by other processes.
package final class StorageRoot: Sendable {
    /// What apps see as the type of an `FS`.
    package enum Kind: String, Sendable, CaseIterable {
        /// The files of the app, on this machine.
        case local
        /// A folder of the person.
        case device
        /// The files of the platform.
        case system
        /// Given by another app.
        case share
    }

    package let kind: Kind
    package let limits: StorageLimits
    /// Without links.
    let path: String
    let tree: Tree
    /// Reading goes on while something is written.
    let readingQueue = BlockingQueue("alcove.component-storage.reading")
    /// Changes are made one after another.
    let writingQueue = BlockingQueue("alcove.component-storage.writing")
    let openings: Openings
    /// Whether apps see the versions of files and folders: in storages of apps, where the file system keeps attributes.
    var isVersioned: Bool { kind == .local && tree.keepsVersions }
    /// What waits for changes, and would not notice that everything was taken back.
    private let watches = Mutex<[ObjectIdentifier: FolderWatch]>([:])
    private let denied: @Sendable (RuntimeException) -> Void

    /// Opens a folder that is there.
    /// - Parameters:
    ///   - quota: what everything in it counts against, with the other storages that have the same; nil for the limit in `limits`
    ///     alone.
    ///   - watches: how many places may be watched, in all storages that are opened with it.
    ///   - denied: told of every exception that refused an app what it may not have, for the app's log.
    package init(
        _ path: String, kind: Kind = .local, limits: StorageLimits = StorageLimits(),
        quota: StorageQuota? = nil, watches: WatchAllowance = WatchAllowance(),
        denied: @escaping @Sendable (RuntimeException) -> Void = { _ in }
    ) throws(FileError) {
        let folder: ConfinedFolder
        do throws(FileError) {
            folder = try ConfinedFolder(path)
        } catch {
            throw FileError(
                error.code == .missing ? .missing : .failed, "cannot open \(path) as a storage: \(error.reason)")
        }
        self.kind = kind
        self.limits = limits
        self.denied = denied
        self.path = folder.path
        tree = Tree(
            folder.root, limits: limits,
            quota: quota ?? StorageQuota([folder.path], limit: limits.quota, pause: limits.recountPause),
            // Files of the person get no marks of ours.
            keepsVersions: kind != .device && StoredVersion.areKept(in: folder.root))
        openings = Openings(limits: limits, watches: watches)
    }

    /// Gives the other side of a connection a folder of this storage as an `FS`. Nothing is read before it is used.
    /// - Parameter path: from the storage's root; the app cannot go above it.
    package func serve(
        _ path: String = "", writable: Bool, name: String = "", on connection: ObjectConnection
    ) throws(RuntimeException) -> FsProto.FS {
        let place = try Location(path, beneath: ConfinedPath.root).path
        return try FolderView(root: self, base: place, writable: writable, name: name).serve(on: connection)
    }

    /// Gives the other side of a connection one file of this storage. It need not exist yet.
    package func serveFile(
        _ path: String, writable: Bool, isNew: Bool = false, on connection: ObjectConnection
    ) throws(RuntimeException) -> FileProto.File {
        let place = try Location(path, beneath: ConfinedPath.root)
        let view = FileView(root: self, location: place, writable: writable, isNew: isNew)
        return try view.serve(on: connection)
    }

    /// Takes everything back: folders and files that were given to apps, and what these made of them, answer `storageClosed`.
    package func close() {
        tree.close()
        for watch in watches.withLock({ Array($0.values) }) { watch.end() }
    }

    /// Ends a watch when the storage is closed, until what is returned is closed or goes.
    func keep(_ watch: FolderWatch) -> Opening {
        let id = ObjectIdentifier(watch)
        watches.withLock { $0[id] = watch }
        if (try? checkOpen()) == nil { watch.end() }
        return Opening { [weak self] in _ = self?.watches.withLock { $0.removeValue(forKey: id) } }
    }

    func checkOpen() throws(RuntimeException) {
        try tree.checkOpen()
    }

    /// Runs the work of a function, and reports it if it is refused. Work is also refused if the storage is closed meanwhile.
    /// - Parameter work: throws only ``RuntimeException``.
    func run<Value: Sendable>(
        on queue: BlockingQueue, _ work: @escaping @Sendable () throws -> Value
    ) async throws(RuntimeException) -> Value {
        do throws(RuntimeException) {
            try checkOpen()
            let value = try await queue.run { [tree] () throws(RuntimeException) in
                do {
                    try tree.checkOpen()
                    return try work()
                } catch {
                    throw error as? RuntimeException ?? RuntimeException(plain: "\(error)")
                }
            }
            try checkOpen()
            return value
        } catch {
            let refusals = ["opNotPermitted", "quotaExceeded", "limitExceeded", "storageClosed"]
            if refusals.contains(where: error.has) { denied(error) }
            throw error
        }
    }
}
