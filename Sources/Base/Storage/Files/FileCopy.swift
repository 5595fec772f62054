internal import Platform
internal import Synchronization

/// Copies one file to where a person wants it, and never over another file.
///
/// The copy grows under a name of its own beside its place, and gets its name when it is whole and on the disk. If the name is
/// taken, it gets ` (2)`, or the next number. Only its owner may read it. Where the file system can, the two share their blocks.
package final class FileCopy: Sendable {
    /// Why there is no copy. Whatever had been written is removed.
    package enum Problem: Error {
        /// The file cannot be read, or is no file.
        case source(FileError)
        /// Nothing can be written there.
        case target(FileError)
        case cancelled
    }

    private let source: String
    private let target: String
    private let isCancelled = Atomic(false)

    /// Bytes between two looks at whether it was cancelled.
    private static let chunk: Int64 = 64 << 20
    /// Names that are tried.
    private static let names = 1000
    /// Bytes of a name that every usual file system takes.
    private static let nameLimit = 255

    /// - Parameters:
    ///   - source: a path from the root.
    ///   - target: a path from the root: of a folder that is there, which keeps the file's name, or of the file to be.
    package init(of source: String, to target: String) {
        self.source = source
        self.target = target
    }

    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Waits until the copy is on the disk.
    /// - Returns: where it is.
    package func run() throws(Problem) -> String {
        let original: FileDescriptor
        let size: Int64
        do {
            original = try .reading(source)
            size = try original.status().size
        } catch { throw .source(error) }
        let (folder, name) = place
        let temporary = "\(folder)/.alcove-\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).part"
        let copy: FileDescriptor
        do { copy = try FileDescriptor(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) } catch {
            throw .target(error)
        }
        do {
            try fill(copy, from: original, size)
            return try Self.give(temporary, name, in: folder)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// The folder and the wanted name in it.
    private var place: (folder: String, name: String) {
        if target.last == "/" || (try? FileDescriptor(target, flags: O_RDONLY | O_DIRECTORY)) != nil {
            return (
                target.count > 1 && target.last == "/" ? String(target.dropLast()) : target,
                source.split(separator: "/").last.map(String.init) ?? "file"
            )
        }
        let cut = target.lastIndex(of: "/") ?? target.startIndex
        return (cut == target.startIndex ? "/" : String(target[..<cut]), String(target[cut...].dropFirst()))
    }

    private func fill(_ copy: FileDescriptor, from original: FileDescriptor, _ size: Int64) throws(Problem) {
        var done: Int64 = 0
        while done < size {
            if isCancelled.load(ordering: .relaxed) { throw .cancelled }
            let copied: Int64
            do { copied = try copy.copy(from: original, at: done, count: min(size - done, Self.chunk), to: done) } catch
            {
                throw .target(error)
            }
            guard copied > 0 else {
                throw .source(FileError(.damaged, reason: "it became shorter while it was copied"))
            }
            done += copied
        }
        do { try copy.synchronize() } catch { throw .target(error) }
    }

    private static func give(_ temporary: String, _ name: String, in folder: String) throws(Problem) -> String {
        for number in 1...names {
            let path = "\(folder == "/" ? "" : folder)/\(numbered(name, number))"
            if move(temporary, to: path) {
                do { try AtomicFile.synchronizeFolder(of: path) } catch { throw .target(error) }
                return path
            }
            guard errno == EEXIST else { throw .target(.last("write", path)) }
        }
        throw .target(FileError(.alreadyExists, reason: "there are too many files of this name"))
    }

    /// Renames unless there is something. Where the file system cannot, an empty file takes the name first.
    private static func move(_ temporary: String, to path: String) -> Bool {
        if Folder.renameNew(AT_FDCWD, temporary, AT_FDCWD, path) == 0 { return true }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return false }
        let placeholder = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard placeholder >= 0 else { return false }
        close(placeholder)
        return rename(temporary, path) == 0
    }

    /// `photo (2).jpg` for `photo.jpg`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let dot = name.dropFirst().lastIndex(of: ".") ?? name.endIndex
        let end = " (\(number))" + name[dot...]
        var stem = name[..<dot]
        while stem.utf8.count + end.utf8.count > nameLimit, stem.count > 1 { stem = stem.dropLast() }
        return stem + end
    }
}
