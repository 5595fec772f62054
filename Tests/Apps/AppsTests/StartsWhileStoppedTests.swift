import AppPacks
import ComponentRuntime
import Components
import Synchronization
import Testing

@testable import Apps

/// What is started while an app is stopped, replaced or removed.
@Suite("Starts while an app is stopped", .timeLimit(.minutes(1))) struct StartsWhileStoppedTests {
    private static let waiting = ["main.mjs": "await new Promise(() => {});"]
    private static let go = StartCommand("go")

    @Test("who starts what is stopped before it has started hears that")
    func stoppedWhileStarting() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(components: ["/main.mjs": PlatformTests.command], scripts: Self.waiting)
        let sandbox = GatedSandbox()
        sandbox.ends.open()
        let platform = apps.platform(sandbox: sandbox)
        let (starting, stopping) = (platform.reports(), platform.reports())
        let start = Task { try await platform.run(app, command: Self.go) }
        let stop = Task {
            await Self.follow(starting, to: .starting)
            return await platform.stop(app)
        }
        await Self.follow(stopping, to: .stopping)
        sandbox.starts.open()
        let failure = await #expect(throws: AppFailure.self) { try await start.value }
        #expect(failure?.code == .cannotStart)
        #expect(await stop.value == 1)
        #expect(await platform.running.isEmpty)
        await platform.close()
    }

    @Test("an app that is being removed is not started")
    func startedWhileRemoved() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(components: ["/main.mjs": PlatformTests.command], scripts: Self.waiting)
        let sandbox = GatedSandbox()
        sandbox.starts.open()
        let platform = apps.platform(sandbox: sandbox)
        _ = try await platform.run(app, command: Self.go)
        let reports = platform.reports()
        let removal = Task { try await platform.remove(app, keepingData: false) }
        await Self.follow(reports, to: .stopping)
        let start = Task { try await platform.run(app, command: Self.go) }
        // Enough for a start that is not held back.
        try await Task.sleep(for: .milliseconds(200))
        sandbox.ends.open()
        try await removal.value
        let failure = await #expect(throws: AppFailure.self) { try await start.value }
        #expect(failure?.code == .unknownApp)
        #expect(await platform.running.isEmpty)
        await platform.close()
    }

    @Test("an update of itself is put in place also if the app ended while it was looked at")
    func endedBeforeItsUpdate() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let script = """
            const manifest = { appDomain: 'one.example', version: '2.0.0', name: 'One', components: { '/main.mjs': {
              runtime: 'deno', startCmds: { go: {} }, capsRequested: { logToPlatform: true } } } };
            await fs.writeJSONFile('pack/manifest.json', manifest);
            await fs.writeTxtFile('pack/main.mjs', '');
            await add('addAppPackFromFolder', await fs.readonlySubRoot('pack'));
            await installer.installApp('one.example', '2.0.0');
            """
        let app = try apps.install(
            components: ["/main.mjs": InstallerTests.installer],
            scripts: ["main.mjs": "\(InstallerTests.tools)\n\(script)"])
        let sandbox = GatedSandbox()
        sandbox.starts.open()
        sandbox.ends.open()
        let platform = apps.platform(sandbox: sandbox)
        _ = try await platform.run(app, command: Self.go)
        await sandbox.looked.pass()
        let reports = platform.reports()
        await platform.stop(app)
        sandbox.looks.open()
        for await case .packsChanged in reports {
            if try apps.library.app(app).version.text == "2.0.0" { break }
        }
        await platform.close()
    }

    @Test("who is connected to a service and was not told to it is not left waiting when the service lets go")
    func serviceLetsGo() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": PlatformTests.command,
                "/lists.mjs": #"{"runtime": "deno", "services": {"lists": {"thisAppComponents": ["/main.mjs"]}}}"#,
            ], scripts: Self.waiting.merging(["lists.mjs": "await new Promise(() => {});"]) { $1 })
        let platform = apps.platform()
        let caller = try await platform.run(app, command: Self.go)
        let service = try await platform.run(app, component: PackPath("/lists.mjs"))
        let pipe = try await {
            let connections = try await platform.expose("lists", by: service.id)
            defer { withExtendedLifetime(connections) {} }
            return try await platform.connect(
                caller.id, to: "lists", of: app, under: Permission(.ownServices, .named("lists", app: nil)))
        }()
        let failure = await #expect(throws: RuntimeException.self) { try await pipe.request(method: "m", nil) }
        #expect(failure?.has("connectionClosed") == true)
        await platform.close()
    }

    private static func follow(_ reports: AsyncStream<AppReport>, to state: InstanceState) async {
        for await case .changed(let instance, _) in reports where instance.state == state { return }
    }
}

/// Lets components start, scripts be looked at, and components end when a test wants it.
private final class GatedSandbox: ComponentSandbox {
    let (starts, looks, ends, looked) = (Latch(), Latch(), Latch(), Latch())
    private let sandbox = InProcessSandbox()

    func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        let isLook = launch.name.hasPrefix("a look at")
        if isLook { looked.open() }
        await (isLook ? looks : starts).pass()
        return GatedComponent(try await sandbox.start(launch, events: events), ends)
    }
}

private final class GatedComponent: RunningComponent {
    private let component: any RunningComponent
    private let ends: Latch

    init(_ component: any RunningComponent, _ ends: Latch) {
        self.component = component
        self.ends = ends
    }

    var memory: Int { component.memory }
    var backlog: Int { component.backlog }

    func send(_ message: PortMessage) { component.send(message) }

    func whenTaken(_ body: @escaping @Sendable () -> Void) { component.whenTaken(body) }

    func stop() async {
        await ends.pass()
        await component.stop()
    }
}

/// Nobody passes before it is open, and then everybody does.
final class Latch: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }
}
