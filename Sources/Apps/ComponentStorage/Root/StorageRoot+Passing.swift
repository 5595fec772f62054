public import Components

extension StorageRoot {
    /// A folder or file on the wire.
    public enum Served: Sendable {
        case folder(FsProto.FS)
        case file(FileProto.File)
    }

    /// Gives the other side of a connection what this side had already given to somebody else: what one app passes to another.
    ///
    /// - Returns: nil if the object is neither a folder nor a file of a storage.
    public static func serve(_ object: ServiceObject, on connection: ObjectConnection) throws(RuntimeException)
        -> Served?
    {
        switch object.subject {
        case let view as FolderView: .folder(try view.serve(on: connection))
        case let view as FileView: .file(try view.serve(on: connection))
        default: nil
        }
    }
}
