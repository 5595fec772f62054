public import AppPacks
public import Components

/// Where the apps of a library run: in this process if nobody else runs them, else in the process that does.
public final class AppStage: Sendable {
    /// The door to ask at.
    public let door: any AppDoor
    /// What runs here; nil if another process runs the apps.
    public let platform: AppPlatform?
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
    public static func elsewhere(_ library: AppLibrary) -> AppStage? {
        RemoteAppDoor(path: socket(library)).map { AppStage(door: $0) }
    }

    /// Returns when the other process has ended that has this stage, or the task is cancelled. For one task at a time.
    public func untilGone() async { await (door as? RemoteAppDoor)?.untilGone() }

    /// - Parameter wall: makes what components run behind here. If it cannot be made, starting one fails with its reason, and
    ///   all that needs no wall works.
    /// - Throws: ``AppFailure`` if other processes cannot be let in.
    public static func open(
        _ library: AppLibrary, settings: AppPlatform.Settings = .init(),
        wall: () throws(ComponentError) -> any ComponentWall
    ) throws(AppFailure) -> AppStage {
        if let other = elsewhere(library) { return other }
        let platform = AppPlatform(library: library, wall: wallOrReason(wall), settings: settings)
        let guests = GuestDoor(platform)
        do {
            let server = try AppDoorServer(path: socket(library), to: guests)
            return AppStage(door: platform, platform: platform, server: server, guests: guests)
        } catch {
            // Another process was faster.
            if let other = elsewhere(library) { return other }
            throw error
        }
    }

    private static func wallOrReason(_ wall: () throws(ComponentError) -> any ComponentWall) -> any ComponentWall {
        do throws(ComponentError) { return try wall() } catch { return MissingWall(reason: error) }
    }

    private static func socket(_ library: AppLibrary) -> String { library.path + "/door" }

    /// Whether other processes still wait for something that runs here.
    public var hasGuests: Bool { get async { await guests?.hasGuests ?? false } }

    /// Ends what runs here, and lets nobody in any more.
    public func close() async {
        // In this order, so that who follows something hears of its end.
        await platform?.close()
        await server?.stop()
    }
}

/// What stands where no wall can be built: nothing starts.
private struct MissingWall: ComponentWall {
    let reason: ComponentError

    func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        throw reason
    }
}

/// Lets other processes of the person in, and knows whether they still wait for something.
private actor GuestDoor: AppDoor {
    /// How long an instance that has ended waits for those who read its last words.
    private static let lastWords: Duration = .seconds(2)

    private let platform: AppPlatform
    /// What they started, once for each of them, until they know of its end.
    private var followed: [UInt64] = []
    /// How many wait for a start.
    private var starting = 0
    private var lastAnswer = ContinuousClock.now

    init(_ platform: AppPlatform) { self.platform = platform }

    func ask(_ request: DoorRequest) async throws(AppFailure) -> DoorReply {
        defer { lastAnswer = .now }
        switch request {
        case .run:
            starting += 1
            defer { starting -= 1 }
            let reply = try await platform.ask(request)
            if case .started(let instance, _) = reply { followed.append(instance) }
            return reply
        case .follow(let instance, _):
            let reply = try await platform.ask(request)
            if case .printed(_, _, .some) = reply, let index = followed.firstIndex(of: instance) {
                followed.remove(at: index)
            }
            return reply
        default: return try await platform.ask(request)
        }
    }

    var hasGuests: Bool {
        get async {
            let running = Set(await platform.running.map(\.id))
            if ContinuousClock.now - lastAnswer > Self.lastWords { followed.removeAll { !running.contains($0) } }
            return starting > 0 || !followed.isEmpty
        }
    }
}
