internal import Components
internal import Storage

/// Whole files by their names.
extension HostFiles {
    func addContents(to functions: inout FileFunctions) {
        let (folder, limits) = (folder, limits)
        functions.slow("fs_readFile") { (arguments: FsOpProto.PathArgs) throws(FileError) in
            try folder.open(folder.path(named: arguments.path), .reading).readAll(atMost: limits.read)
        }
        functions.slow("fs_writeFile", flag: { (arguments: FsOpProto.WriteFileArgs) in arguments.writeFlag }) {
            (arguments, opening) throws(FileError) in
            guard opening.writes else { throw FileError(.denied, reason: "the file is not opened for writing") }
            try folder.open(folder.path(named: arguments.path), opening).write(arguments.content[...])
            return []
        }
        functions.slow("fs_appendFile") { (arguments: FsOpProto.AppendFileArgs) throws(FileError) in
            var opening = ConfinedFolder.Opening(reads: false, writes: true)
            opening.appends = true
            opening.creates = true
            try folder.open(folder.path(named: arguments.path), opening).write(arguments.chunk[...])
            return []
        }
        functions.slow("fs_copyFile") { (arguments: FsOpProto.CopyFileArgs) throws(FileError) in
            try folder.copyFile(
                from: folder.path(named: arguments.src), to: folder.path(named: arguments.dst),
                overwriting: arguments.overwrite)
            return []
        }
        functions.quick("fs_truncate") { (arguments: FsOpProto.TruncateFileArgs) throws(FileError) in
            let opening = ConfinedFolder.Opening(reads: false, writes: true)
            try folder.open(folder.path(named: arguments.path), opening).truncate(to: arguments.len)
            return []
        }
    }
}
