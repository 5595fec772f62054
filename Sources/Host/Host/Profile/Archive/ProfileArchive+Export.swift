import AppCore
import AppPacks
import Apps
package import Cryptography
import Foundation
import Sealing
import Storage
import Synchronization

extension ProfileArchive {
    /// Writes a profile into a sealed file. It needs no passphrase of the profile: what the vault seals stays sealed.
    ///
    /// - Parameters:
    ///   - file: where nothing is yet.
    ///   - passphrase: of the archive, as UTF-8.
    ///   - hasFiles: whether received files go along.
    ///   - isMove: whether the profile ends here, as soon as the archive is on the disk.
    ///   - cost: what each attempt at the passphrase costs; less than the default is for tests.
    package static func export(
        profile path: String, to file: String, passphrase: SecretBytes, hasFiles: Bool = false, isMove: Bool = false,
        cost: Scrypt.Cost = .passphrase, progress: @escaping Progress
    ) throws(ProfileArchiveError) -> Result {
        // One that was used for notes or apps alone has no database yet.
        guard ([database] + folders).contains(where: { FileManager.default.fileExists(atPath: path + "/" + $0) }) else {
            throw ProfileArchiveError(.noProfile, "there is no profile at \(path); choose one with --profile DIR")
        }
        try check(path, passphrase, hasFiles: hasFiles)
        do {
            let place = try place(of: file, outside: path)
            let profile = try Profile(path: path)
            defer { profile.close() }
            return try withApps(of: path) {
                let result = try write(
                    profile, to: place, passphrase: passphrase, hasFiles: hasFiles, isMove: isMove, cost: cost
                ) { progress($0, 0) }
                if isMove { try ProfileEnd(file: place, time: result.summary.made).write(to: path) }
                return result
            }
        } catch { throw ProfileArchiveError(error) }
    }

    /// Writes a profile that this process has open, as it is now. None of its apps may run.
    ///
    /// - Parameter file: where nothing is yet; it may lie in the profile, in a folder that is not copied.
    static func export(
        open profile: Profile, to file: String, passphrase: SecretBytes, hasFiles: Bool,
        cost: Scrypt.Cost = .passphrase, progress: @escaping Progress
    ) throws(ProfileArchiveError) -> Result {
        try check(profile.path, passphrase, hasFiles: hasFiles)
        do {
            let vault = try AtomicFile.read(profile.path + "/vault", atMost: vaultLimit)
            let result = try write(
                profile, to: file, passphrase: passphrase, hasFiles: hasFiles, isMove: false, cost: cost
            ) { progress($0, 0) }
            // What the copy sealed has to open with the vault beside it.
            guard try AtomicFile.read(profile.path + "/vault", atMost: vaultLimit) == vault else {
                try AtomicFile.remove(file)
                throw ProfileArchiveError(.inUse, "the passphrase of the profile was changed meanwhile; try again")
            }
            return result
        } catch { throw ProfileArchiveError(error) }
    }

    /// Bytes of the file with the keys.
    private static let vaultLimit = 1 << 20

