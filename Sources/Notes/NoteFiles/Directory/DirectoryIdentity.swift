internal import Platform
internal import Storage

/// `SD_ID`, the file that names a storage directory, and `.sd-id`, its name in old ones.
enum DirectoryIdentity {
    static let file = "SD_ID"
    static let oldFile = ".sd-id"

    /// nil if there is none. The old name counts more where both are there and differ. What cannot be read is a problem.
    static func read(in root: Folder, _ problems: inout [FileProblem]) -> String? {
        for name in [oldFile, file] {
            do throws(FileError) {
                if let id = try read(name, in: root) { return id }
            } catch {
                problems.append(FileProblem(error, file: "\(root.path)/\(name)"))
            }
        }
        return nil
    }

    /// Writes one if there is none, and takes over an old one. Another device may do the same at the same time; then its syncer
    /// decides, and what is read back later counts. Where something that cannot be read has its place, all stays as it is.
    static func settle(in root: Folder) throws(NoteFilesError) {
        let old, current: String?
        do throws(FileError) { (old, current) = (try read(oldFile, in: root), try read(file, in: root)) } catch {
            return
        }
        try NoteFilesError.wrapping { () throws(FileError) in
            if let old {
                if old != current { try root.write(Array(old.utf8), to: file) }
                try root.remove(oldFile)
            }
        }
        if old == nil, current == nil { try make(in: root) }
    }

    private static func make(in root: Folder) throws(NoteFilesError) {
        let id = Array(Identifier<Never>.random().text.utf8)
        try NoteFilesError.wrapping { () throws(FileError) in
            do throws(FileError) {
                let new = try root.create(file)
                try new.write(id[...])
                try new.synchronize()
                try root.synchronize()
            } catch {
                guard error.code == .alreadyExists else { throw error }
                // Another process is writing it at this moment. If not, one was killed while it did.
                for _ in 0..<3 where try read(file, in: root) == nil { usleep(100_000) }
                guard try read(file, in: root) == nil else { return }
                try root.write(id, to: file)
            }
        }
    }

    /// nil also for what is empty or no identifier, as while it is being written.
    private static func read(_ name: String, in root: Folder) throws(FileError) -> String? {
        guard try root.status(of: name) != nil else { return nil }
        let text = String(decoding: try root.read(name, atMost: 4096), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? (try? Identifier<Never>(words[0]))?.text : nil
    }
}
