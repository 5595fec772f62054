internal import Components
internal import Storage

/// Names: looking, listing, making, renaming, removing, links.
extension HostFiles {
    func addNames(to functions: inout FileFunctions) {
        let (folder, limits) = (folder, limits)
        functions.quick("fs_stat") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            FsOpProto.Stats(try folder.status(folder.path(named: arguments.path))).encoded
        }
        functions.quick("fs_lstat") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            FsOpProto.Stats(try folder.status(folder.path(named: arguments.path), followingLinks: false)).encoded
        }
        functions.slow("fs_readdir") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            let entries = try folder.entries(folder.path(named: arguments.path), atMost: limits.names)
            return FnCallsProto.StringArrayValue(values: entries.map(\.name)).encoded
        }
        functions.quick("fs_mkdir") { (arguments: FsOpProto.DirRecursiveArgs) throws(FileError) in
            let path = try folder.path(named: arguments.path)
            try arguments.recursive ? folder.makeFolders(path) : folder.makeFolder(path)
            return []
        }
        functions.slow("fs_rmdir") { (arguments: FsOpProto.DirRecursiveArgs) throws(FileError) in
            let path = try folder.path(named: arguments.path)
            try arguments.recursive ? folder.removeTree(path) : folder.removeFolder(path)
            return []
        }
        functions.quick("fs_rename") { (arguments: FsOpProto.RenameArgs) throws(FileError) in
            try folder.rename(folder.path(named: arguments.oldPath), to: folder.path(named: arguments.newPath))
            return []
        }
        functions.quick("fs_unlink") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            try folder.removeFile(folder.path(named: arguments.path))
            return []
        }
        functions.quick("fs_readlink") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            FnCallsProto.StringValue(value: try folder.linkTarget(folder.path(named: arguments.path))).encoded
        }
        functions.quick("fs_symlink") { (arguments: FsOpProto.SymLinkCreateArgs) throws(FileError) in
            let path = try folder.path(named: arguments.path)
            try folder.checkTarget(arguments.target, ofLinkAt: path)
            try folder.makeLink(path, target: arguments.target)
            return []
        }
    }
}

extension ConfinedFolder {
    /// A link that leads out is not followed here, but other programs would follow it.
    fileprivate func checkTarget(_ target: String, ofLinkAt path: ConfinedPath) throws(FileError) {
        let isAbsolute = target.utf8.first == UInt8(ascii: "/")
        _ = try self.path(named: isAbsolute ? target : "\(path.parent)/\(target)".withoutLeadingSlash)
    }
}

extension String {
    fileprivate var withoutLeadingSlash: String { hasPrefix("/") ? String(dropFirst()) : self }
}

extension FsOpProto.Stats {
    init(_ status: FileStatus) {
        self.init(
            isFile: status.kind == .file, isDirectory: status.kind == .folder,
            isSymbolicLink: status.kind == .symbolicLink, birthtimeMs: status.born.milliseconds,
            mtimeMs: status.modified.milliseconds, atimeMs: status.accessed.milliseconds, size: status.size,
            blocks: status.blocks, blksize: status.blockSize)
    }
}
