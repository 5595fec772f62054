internal import Platform
internal import Storage

extension StorageDirectory {
    /// The generation of the format that this program knows.
    static let version = 1
    static let versionFile = "SD_VERSION"
    private static let versionLimit = 4096
    static let lockFile = ".migration-lock"
    private static let folders = ["notes", "folders", "activity", "deleted", "profiles", "media"]

    /// Throws unless this program may write here now. Almost no directory has a version file, and one without may be written.
    package func checkWritable() throws(NoteFilesError) {
        try checkWritable(try root())
    }

    func checkWritable(_ root: Folder) throws(NoteFilesError) {
        try NoteFilesError.wrapping { () throws(FileError) in try root.checkWritable() }
        let isLocked = try NoteFilesError.wrapping { () throws(FileError) in try root.status(of: Self.lockFile) != nil }
        if isLocked {
            throw NoteFilesError(
                .locked,
                "another program is converting \(path): wait until it is done. If it is not running any more, remove "
                    + "\(path)/\(Self.lockFile)")
        }
        guard let bytes = try? root.read(Self.versionFile, atMost: Self.versionLimit),
            let version = Int(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)), version > Self.version
        else { return }
        throw NoteFilesError(
            .tooNew,
            "a newer program made \(path) (version \(version), this one writes \(Self.version)): update this program")
    }

    /// What has the name of a part and is something else.
    static func obstacles(in root: Folder) -> [FileProblem] {
        var problems: [FileProblem] = []
        for name in folders {
            do throws(FileError) { _ = try root.folder(name) } catch {
                if error.code != .missing { problems.append(FileProblem(error, file: "\(root.path)/\(name)")) }
            }
        }
        do throws(FileError) { _ = try root.read(versionFile, atMost: versionLimit) } catch {
            if error.code != .missing { problems.append(FileProblem(error, file: "\(root.path)/\(versionFile)")) }
        }
        return problems
    }

    /// Makes a folder unless it is there, and the folders that it is in.
    static func make(_ path: String) throws(NoteFilesError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST, errno != EROFS else { return }
        if errno == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex {
            try make(String(path[..<end]))
            guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        }
        let code: NoteFilesError.Code = errno == ENOENT ? .missing : .failed
        throw NoteFilesError(code, "cannot make \(path): \(String(cString: strerror(errno)))")
    }

    func makeFolders() throws(NoteFilesError) {
        let root = try root()
        try NoteFilesError.wrapping { () throws(FileError) in
            // What has such a name and is not a folder is a problem for the code that needs it.
            for name in Self.folders where try root.status(of: name) == nil { _ = try root.folder(making: name) }
            guard try root.status(of: "folders")?.kind == .folder else { return }
            let tree = try root.folder("folders")
            // Other programs expect them, also where they are empty.
            for name in ["logs", "meta", "updates"] where try tree.status(of: name) == nil {
                _ = try tree.folder(making: name)
            }
        }
        try DirectoryIdentity.settle(in: root)
    }
}
