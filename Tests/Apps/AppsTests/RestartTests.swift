import AppPacks
import Apps
import ComponentRuntime
import Components
import Synchronization
import Testing

@Suite("Starting again what crashed")
struct RestartTests {
    @Test("a startup component that crashes is started again, and left alone after too many crashes")
    func crashesAndRestarts() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try crashing(apps)
        let platform = apps.platform(Self.impatient)
        #expect(
            try await states(of: app, on: platform)
                == ["running", "waiting 1", "running", "waiting 2", "running", "ended"])
        await platform.close()
    }

    @Test("a start that fails is one of the attempts")
    func failedStarts() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try crashing(apps)
        let platform = apps.platform(sandbox: OneStartSandbox(), Self.impatient)
        #expect(try await states(of: app, on: platform) == ["running", "waiting 1", "waiting 2", "ended"])
        await platform.close()
    }

    private func crashing(_ apps: TestApps) throws -> AppDomain {
        try apps.install(
            components: ["/service.mjs": #"{"runtime": "deno", "capsRequested": {"logToPlatform": true}}"#],
            scripts: [
                "service.mjs":
                    "await w3n.log('info', 'up'); const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1));"
            ],
            more: #", "launchOnSystemStartup": [{"name": "S", "icon": "", "component": "/service.mjs"}]"#)
    }

    private static func impatient(_ settings: inout AppPlatform.Settings) {
        settings.restarts.attempts = 3
        settings.limits.memory = 64 << 20
        settings.limits.turn = .seconds(2)
    }

    /// What becomes of a startup component, up to its last end.
    private func states(of app: AppDomain, on platform: AppPlatform) async throws -> [String] {
        let reports = platform.reports()
        await platform.startup([app])
        var states: [String] = []
        for await case .changed(let instance, let reason) in reports {
            switch instance.state {
            case .running: states.append("running")
            case .waiting(let crashes): states.append("waiting \(crashes)")
            // Without a reason, it is one that was started again.
            case .ended: if reason != nil { states.append("ended") }
            case .starting, .stopping: break
            }
            if states.last == "ended" { break }
        }
        return states
    }
}

/// Starts something once, and never again.
private final class OneStartSandbox: ComponentSandbox {
    private let sandbox = InProcessSandbox()
    private let hasStarted = Atomic(false)

    func start(
        _ launch: ComponentLaunch, events: @escaping ComponentEvents
    ) async throws(ComponentError) -> any RunningComponent {
        guard !hasStarted.exchange(true, ordering: .relaxed) else { throw ComponentError(.invalidCode, "not again") }
        return try await sandbox.start(launch, events: events)
    }
}
