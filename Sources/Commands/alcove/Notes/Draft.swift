import Foundation

/// What is being edited: a file in a folder of its own, in the profile, out of reach of other users and of programs that clear temporary files.
///
/// It goes when it was saved, or when nothing was written in it. What was written and could not be saved stays; the person is told
/// where.
struct Draft {
    /// The path of the file that the editor opens.
    let path: String
    private let folder: String
    private let original: String
    /// Tells other processes that it is being edited, until this one ends.
    private let lock: FolderLock

    /// Bytes of what an editor saved.
    private static let limit = 64 << 20
    /// Drafts that stay.
    private static let countLimit = 100

    /// - Parameter place: the folder of all drafts.
    init(_ text: String, in place: String) throws(CommandFailure) {
        guard let all = FolderLock(making: place, waits: true) else { throw Self.failure(place) }
        defer { all.release() }
        let count = (try? FileManager.default.contentsOfDirectory(atPath: place).count) ?? 0
        guard count < Self.countLimit else {
            throw CommandFailure(
                "\(count) drafts that were not saved are in \(place): look whether you need them, and remove them",
                .cannotCreate)
        }
        folder = "\(place)/\(UUID().uuidString)"
        path = folder + "/note.md"
        original = text
        guard let lock = FolderLock(making: folder, waits: false) else { throw Self.failure(folder) }
        self.lock = lock
        for file in [path, Self.originalPath(in: folder)] {
            let isMade = FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            guard isMade else {
                discard()
                throw Self.failure(file)
            }
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("cannot write \(path): \(String(cString: strerror(errno)))", .cannotCreate)
    }

    /// Where the text lies as it was given to the editor.
    private static func originalPath(in folder: String) -> String { folder + "/.original.md" }

    /// Whether the file still has what the editor was given.
    var isUntouched: Bool { FileManager.default.contents(atPath: path) == Data(original.utf8) }

    func text() throws(CommandFailure) -> String {
        let bytes = try ByteInput(path).readAll(atMost: Self.limit)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure("what the editor saved is not UTF-8 text", .dataError)
        }
        return text
    }

    func discard() { try? FileManager.default.removeItem(atPath: folder) }

    /// Whether there is anything that the person wrote.
    private static func isWritten(in folder: String) -> Bool {
        let text = FileManager.default.contents(atPath: folder + "/note.md") ?? Data()
        return !text.allSatisfy { $0 <= 0x20 } && text != FileManager.default.contents(atPath: originalPath(in: folder))
    }

    /// Removes it if nothing was written in it; else adds to the failure where it is.
    func keep(because failure: CommandFailure) -> CommandFailure {
        guard Self.isWritten(in: folder) else {
            discard()
            return failure
        }
        return CommandFailure("\(failure.explanation)\nwhat you wrote is in \(path)", failure.code)
    }

    /// What was written in drafts whose processes ended without saving. Those in which nothing was written are removed.
    static func abandoned(in place: String) -> [String] {
        guard FileManager.default.fileExists(atPath: place), let all = FolderLock(making: place, waits: true) else {
            return []
        }
        defer { all.release() }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.sorted().compactMap { name in
            let folder = "\(place)/\(name)"
            guard let lock = FolderLock(opening: folder, waits: false) else { return nil }
            defer { lock.release() }
            if isWritten(in: folder) { return folder + "/note.md" }
            try? FileManager.default.removeItem(atPath: folder)
            return nil
        }
    }
}

/// A lock of a folder among processes. It ends with this object, however the process ends.
private final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Makes the folder if it is missing, for its owner only. Nil if that fails, or if another process has it and is not waited for.
    convenience init?(making path: String, waits: Bool) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.init(opening: path, waits: waits)
    }

    init?(opening path: String, waits: Bool) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        while flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            guard errno == EINTR else {
                close(descriptor)
                return nil
            }
        }
    }

    /// Closing alone would leave it to a child process that is being started at this very moment.
    func release() { flock(descriptor, LOCK_UN) }

    deinit { close(descriptor) }
}
