import AppPacks
import Apps
import ComponentRuntime
import Components
import Confinement
import Foundation
import Networking
import Synchronization

/// Where apps run: in this process if nobody else runs the profile's apps, else in the process that does.
final class AppStage: Sendable {
    /// The door to ask at.
    let door: any AppDoor
    /// What runs here; nil if another process runs the apps.
    let platform: AppPlatform?
    private let server: AppDoorServer?
    private let guests: GuestDoor?

    private init(
        door: any AppDoor, platform: AppPlatform? = nil, server: AppDoorServer? = nil, guests: GuestDoor? = nil
    ) {
        self.door = door
        self.platform = platform
        self.server = server
        self.guests = guests
    }

    /// The stage that another process has, if one has.
    static func elsewhere(_ library: AppLibrary) -> AppStage? {
        RemoteAppDoor(path: socket(library)).map { AppStage(door: $0) }
    }

    static func open(_ arguments: Arguments, _ library: AppLibrary) throws -> AppStage {
        if let other = elsewhere(library) { return other }
        var settings = AppPlatform.Settings()
        if let file = arguments["tls-ca"] { settings.trust = .authorities(path: file) }
        let platform = AppPlatform(library: library, wall: try wall(arguments), settings: settings)
        let guests = GuestDoor(platform)
        do {
            let server = try AppDoorServer(path: socket(library), to: guests)
            return AppStage(door: platform, platform: platform, server: server, guests: guests)
        } catch {
            // Another process was faster.
            if let other = elsewhere(library) { return other }
            throw CommandFailure(error)
        }
    }

    private static func socket(_ library: AppLibrary) -> String { library.path + "/door" }

    static func wall(_ arguments: Arguments) throws -> any ComponentWall {
        let wall: any ComponentWall
        do {
            wall = arguments.has("in-process") ? InProcessWall() : try ConfinedWall()
        } catch {
            throw CommandFailure("\(error)", .unavailable)
        }
        return try arguments["record"].map { try recording(wall, in: $0) } ?? wall
    }

    /// A file for each component that runs: `1-commands.mjs.run`.
    private static func recording(_ wall: any ComponentWall, in folder: String) throws -> any ComponentWall {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("cannot make \(folder): \(error.localizedDescription)", .cannotCreate)
        }
        let count = RunCount(in: folder)
        return RecordingWall(around: wall) { launch in
            let name = launch.source.split(separator: "/").joined(separator: "-")
            return "\(folder)/\(count.next())-\(name).run"
        }
    }

    /// Whether other processes still wait for something that runs here.
    var hasGuests: Bool { get async { await guests?.hasGuests ?? false } }

    func close() async {
        await server?.stop()
        await platform?.close()
    }
}

/// Numbers the recordings in a folder, after those that are there.
private final class RunCount: Sendable {
    private let last: Mutex<Int>

    init(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        last = Mutex(names.compactMap { Int($0.prefix { $0 != "-" }) }.max() ?? 0)
    }

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// Lets other processes of the person in, and knows whether they still wait for something.
private actor GuestDoor: AppDoor {
    private let platform: AppPlatform
    /// What they started and has not ended.
    private var instances: Set<UInt64> = []

    init(_ platform: AppPlatform) { self.platform = platform }

    func ask(_ request: DoorRequest) async throws(AppFailure) -> DoorReply {
        let reply = try await platform.ask(request)
        if case .started(let instance) = reply { instances.insert(instance) }
        return reply
    }

    var hasGuests: Bool {
        get async {
            let running = Set(await platform.running.map(\.id))
            instances.formIntersection(running)
            return !instances.isEmpty
        }
    }
}
