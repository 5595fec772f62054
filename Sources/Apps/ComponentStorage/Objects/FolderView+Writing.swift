internal import Components
internal import Storage

/// The functions of an `FSImpl` that may be changed, beside those for reading.
extension FolderView {
    var writingFunctions: [String: ServiceFunction] {
        namingFunctions.merging(copyingFunctions) { $1 }.merging(contentFunctions) { $1 }
    }

    private var contentFunctions: [String: ServiceFunction] {
        let (tree, calls) = (root.tree, calls)
        return [
            "getByteSink": root.writing { (request: FsProto.PathAndOptFileFlags, call) in
                try calls.byteSink(
                    self.location(request.path), WritingFlags(ofSink: request.flags), for: call.connection)
            },
            "updateXAttrs": root.writing { (request: FsProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: self.location(request.path))
                return nil
            },
            "writableFile": root.writing { (request: FsProto.PathAndOptFileFlags, call) in
                try self.writableFile(
                    self.location(request.path), WritingFlags(request.flags), for: call.connection)
            },
            "writeBytes": root.writing { (request: FsProto.WriteBytesRequestBody, _) in
                try tree.write(request.bytes, to: self.location(request.path), WritingFlags(request.flags))
                return nil
            },
            "writeJSONFile": root.writing { (request: FsProto.WriteJsonFileRequestBody, _) in
                try tree.write(
                    [UInt8](request.json.utf8)[...], to: self.location(request.path), WritingFlags(request.flags))
                return nil
            },
            "writeTxtFile": root.writing { (request: FsProto.WriteTxtFileRequestBody, _) in
                try tree.write(
                    [UInt8](request.txt.utf8)[...], to: self.location(request.path), WritingFlags(request.flags))
                return nil
            },
        ]
    }

    private var namingFunctions: [String: ServiceFunction] {
        let tree = root.tree
        return [
            "deleteFile": root.writing { (request: FsProto.PathOnlyRequestBody, _) in
                try tree.deleteFile(self.location(request.path))
                return nil
            },
            "deleteFolder": root.writing { (request: FsProto.DeleteFolderRequestBody, _) in
                try tree.deleteFolder(
                    self.changeable(request.path), withContent: request.removeContent?.value ?? false)
                return nil
            },
            "deleteLink": root.writing { (request: FsProto.PathOnlyRequestBody, _) in
                try tree.deleteLink(self.location(request.path))
                return nil
            },
            "link": root.writing { (request: FsProto.LinkRequestBody, call) in
                try self.makeLink(request, on: call.connection)
                return nil
            },
            "makeFolder": root.writing { (request: FsProto.MakeFolderRequestBody, _) in
                try tree.makeFolder(self.location(request.path), exclusive: request.exclusive?.value ?? false)
                return nil
            },
            "move": root.writing { (request: FsProto.MoveRequestBody, _) in
                try tree.move(self.changeable(request.src), to: self.location(request.dst))
                return nil
            },
            "writableSubRoot": root.writing { (request: FsProto.PathAndOptFileFlags, call) in
                try self.writableSubRoot(
                    self.location(request.path), WritingFlags(request.flags), for: call.connection)
            },
        ]
    }

    private var copyingFunctions: [String: ServiceFunction] {
        let (tree, calls) = (root.tree, calls)
        return [
            "copyFile": root.writing { (request: FsProto.CopyFileRequestBody, _) in
                try tree.copyFile(
                    self.location(request.src), of: tree, to: self.location(request.dst),
                    overwrite: request.overwrite?.value ?? false)
                return nil
            },
            "copyFolder": root.writing { (request: FsProto.CopyFolderRequestBody, _) in
                try tree.copyFolder(
                    self.location(request.src), of: tree, to: self.location(request.dst),
                    merge: request.mergeAndOverwrite?.value ?? false)
                return nil
            },
            "saveFile": root.writing { (request: FsProto.SaveFileRequestBody, call) in
                try calls.save(
                    request.file, to: self.location(request.dst), overwrite: request.overwrite?.value ?? false,
                    call.connection)
                return nil
            },
            "saveFolder": root.writing { (request: FsProto.SaveFolderRequestBody, call) in
                let folder = try FolderView.passed(request.folder, on: call.connection)
                try tree.copyFolder(
                    folder.location(""), of: folder.root.tree, to: self.location(request.dst),
                    merge: request.mergeAndOverwrite?.value ?? false)
                return nil
            },
        ]
    }

    /// A place other than the holder's root, which is not the holder's to remove or move.
    private func changeable(_ path: String) throws(RuntimeException) -> Location {
        let location = try location(path)
        guard location.path != base else {
            throw location.exception(.denied, "the root folder itself cannot be changed")
        }
        return location
    }

    private func writableFile(
        _ location: Location, _ flags: WritingFlags, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        let (_, old) = try root.tree.writingPlace(location, flags)
        let file = FileView(root: root, location: location, writable: true, isNew: old == nil)
        return try file.serve(on: connection).encoded
    }

    private func writableSubRoot(
        _ location: Location, _ flags: WritingFlags, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        if flags.create {
            try root.tree.makeFolder(location, exclusive: flags.exclusive)
        } else {
            _ = try root.tree.openFolder(location)
        }
        return try inner(location, writable: true).serve(on: connection).encoded
    }
}

extension WritingFlags {
    /// Without flags, a file is made and replaced. With them, only what they say is done: a missing file is not made without `create`.
    init(_ flags: FsProto.FileFlags?) {
        self.init()
        guard let flags else { return }
        truncate = flags.truncate?.value ?? true
        create = flags.create?.value ?? false
        exclusive = flags.exclusive?.value ?? false
    }

    /// The same for a sink, which goes on with the content that is there unless the flags say `truncate`.
    init(ofSink flags: FsProto.FileFlags?) {
        self.init(flags)
        if let flags { truncate = flags.truncate?.value ?? false }
    }

    init(_ flags: FsProto.VersionedFileWriteFlags?) {
        self.init(flags.map { FsProto.FileFlags(truncate: $0.truncate, create: $0.create, exclusive: $0.exclusive) })
        currentVersion = flags?.currentVersion?.value
    }

    init(ofSink flags: FsProto.VersionedFileWriteFlags?) {
        self.init(
            ofSink: flags.map { FsProto.FileFlags(truncate: $0.truncate, create: $0.create, exclusive: $0.exclusive) })
        currentVersion = flags?.currentVersion?.value
    }
}
