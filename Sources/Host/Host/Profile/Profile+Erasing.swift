import Foundation
import Storage
import Synchronization

/// The end of everything in a profile. It takes no key and no room on the disk, and one that was interrupted is finished by the
/// next process before it opens anything.
extension Profile {
    /// Leaves nothing: the keys of the vault go first, then every record and secret, and received files. What replaces them is
    /// new and empty.
    /// - Parameter folders: folders of what belongs to the profile. One that lies outside holds other things as well, and stays.
    func erase(folders: [String]) throws {
        let own = folders.filter { $0.hasPrefix(path + "/") }.map { String($0.dropFirst(path.count + 1)) }
        let folder = try ProfileDirectory(path: path)
        try Erasure(folders: own).note(in: folder, reserve: reserve)
        vault.lock()
        try database.withLock { database in
            // The files are closed before they go.
            database = try Database.inMemory()
            try Self.finishErasing(folder)
        }
        isErased.withLock { $0 = true }
        // Nothing is left, which was asked for. If there is no room for something new, the next save tries again.
        try? beginAgain()
        reserve.keep()
    }

    /// Makes the files of a profile that was erased, if that has not been done since.
    func beginAgain() throws {
        try isErased.withLock { isErased in
            guard isErased else { return }
            let folder = try ProfileDirectory(path: path)
            try database.withLock { database in
                // One that was made when there was no room for the vault is closed before it is opened again.
                database = try Database.inMemory()
                database = try reserve.lent { try Self.openDatabase(in: folder) }
                try replaceVault { try reserve.lent { try Self.openVault(in: folder, beside: database) } }
            }
            try makePoolsFolder()
            isErased = false
        }
    }

    /// Does what a note of an erasure says, if there is one.
    static func finishErasing(_ folder: ProfileDirectory) throws {
        guard let erasure = try Erasure(notedIn: folder) else { return }
        // Without it nothing that was sealed can be read, whatever happens next.
        try Vault.erase(in: folder.path)
        for file in ["profile.sqlite", "profile.sqlite-wal", "profile.sqlite-shm"] {
            try AtomicFile.erase(folder.file(file))
        }
        for name in erasure.folders {
            let path = folder.file(name)
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try FileManager.default.removeItem(atPath: path)
        }
        try Erasure.forget(in: folder)
    }
}

/// The note that everything is being erased. It is a file, because it has to outlive the database.
private struct Erasure: Codable {
    /// Paths beneath the profile, besides those that every profile has.
    var folders: [String]

    private static let everyProfile = [
        "pools", "Sealed", "NoteIndex", "Tools", "Gateway", "Agents", "host.log", "page.json", "open.html",
        "Files/Sent",
        ProfileArchive.copyFolder, ProfileArchive.exportsFolder,
    ]
    private static let byteLimit = 1 << 20

    init(folders: [String]) { self.folders = Self.everyProfile + folders }

    /// Nil if there is none. One that cannot be read names what every profile has.
    init?(notedIn folder: ProfileDirectory) throws(FileError) {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(Self.path(in: folder), atMost: Self.byteLimit)
        } catch {
            guard error.code != .missing else { return nil }
            throw error
        }
        self = (try? JSONDecoder().decode(Self.self, from: Data(bytes))) ?? Self(folders: ["Files", "Notes", "Apps"])
        // An earlier version may have written it, which knew of fewer.
        folders += Self.everyProfile.filter { !folders.contains($0) }
        folders.removeAll { name in name.split(separator: "/").allSatisfy { $0 == "." } || name.contains("..") }
    }

    /// The file of the vault, which goes first in any case, becomes the note: so that it takes no room on the disk.
    func note(in folder: ProfileDirectory, reserve: DiskReserve) throws {
        let (bytes, path) = (Array(try JSONEncoder().encode(self)), Self.path(in: folder))
        guard try !AtomicFile.replace(path, reusing: folder.file("vault"), for: bytes) else { return }
        // Without a vault nothing can be read any more: what is left goes, with a note or without.
        try? reserve.lent { try AtomicFile.write(bytes, to: path) }
    }

    static func forget(in folder: ProfileDirectory) throws { try AtomicFile.remove(path(in: folder)) }

    private static func path(in folder: ProfileDirectory) -> String { folder.file("erasing") }
}