    /// Files elsewhere are not in the archive, and nobody expects them there.
    private static func check(
        _ path: String, _ passphrase: SecretBytes, hasFiles: Bool
    ) throws(ProfileArchiveError) {
        for name in files + [database] + folders + (hasFiles ? [received] : []) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            guard attributes?[.type] as? FileAttributeType != .typeSymbolicLink else {
                throw ProfileArchiveError(
                    .failed,
                    "\(path)/\(name) is a link, and what it leads to would not be in the archive; move it into the profile first"
                )
            }
        }
        guard passphrase.count > 0 else {
            throw ProfileArchiveError(.failed, "a passphrase must not be empty; choose one")
        }
    }

    private static func write(
        _ profile: Profile, to file: String, passphrase: SecretBytes, hasFiles: Bool, isMove: Bool, cost: Scrypt.Cost,
        progress: @escaping (ArchiveAmount) -> Bool
    ) throws -> Result {
        let folder = try Folder(profile.path)
        try folder.removeFolder(copyFolder)
        defer { try? folder.removeFolder(copyFolder) }
        try folder.makeFolder(copyFolder)
        let copy = try folder.folder(copyFolder)
        try profile.copyDatabase(to: copy.path + "/" + database)
        let summary = try summary(of: profile, hasFiles: hasFiles, isMove: isMove)
        let writer = try ArchiveWriter(
            file, passphrase: passphrase, cost: cost, about: Array(try JSONEncoder().encode(summary)),
            progress: progress)
        for name in files { try writer.add(name, of: folder) }
        try writer.add(database, of: copy)
        for name in folders + (hasFiles ? [received] : []) { try writer.add(name, of: folder) }
        try writer.finish()
        return Result(summary: summary, amount: writer.amount)
    }

    /// Where the archive goes, as a whole path. In the profile it would be a part of the next one, and lost with it.
    private static func place(of file: String, outside profile: String) throws -> String {
        let url = URL(fileURLWithPath: file)
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        let home = URL(fileURLWithPath: profile).resolvingSymlinksInPath().path
        guard folder != home, !folder.hasPrefix(home + "/") else {
            throw ProfileArchiveError(.failed, "\(file) lies in the profile itself; choose a place outside of it")
        }
        return folder + "/" + url.lastPathComponent
    }

    /// Keeps others from changing the apps of a profile meanwhile. Their data cannot be copied while they run.
    private static func withApps<Value>(of profile: String, _ body: () throws -> Value) throws -> Value {
        let path = ProfileDirectory.appsFolder(of: profile)
        guard FileManager.default.fileExists(atPath: path) else { return try body() }
        let library = try AppLibrary(path: path)
        guard AppRuntime.elsewhere(library) == nil else {
            throw ProfileArchiveError(
                .inUse, "apps of this profile are running; end them (alcove app stop), then try again")
        }
        let lock = try Folder(path).openForLocking("lock")
        guard try lock.lock() else {
            throw ProfileArchiveError(
                .inUse, "another alcove is changing the apps of this profile; try again when it is done")
        }
        return try withExtendedLifetime(lock) { try body() }
    }

    static func summary(of profile: Profile, hasFiles: Bool, isMove: Bool) throws -> Summary {
        func count(_ sql: String) throws -> Int {
            try profile.read { database in try database.first(sql) { try $0[0] as Int } } ?? 0
        }
        let apps = ProfileDirectory.appsFolder(of: profile.path) + "/packs"
        let notes = ProfileDirectory.notesFolder(of: profile.path) + "/notes"
        return Summary(
            made: HostConfiguration.systemClock().milliseconds, program: Core.version, isMove: isMove,
            hasFiles: hasFiles, hasPassphrase: profile.vault.needsPassphrase,
            rooms: try count("SELECT count(*) FROM records WHERE path LIKE 'room/%'"),
            messages: try count(
                "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM records WHERE path LIKE 'message/%')"),
            people: try count("SELECT count(*) FROM sealing_bonds WHERE peer IS NOT NULL"),
            notes: names(in: notes), apps: names(in: apps))
    }

    private static func names(in folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
    }
}

extension Profile {
    /// What a copy of the database has. Every table is here or among those that stay behind.
    static let copiedTables =
        ["agent_pictures", "records", "messages", "secrets", "room_keys", "outbox", "deliveries", "files", "vault"]
        + ProfileCopy.tables
    /// What happened in the last run is for reports of this machine, and what agents said here was said by this machine.
    static let ownTables = ["flight", "shared_events", "shared_sessions"] + ProfileCopy.keyTables

    /// Copies the database in one transaction, without one-time keys. They were never in the copy, so no page of it remembers them.
    func copyDatabase(to path: String) throws {
        try Self.makeDatabase(at: path)
        try database.withLock { database in
            try database.execute("ATTACH DATABASE ? AS copy", path)
            defer { try? database.executeScript("DETACH DATABASE copy") }
            try database.transaction {
                for table in Self.copiedTables {
                    try database.executeScript("INSERT INTO copy.\(table) SELECT * FROM main.\(table)")
                }
            }
        }
    }

    private static func makeDatabase(at path: String) throws {
        // Only its owner may read it. SQLite's own files follow it.
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        let database = try Database(path: path)
        try database.migrate(schema)
        // One file, without a log beside it.
        try database.executeScript("PRAGMA journal_mode = DELETE")
    }
}
