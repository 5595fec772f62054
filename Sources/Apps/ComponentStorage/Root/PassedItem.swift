package import Components
internal import Storage

/// A folder or file of a storage that an app passed along with a call.
package struct PassedItem: Sendable {
    private let location: Location
    private let root: StorageRoot
    private let isFolder: Bool

    /// - Throws: an exception for the app if it holds no such folder, or it was taken back.
    package init(
        folder reference: CommonProto.ObjectReference?, on connection: ObjectConnection
    ) throws(RuntimeException) {
        let view = try FolderView.passed(reference, on: connection)
        (location, root, isFolder) = (try view.location(""), view.root, true)
    }

    package init(
        file reference: CommonProto.ObjectReference?, on connection: ObjectConnection
    ) throws(RuntimeException) {
        let view = try FileView.passed(reference, on: connection)
        (location, root, isFolder) = (view.location, view.root, false)
    }

    /// Copies it into a folder of the host, where nothing has this name. Waits for the disk.
    /// - Throws: an exception for the app: what is wrong with it, beyond the limits, or was taken back meanwhile.
    package func copy(into folder: String, as name: String, limits: StorageLimits) throws(RuntimeException) {
        let target: StorageRoot
        do {
            target = try StorageRoot(folder, limits: limits)
        } catch {
            throw .file(code: "EIO", flag: "ioError", at: "", cause: "there is no room for a copy")
        }
        let destination = try Location(name, beneath: .root)
        if isFolder {
            try target.tree.copyFolder(location, of: root.tree, to: destination, merge: false)
        } else {
            try target.tree.copyFile(location, of: root.tree, to: destination, overwrite: false)
        }
        try root.checkOpen()
    }
}

extension StorageRoot {
    /// A folder or file on the wire.
    package enum Served: Sendable {
        case folder(FsProto.FS)
        case file(FileProto.File)
    }

    /// Gives the other side of a connection what this side had already given to somebody else: what one app passes to another.
    ///
    /// - Returns: nil if the object is neither a folder nor a file of a storage.
    package static func serve(_ object: ServiceObject, on connection: ObjectConnection) throws(RuntimeException)
        -> Served?
    {
        switch object.subject {
        case let view as FolderView: .folder(try view.serve(on: connection))
        case let view as FileView: .file(try view.serve(on: connection))
        default: nil
        }
    }
}
