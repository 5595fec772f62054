package import Cryptography
import Foundation
import Sealing
package import Storage

extension ProfileArchive {
    /// Restores a profile into a place without one. Afterwards the whole profile is there or nothing, also after a crash.
    ///
    /// - Parameter path: of the profile: missing, or an empty folder.
    package static func restore(
        _ file: String, to path: String, passphrase: SecretBytes,
        progress: (ArchiveAmount, _ size: Int64) -> Bool
    ) throws(ProfileArchiveError) -> Result {
        do {
            let target = URL(fileURLWithPath: path).standardizedFileURL.path
            try checkIsFree(target)
            try FileManager.default.createDirectory(
                atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let staged = try StagedProfile.begin(beside: target)
            let result = try read(file, passphrase: passphrase, into: staged.profile, progress: progress)
            try begin(staged.profile)
            try checkIsFree(target)
            try staged.put(at: target)
            return result
        } catch { throw ProfileArchiveError(error) }
    }

    /// Puts a profile together beside one that is in use, to stand in its place once nobody uses it.
    static func stage(
        _ file: String, beside path: String, passphrase: SecretBytes
    ) throws(ProfileArchiveError) -> StagedProfile {
        do {
            let staged = try StagedProfile.begin(beside: URL(fileURLWithPath: path).standardizedFileURL.path)
            _ = try read(file, passphrase: passphrase, into: staged.profile) { _, _ in true }
            try begin(staged.profile)
            return staged
        } catch { throw ProfileArchiveError(error) }
    }

    private static func checkIsFree(_ path: String) throws {
        let manager = FileManager.default
        guard let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType else { return }
        guard type == .typeDirectory else {
            throw ProfileArchiveError(.notEmpty, "\(path) is not a folder; choose another place with --profile DIR")
        }
        guard try manager.contentsOfDirectory(atPath: path).isEmpty else {
            throw ProfileArchiveError(
                .notEmpty,
                "there is a profile at \(path) already, or something else; move it away, or choose another place with "
                    + "--profile DIR")
        }
    }

    /// Looks whether the restored files are a profile, and makes it one of its own.
    private static func begin(_ path: String) throws {
        let manager = FileManager.default
        guard ["vault", database].allSatisfy({ manager.fileExists(atPath: path + "/" + $0) }) else {
            throw ProfileArchiveError(.damaged, "the file holds no profile: its vault or its database is missing")
        }
        try checkDatabase(path + "/" + database)
        // It opens here as it will later, or it is not put in place.
        let profile = try Profile(path: path)
        defer { profile.close() }
        try profile.write { try ProfileCopy.begin(in: $0) }
    }

    /// A database is a program as well: so a database with other tables, or with triggers, is refused.
    private static func checkDatabase(_ path: String) throws {
        let database = try Database(path: path)
        try database.migrate(Profile.schema)
        let expected = try Database.inMemory()
        try expected.migrate(Profile.schema)
        guard try tables(of: database) == tables(of: expected),
            try database.query("PRAGMA quick_check(1)", read: { try $0[0] as String }) == ["ok"]
        else { throw ProfileArchiveError(.damaged, "the file holds no database of a profile") }
    }

    private static func tables(of database: Database) throws -> [[String]] {
        try database.query("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema ORDER BY type, name") {
            row in
            try (0..<4).map { try row[$0] as String }
        }
    }
}

/// The place beside a profile in which it is put together. What a crash left there is cleared away by the next one.
package final class StagedProfile: Sendable {
    let profile: String
    private let path: String
    private let folder: Folder
    /// Others wait until this goes.
    private let lock: FileDescriptor
    private static let name = "profile"
    /// The profile that was there, on its way out.
    private static let former = "former"
    /// What goes over from the profile that was there: by it a browser that was let in stays so.
    private static let ofMachine = "page.json"
    private static let depth = ArchiveParser.depthLimit + 2
    private static let entries = Int(ArchiveParser.entryLimit)

    static func begin(beside target: String) throws -> StagedProfile {
        let path = target + ".restoring"
        let folder = try Folder.making(path)
        guard let lock = try folder.lock() else {
            throw ProfileArchiveError(.inUse, "another alcove is restoring a profile at \(target); let it finish")
        }
        guard try folder.isPrivate() else {
            throw ProfileArchiveError(.failed, "\(path) belongs to somebody else, or others can read it; remove it")
        }
        try folder.removeFolder(name, depth: depth, entries: entries)
        try folder.removeFolder(former, depth: depth, entries: entries)
        try folder.makeFolder(name)
        return StagedProfile(path, folder, lock)
    }

    /// From here on it is ours, and goes when this does.
    private init(_ path: String, _ folder: Folder, _ lock: FileDescriptor) {
        self.path = path
        profile = path + "/" + Self.name
        self.folder = folder
        self.lock = lock
    }

    /// One step: the profile is where it belongs, on the disk.
    func put(at target: String) throws {
        try folder.synchronize()
        let parent = try Folder((target as NSString).deletingLastPathComponent)
        try folder.move(Self.name, to: parent, as: (target as NSString).lastPathComponent)
        try parent.synchronize()
    }

    /// Stands in the place of a profile that holds nothing and that nobody uses. A crash in between leaves no profile, as before.
    package func replace(_ target: String) throws(ProfileArchiveError) {
        do {
            let target = URL(fileURLWithPath: target).standardizedFileURL.path
            // Whoever comes meanwhile finds it in use.
            let lock = try ProfileDirectory(path: target).take()
            defer { lock.release() }
            if let bytes = FileManager.default.contents(atPath: target + "/" + Self.ofMachine) {
                try AtomicFile.write(Array(bytes), to: profile + "/" + Self.ofMachine)
            }
            let parent = try Folder((target as NSString).deletingLastPathComponent)
            try parent.move((target as NSString).lastPathComponent, to: folder, as: Self.former)
            try put(at: target)
            try? folder.removeFolder(Self.former, depth: Self.depth, entries: Self.entries)
        } catch { throw ProfileArchiveError(error) }
    }

    deinit {
        try? folder.removeFolder(Self.name, depth: Self.depth, entries: Self.entries)
        rmdir(path)
    }
}
