internal import Foundation
internal import Storage

/// Finding out whether a file is an index of ours, and putting it aside if it is not.
extension IndexFile {
    /// Opens the file, or puts it aside and makes another one. One that an earlier version made for this directory goes: it has the
    /// text of every note, and would keep it after a note was removed for good.
    static func open(_ path: String, of directory: IndexedDirectory) throws(DatabaseError) -> IndexFile {
        let lock = FileLock(path + ".lock")
        defer { lock?.release() }
        if let file = try openIfGood(path, of: directory) { return file }
        // Opening would make it.
        let isOlder =
            FileManager.default.fileExists(atPath: path)
            && (try? Schema.isOlder(Database(path: path, configuration: configuration), of: directory)) == true
        putAside(path)
        let file = try make(path, of: directory)
        if isOlder { for suffix in suffixes { unlink(path + ".aside" + suffix) } }
        return file
    }

    /// Makes another file instead of one that turned out to be damaged, unless another process has done so already.
    static func replace(
        _ file: IndexFile, at path: String, of directory: IndexedDirectory
    ) throws(DatabaseError) -> IndexFile {
        let lock = FileLock(path + ".lock")
        defer { lock?.release() }
        if FileIdentity(path) != file.identity, let other = try openIfGood(path, of: directory) { return other }
        putAside(path)
        return try make(path, of: directory)
    }

    /// Nil if there is none, or one that is not what we would make.
    private static func openIfGood(
        _ path: String, of directory: IndexedDirectory
    ) throws(DatabaseError) -> IndexFile? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let database = try Database(path: path, configuration: configuration)
            guard try Schema.matches(database), let generation = try Schema.generation(in: database, of: directory)
            else { return nil }
            return try beside(database, at: path, generation: generation)
        } catch let error as DatabaseError {
            // A file that is busy, or that may not be opened, can be good.
            guard [.corrupt, .notADatabase, .misuse, .mismatch].contains(error.code) else { throw error }
            return nil
        } catch {
            return nil
        }
    }

    private static func make(_ path: String, of directory: IndexedDirectory) throws(DatabaseError) -> IndexFile {
        // For this user only: it has the text of every note.
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        let database = try Database(path: path, configuration: configuration)
        let generation = try Schema.create(in: database, of: directory)
        return try beside(database, at: path, generation: generation)
    }

    private static let suffixes = ["", "-wal", "-shm"]

    /// Keeps the last file that was put aside: an index that this version does not understand must not be destroyed.
    private static func putAside(_ path: String) {
        for suffix in suffixes {
            unlink(path + ".aside" + suffix)
            // If this fails, making the new one fails, and says why.
            rename(path + suffix, path + ".aside" + suffix)
        }
    }
}
