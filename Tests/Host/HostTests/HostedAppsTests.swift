import AppCore
import AppPacks
import Apps
import Catalogues
import ComponentRuntime
import Components
import Foundation
import Sandbox
import Synchronization
import Testing

@testable import Host

/// Apps between the core, their library, and what runs of them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedAppsTests {
    private static let checklist = AppsFixture.samples + "/checklist"
    private static let files: CapabilityName = "storage.app.local"

    @Test func `an app is installed, granted, run, denied and removed through the core`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(Self.checklist)
        let listed = try await hosts.expect("the app") { $0.apps[app] }
        #expect(listed.name == "Checklist")
        #expect(listed.bytes > 0)
        #expect(!listed.requests.contains { !$0.granted })
        #expect(listed.commands.map(\.name).contains("add"))

        await hosts.run(app, "add", "shopping", "lemons")
        try await hosts.untilSaid(app, "shopping (0 of 1)")
        // The command's component ends by itself, and the one that keeps the lists goes on.
        try await hosts.expect("the end of the command") { state in
            state.apps.components(of: app).map(\.entrypoint) == ["/lists.mjs"] ? true : nil
        }

        await hosts.dispatch(.revokeCapability(app: app, capability: Self.files))
        try await hosts.expect("the revocation") { state in
            state.apps[app]?.requests.first { $0.capability == Self.files }?.granted == false ? true : nil
        }
        await hosts.run(app, "show")
        try await hosts.expect("the denial") { state in
            state.apps.log(of: app).denials.contains { $0.capability == Self.files } ? true : nil
        }

        await hosts.dispatch(.setBackground(app: app, strategy: .periodic))
        try await hosts.expect("the alarm") { $0.apps[app]?.background == .periodic ? true : nil }
        await hosts.dispatch(.stopApp(app: app))
        try await hosts.expect("silence") { $0.apps.components.isEmpty ? true : nil }
        await hosts.dispatch(.removeApp(app: app, data: true))
        try await hosts.expect("the end") { $0.apps.list.isEmpty && $0.pendingEffects.byID.count == 1 ? true : nil }
        let library = try AppLibrary(path: hosts.profile + "/Apps")
        let data = try FileManager.default.contentsOfDirectory(atPath: library.path + "/data")
        #expect(data.isEmpty)
        #expect(!AppsFixture.Alarms(folder: hosts.profile).isScheduled(app: app.text))
        await hosts.host.stop()
    }

    @Test func `what was installed, granted and kept is there after a restart, and nothing runs`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(Self.checklist)
        await hosts.run(app, "add", "shopping", "lemons")
        try await hosts.untilSaid(app, "  1. [ ] lemons")
        await hosts.dispatch(.setBackground(app: app, strategy: .periodic))
        try await hosts.expect("the alarm") { $0.apps[app]?.background == .periodic ? true : nil }
        try await hosts.restart()
        let listed = try await hosts.expect("the app") { $0.apps[app] }
        #expect(!listed.requests.contains { !$0.granted })
        #expect(listed.background == .periodic)
        #expect(await hosts.host.read { $0.apps.components.isEmpty })
        await hosts.run(app, "show")
        try await hosts.untilSaid(app, "  1. [ ] lemons")
        await hosts.host.stop()
    }

    @Test func `a component that crashes is shown as it waits, and as it is left alone`() async throws {
        let hosts = try await AppsFixture {
            $0.settings.restarts.attempts = 2
            $0.settings.restarts.first = .seconds(3)
            $0.settings.limits.memory = 64 << 20
        }
        let app = try await hosts.install(
            service: "await w3n.log('info', 'up'); const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1));")
        await hosts.dispatch(.runApp(app: app, component: nil, command: nil, parameters: []))
        try await hosts.expect("the wait") { $0.apps.components.first?.state == .restarting ? true : nil }
        let crashed = try await hosts.expect("the crash") { state in
            state.apps.components.first { $0.state == .crashed }
        }
        #expect(crashed.reason?.isEmpty == false)
        #expect(await hosts.host.read { $0.apps.components.count } == 1)
        await hosts.host.stop()
    }

    @Test func `apps whose names look alike are told apart by their domains, and who installs one is told`()
        async throws
    {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(Self.checklist)
        let folder = hosts.profile + "/alike"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(
            #"{"appDomain": "alike.example", "version": "1.0.0", "name": "Сhеcklist", "components": {"/main.mjs": {"runtime": "deno"}}}"#
                .utf8
        ).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        try Data("1".utf8).write(to: URL(fileURLWithPath: folder + "/main.mjs"))
        await hosts.dispatch(.installApp(source: folder))
        let pack = try await hosts.expect("the question") { $0.apps.installation?.pack }
        #expect(pack.warnings == ["Its name looks like that of Checklist (\(app)), which is another app."])
        await hosts.dispatch(.answerInstall(grants: []))
        try await hosts.expect("both") { state in
            state.apps["alike.example"]?.name.hasSuffix("(alike.example)") == true
                && state.apps[app]?.name == "Checklist (\(app))" ? true : nil
        }
        await hosts.host.stop()
    }

    @Test func `what changes in the library without us is told`() async throws {
        let hosts = try await AppsFixture()
        let library = try AppLibrary(path: hosts.profile + "/Apps")
        let inspection = try library.inspect(Self.checklist)
        let app = try library.install(inspection, granting: []).domain
        try await hosts.expect("the app") { $0.apps[AppID(app.name)] }
        try library.setGrant(.log, to: true, of: app)
        try await hosts.expect("the grant") { state in
            state.apps[AppID(app.name)]?.requests.contains { $0.capability == "log" && $0.granted } == true ? true : nil
        }
        try library.remove(app, keepingData: false)
        try await hosts.expect("the end") { $0.apps.list.isEmpty ? true : nil }
        await hosts.host.stop()
    }

    @Test func `apps that another process runs are followed there, and taken over when it ends`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(Self.checklist)
        await hosts.host.stop()
        let library = try AppLibrary(path: hosts.profile + "/Apps")
        let other = try AppRuntime.open(library) { () throws(ComponentError) in InProcessSandbox() }
        #expect(other.platform != nil)

        try await hosts.restart()
        await hosts.run(app, "add", "shopping", "tea")
        try await hosts.untilSaid(app, "  1. [ ] tea")
        try await hosts.expect("what runs there") { state in
            state.apps.components(of: app).contains { $0.entrypoint == "/lists.mjs" } ? true : nil
        }
        #expect(await other.platform?.running.map(\.entrypoint).contains("/lists.mjs") == true)
        await other.close()
        try await hosts.expect("silence") { $0.apps.components.isEmpty ? true : nil }
        await hosts.run(app, "show")
        try await hosts.expect("what runs here") { state in
            state.apps.components(of: app).contains { $0.entrypoint == "/lists.mjs" } ? true : nil
        }
        await hosts.host.stop()
    }

    @Test func `a link that an app asks for opens when the person agrees`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(
            command: "await w3n.shell.openURL('https://example.org/tea'); w3n.closeSelf();",
            asking: #"{"shell": {"openURL": [{"schema": "https", "domain": "example.org"}]}}"#)
        await hosts.run(app, "go")
        let link = try await hosts.expect("the question") { $0.apps.links.first }
        #expect(link.app == app && link.url == "https://example.org/tea")
        #expect(hosts.browser.opened.withLock { $0 }.isEmpty)
        await hosts.dispatch(.openUrl(app: app, url: link.url))
        try await hosts.expect("the browser") {
            $0.apps.links.isEmpty && $0.pendingEffects.byID.count == 1 ? true : nil
        }
        #expect(hosts.browser.opened.withLock { $0 } == ["https://example.org/tea"])
        await hosts.host.stop()
    }

    @Test func `a notification of an app is a notice`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(
            command:
                "await w3n.shell.userNotifications.addNotification({ title: 'Tea', body: 'is ready' }); w3n.closeSelf();",
            asking: #"{"shell": {"userNotifications": true}}"#)
        await hosts.run(app, "go")
        try await hosts.expect("the notice") { state in
            state.notices.contains { $0.app == app && $0.sentence == "Tea: is ready" } ? true : nil
        }
        await hosts.host.stop()
    }

    @Test func `what cannot be done says why`() async throws {
        let hosts = try await AppsFixture {
            $0.sandbox = { () throws(ComponentError) in throw ComponentError(.unavailable, "no sandbox") }
        }
        await hosts.dispatch(.installApp(source: hosts.profile + "/nothing"))
        try await hosts.expect("the refusal") { $0.apps.installation == nil && !$0.notices.isEmpty ? true : nil }
        let app = try await hosts.install(Self.checklist)
        await hosts.run(app, "show")
        let wording = Failure(.sandboxUnavailable)
        try await hosts.expect("the missing sandbox") { state in
            state.pendingEffects.byID.count == 1 && state.notices.count > 1 ? true : nil
        }
        await #expect(throws: AppFailure.self) {
            _ = try await hosts.host.apps.ask(
                .run(app: app.text, component: nil, command: "show", parameters: []))
        }
        #expect(Failure(AppFailure(.noSandbox, "no sandbox")).code == wording.code)
        await hosts.dispatch(.chooseCore(bundle: hosts.profile + "/nothing.js"))
        try await hosts.expect("the core's refusal") { $0.pendingEffects.byID.count == 1 ? true : nil }
        #expect(await hosts.host.read { $0.apps.core.bundle } == nil)
        await hosts.host.stop()
    }

    @Test func `a core library that is chosen starts, is taken up by the next host, and is left again`() async throws {
        let hosts = try await AppsFixture()
        let bundle = hosts.profile + "/core.js"
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Apps/ExternalCoreTests/Core")
        let parts = try ["object-ipc.js", "device-specs.js", "core.js"].map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        try Data(parts.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: bundle))
        await hosts.dispatch(.chooseCore(bundle: bundle))
        try await hosts.expect("the core") { $0.apps.core == AppsCore(bundle: bundle, state: .signedOut) ? true : nil }
        try await hosts.restart()
        try await hosts.expect("the core") { $0.apps.core == AppsCore(bundle: bundle, state: .signedOut) ? true : nil }
        await hosts.dispatch(.chooseCore(bundle: nil))
        try await hosts.expect("the built-in core") { $0.apps.core == AppsCore(state: .signedIn) ? true : nil }
        await hosts.host.stop()
    }

    @Test func `locking ends what runs, and erasing everything leaves no app`() async throws {
        let hosts = try await AppsFixture()
        let app = try await hosts.install(Self.checklist)
        await hosts.run(app, "show")
        try await hosts.expect("what runs") { state in
            state.apps.components(of: app).contains { $0.entrypoint == "/lists.mjs" } ? true : nil
        }
        await hosts.host.endApps { await $0.close() }
        let library = try AppLibrary(path: hosts.profile + "/Apps")
        #expect(AppRuntime.elsewhere(library) == nil)
        await hosts.host.dispatch(.app(.eraseAll))
        try await hosts.expect("the end") { $0.pendingEffects.byID.isEmpty && !$0.apps.isOpen ? true : nil }
        #expect(!FileManager.default.fileExists(atPath: hosts.profile + "/Apps"))
        await hosts.host.stop()
    }

    @Test func `an app runs in a sandbox of processes`() async throws {
        let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0]).deletingLastPathComponent()
            .appending(path: "alcove-component").path
        let hosts = try await AppsFixture {
            $0.sandbox = { () throws(ComponentError) in try ProcessSandbox(program: program, keepsSpare: false) }
        }
        let app = try await hosts.install(Self.checklist)
        await hosts.run(app, "add", "shopping", "lemons")
        try await hosts.untilSaid(app, "  1. [ ] lemons")
        await hosts.host.stop()
    }
}
