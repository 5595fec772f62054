internal import Platform

/// What lies in a folder.
package struct FolderEntry: Hashable, Sendable {
    package let name: String
    package let kind: FileStatus.Kind

    package init(_ name: String, _ kind: FileStatus.Kind) {
        self.name = name
        self.kind = kind
    }

    /// Hands out what is in an open folder, one after another in no order, without `.` and `..`. However much it is, it is
    /// never all in memory.
    /// - Parameter body: gets the name, nil if it is no UTF-8, and the kind, nil where the file system does not say it in
    ///   listings; says whether it wants more.
    /// - Returns: 0, or the number of the error that ended it.
    static func forEach(
        in folder: Int32, _ body: (String?, FileStatus.Kind?) throws(FileError) -> Bool
    ) throws(FileError) -> Int32 {
        // A descriptor of its own, because listing moves along in it and closing the list closes it.
        let copy = FileDescriptor.retry { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard copy >= 0, let list = fdopendir(copy) else {
            let error = errno
            if copy >= 0 { close(copy) }
            return error
        }
        defer { closedir(list) }
        while true {
            errno = 0
            guard let entry = readdir(list) else { return errno }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(validating: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let kind: FileStatus.Kind? =
                switch Int32(entry.pointee.d_type) {
                case Int32(DT_UNKNOWN): nil
                case Int32(DT_REG): .file
                case Int32(DT_DIR): .folder
                case Int32(DT_LNK): .symbolicLink
                default: .other
                }
            guard try body(name, kind) else { return 0 }
        }
    }

    /// The same with kinds, without names that are no UTF-8.
    static func forEach(
        in folder: Int32, _ body: (FolderEntry) throws(FileError) -> Bool
    ) throws(FileError) {
        let failure = try forEach(in: folder) { (name, kind) throws(FileError) in
            guard let name else { return true }
            if let kind { return try body(FolderEntry(name, kind)) }
            if let status = FileStatus.look(at: name, in: folder) { return try body(FolderEntry(name, status.kind)) }
            // What is gone since it was read is left out.
            guard errno == ENOENT else { throw .last }
            return true
        }
        if failure != 0 { throw FileError(number: failure) }
    }
}
