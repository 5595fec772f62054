internal import Components
internal import Storage
internal import Synchronization

/// What stands behind an `FSImpl`: a folder of a storage, which its holder sees as a root.
final class FolderView: Sendable {
    let root: StorageRoot
    /// From the storage's root.
    let base: ConfinedPath
    let writable: Bool
    let name: String
    private let isClosed = Atomic(false)

    init(root: StorageRoot, base: ConfinedPath, writable: Bool, name: String) {
        self.root = root
        self.base = base
        self.writable = writable
        self.name = name
    }

    var calls: StorageCalls { StorageCalls(root: root, writable: writable) }

    /// The place that a path of the holder's stands for.
    func location(_ path: String) throws(RuntimeException) -> Location {
        if isClosed.load(ordering: .relaxed) { throw .file(flag: "storageClosed", at: path) }
        return try Location(path, beneath: base)
    }

    func close() { isClosed.store(true, ordering: .relaxed) }

    func serve(on connection: ObjectConnection) throws(RuntimeException) -> FsProto.FS {
        var functions = readingFunctions.merging(watchingFunctions) { $1 }
        if writable { functions.merge(writingFunctions) { $1 } }
        let object = ServiceObject(
            type: .fs, functions: functions, members: root.isVersioned ? ["v": versions] : [:], subject: self)
        return FsProto.FS(
            type: root.kind.rawValue, isVersioned: root.isVersioned, writable: writable, name: name,
            impl: try connection.expose(object))
    }
}

/// What stands behind a `FileImpl`.
final class FileView: Sendable {
    let root: StorageRoot
    let location: Location
    let writable: Bool
    let isNew: Bool

    init(root: StorageRoot, location: Location, writable: Bool, isNew: Bool) {
        self.root = root
        self.location = location
        self.writable = writable
        self.isNew = isNew
    }

    var calls: StorageCalls { StorageCalls(root: root, writable: writable) }

    func serve(on connection: ObjectConnection) throws(RuntimeException) -> FileProto.File {
        let functions = writable ? readingFunctions.merging(writingFunctions) { $1 } : readingFunctions
        let object = ServiceObject(
            type: .file, functions: functions, members: root.isVersioned ? ["v": versions] : [:], subject: self)
        return FileProto.File(
            writable: writable, isVersioned: root.isVersioned, name: location.path.name ?? "", isNew: isNew,
            impl: try connection.expose(object))
    }
}
