import ComponentStorage
import Components
import Foundation
import StorageClient
import Synchronization

/// A storage in a temporary folder, an app's end of a connection to it, and what the host was told of refusals.
final class StorageFixture: Sendable {
    let path: String
    let root: StorageRoot
    /// The app's end.
    let app: ObjectConnection
    let host: ObjectConnection
    private let refusals: Refusals

    init(
        limits: StorageLimits = StorageLimits(), watches: WatchAllowance = WatchAllowance(),
        below parent: String = StorageFixture.place
    ) throws {
        path = parent + "/storage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path + "/root", withIntermediateDirectories: true)
        let refusals = Refusals()
        self.refusals = refusals
        root = try StorageRoot(path + "/root", limits: limits, watches: watches) { refusals.add($0) }
        (host, app) = ConnectedEnds.make()
    }

    deinit {
        app.close()
        host.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// In memory where the system can: waiting for a disk is nothing to test.
    static let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

    /// The whole storage, as an app gets it.
    func folder(_ path: String = "", writable: Bool = true) throws -> FolderClient {
        try FolderClient(root.serve(path, writable: writable, name: "app", on: host), on: app)
    }

    var refused: [RuntimeException] { refusals.all }

    // MARK: Behind the app's back

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: path + "/root/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/root/" + name)), as: UTF8.self)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/root/" + name, withDestinationPath: target)
    }

    /// Everything in the folder but what the storage keeps for its work.
    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/root/" + name).filter { $0 != ".alcove-work" }
            .sorted()
    }

    /// What lies in the folder that the storage works in.
    func unfinished() -> [String] {
        let work = path + "/root/.alcove-work"
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: work)) ?? []
        return folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: work + "/" + $0)) ?? [] }
    }
}

private final class Refusals: Sendable {
    private let exceptions = Mutex<[RuntimeException]>([])
    var all: [RuntimeException] { exceptions.withLock { $0 } }
    func add(_ exception: RuntimeException) { exceptions.withLock { $0.append(exception) } }
}
