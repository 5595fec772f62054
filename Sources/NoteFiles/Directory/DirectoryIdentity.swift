internal import Storage

/// `SD_ID`, the file that names a storage directory, and `.sd-id`, its name in old ones.
enum DirectoryIdentity {
    static let file = "SD_ID"
    static let oldFile = ".sd-id"

    /// nil if there is none. The old name counts more where both are there and differ.
    static func read(in root: borrowing Folder) throws(NoteFilesError) -> String? {
        if let old = try read(oldFile, in: root) { return old }
        return try read(file, in: root)
    }

    /// Writes one if there is none, and takes over an old one. Another device may do the same at the same time; what is read back
    /// counts, because the syncer has decided by then, or will.
    static func settle(in root: borrowing Folder) throws(NoteFilesError) {
        let old = try read(oldFile, in: root)
        let current = try read(file, in: root)
        try NoteFilesError.wrapping { () throws(FileError) in
            if let old {
                if old != current { try root.write(Array(old.utf8), to: file) }
                try root.remove(oldFile)
            } else if current == nil {
                try root.write(Array(Identifier<Never>.random().text.utf8), to: file)
            }
        }
    }

    /// nil also for what is empty or no identifier, as while it is being written.
    private static func read(_ name: String, in root: borrowing Folder) throws(NoteFilesError) -> String? {
        do throws(FileError) {
            let text = String(decoding: try root.read(name, atMost: 4096), as: UTF8.self)
            let words = text.split(whereSeparator: \.isWhitespace)
            return words.count == 1 ? (try? Identifier<Never>(words[0]))?.text : nil
        } catch {
            if error.code == .missing { return nil }
            throw NoteFilesError(error)
        }
    }
}
