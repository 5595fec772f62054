internal import Components
internal import Storage

/// Links to files and folders of the same storage.
extension FolderView {
    /// A target lies in what the holder sees, so that a link never gives more than it was made from.
    func makeLink(
        _ request: FsProto.LinkRequestBody, on connection: ObjectConnection
    ) throws(RuntimeException) {
        let location = try location(request.path)
        if request.target?.objType == ObjectType.file.rawValue {
            let file = try FileView.passed(request.target, on: connection)
            guard file.root === root, file.location.path.isWithin(base) else {
                throw .file(flag: "notLinkableFile", at: location.shown)
            }
            try root.tree.makeLink(
                StoredLink(target: file.location.path, isWritable: file.writable), at: location)
        } else {
            let folder = try FolderView.passed(request.target, on: connection)
            guard folder.root === root, folder.base.isWithin(base) else {
                throw .file(flag: "notLinkableFolder", at: location.shown)
            }
            try root.tree.makeLink(StoredLink(target: folder.base, isWritable: folder.writable), at: location)
        }
    }

    /// Replies with the link, whose target is looked up when it is called.
    func readLink(_ location: Location, for connection: ObjectConnection) throws(RuntimeException) -> [UInt8] {
        let link = try root.tree.link(at: location)
        let isWritable = link.isWritable && writable
        let target = Location(path: link.target, shown: location.shown)
        let kind = link.target.isWithin(base) ? try root.tree.status(target)?.kind : nil
        let object = ServiceObject(
            type: .symLink,
            call: root.reading { call in
                try self.follow(location, isWritable: isWritable, for: call.connection)
            })
        return FsProto.SymLink(
            readonly: !isWritable, isFile: .when(kind == .file), isFolder: .when(kind == .folder),
            impl: try connection.expose(object)
        ).encoded
    }

    /// The target of a link. One outside of what the holder sees does not exist.
    private func follow(
        _ location: Location, isWritable: Bool, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        let link = try root.tree.link(at: location)
        guard link.target.isWithin(base), !Location.isOfStorage(link.target) else {
            throw location.exception(.denied, "the link leads out of the folder")
        }
        let target = Location(path: link.target, shown: location.shown)
        let isWritable = isWritable && link.isWritable
        var reply = FsProto.SymLinkTargetReplyBody()
        switch try root.tree.existing(target).kind {
        case .folder:
            reply.fs = try inner(target, writable: isWritable).serve(on: connection)
        case .file:
            let file = FileView(root: root, location: target, writable: isWritable, isNew: false)
            reply.file = try file.serve(on: connection)
        case .symbolicLink, .other: throw location.exception(.notFile)
        }
        return reply.encoded
    }
}
