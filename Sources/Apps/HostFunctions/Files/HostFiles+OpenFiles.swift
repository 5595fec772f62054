internal import Components
internal import Storage

/// Open files by their numbers.
extension HostFiles {
    func addOpenFiles(to functions: inout FileFunctions) {
        let (folder, files, limits) = (folder, files, limits)
        functions.slow("fs_open", flag: { (arguments: FsOpProto.OpenFileArgs) in arguments.openFlag }) {
            (arguments, opening) throws(FileError) in
            let file = try folder.open(folder.path(named: arguments.path), opening)
            return FnCallsProto.IntValue(value: try files.add(OpenFiles.Entry(file: file, opening: opening))).encoded
        }
        functions.quick("fh_close") { (arguments: FsOpProto.FdArgs) throws(FileError) in
            files.close(arguments.fd)
            return []
        }
        functions.slow("fh_read") { (arguments: FsOpProto.ReadFdPosArg) throws(FileError) in
            let count = min(Int(arguments.len), limits.read)
            let bytes = try files.readable(arguments.fd).read(at: arguments.readPos, atMost: count)
            if bytes.isEmpty, count > 0 { throw FileError(.endOfFile, reason: "the file ends here") }
            return bytes
        }
        functions.slow("fh_write", reading: PlacedBytes.init(decoding:)) { arguments throws(FileError) in
            let file = try files.writable(arguments.file)
            if let position = arguments.position {
                try file.write(arguments.bytes, at: position)
            } else {
                try file.write(arguments.bytes)
            }
            return []
        }
        functions.quick("fh_stat") { (arguments: FsOpProto.FdArgs) throws(FileError) in
            FsOpProto.Stats(try files[arguments.fd].file.status()).encoded
        }
        functions.slow("fh_sync") { (arguments: FsOpProto.FdArgs) throws(FileError) in
            try files[arguments.fd].file.synchronize()
            return []
        }
        functions.quick("fh_truncate") { (arguments: FsOpProto.FdTruncateArgs) throws(FileError) in
            try files.writable(arguments.fd).truncate(to: arguments.len)
            return []
        }
    }
}
