import AppCore
import Apps
import ComponentRuntime
import Components
import Foundation
import HostFunctions
import Synchronization

@testable import Host

/// A host for apps, whose components run in this process unless a test says otherwise, with a profile that goes when the test is
/// over.
final class AppsFixture {
    let profile: String
    let browser = Browser()
    private(set) var host: AppHost

    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Apps").standardizedFileURL.path

    /// What was opened outside.
    final class Browser: Sendable {
        let opened = Mutex<[String]>([])
    }

    /// Notes what should be woken, and wakes nothing.
    struct Alarms: WakeScheduler {
        let folder: String
        var availability: Apps.BackgroundStrategy.Availability { .available }

        func schedule(app: String, every period: Duration) async throws(AppFailure) {
            _ = FileManager.default.createFile(atPath: folder + "/alarm-" + app, contents: nil)
        }

        func isScheduled(app: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/alarm-" + app) }

        func cancel(app: String) async throws(AppFailure) {
            try? FileManager.default.removeItem(atPath: folder + "/alarm-" + app)
        }
    }

    init(_ change: (inout AppsConfiguration) -> Void = { _ in }) async throws {
        profile = FileManager.default.temporaryDirectory.appendingPathComponent("apps-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        host = try Self.host(profile, browser, change)
        try await begin()
    }

    deinit { try? FileManager.default.removeItem(atPath: profile) }

    private static func host(
        _ profile: String, _ browser: Browser, _ change: (inout AppsConfiguration) -> Void = { _ in }
    ) throws -> AppHost {
        var apps = AppsConfiguration(profile: profile)
        apps.sandbox = { () throws(ComponentError) in InProcessSandbox() }
        apps.settings.restarts.first = .milliseconds(20)
        apps.scheduler = Alarms(folder: profile)
        apps.open = { url in browser.opened.withLock { $0.append(url.text) } }
        change(&apps)
        return try AppHost(HostConfiguration(profile: profile, apps: apps))
    }

    private func begin() async throws {
        await host.start()
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.apps(.openApps))
        try await expect("the list") { $0.apps.isListed ? true : nil }
    }

    func restart() async throws {
        await host.stop()
        host = try Self.host(profile, browser)
        try await begin()
    }

    /// Waits for a state that shows what is looked for.
    @discardableResult
    func expect<Value: Sendable>(
        _ what: String, _ look: @escaping @Sendable (AppState) -> Value?
    ) async throws -> Value {
        if let found = await host.wait(upTo: .seconds(60), for: look) { return found }
        let seen = await host.read { "\($0.apps.components) \($0.apps.logs) \($0.notices)" }
        throw TwoHosts.Timeout(description: "waited in vain for \(what): \(seen)")
    }

    func dispatch(_ action: AppsAction) async { await host.dispatch(.apps(action)) }

    /// Installs an app, and grants all that it asks for.
    @discardableResult
    func install(_ source: String) async throws -> AppID {
        await dispatch(.installApp(source: source))
        let pack = try await expect("the question") { state in
            state.apps.installation.flatMap { $0.step == .asking ? $0.pack : nil }
        }
        await dispatch(.answerInstall(grants: pack.requests.map(\.capability)))
        try await expect("the app") { $0.apps[pack.app] != nil && $0.apps.installation == nil ? true : nil }
        return pack.app
    }

    /// Writes an app with one component that starts with the system, and installs it.
    func install(service script: String) async throws -> AppID {
        let folder = profile + "/service"
        try FileManager.default.createDirectory(atPath: folder + "/app", withIntermediateDirectories: true)
        let manifest = """
            {"appDomain": "service.example", "version": "1.0.0", "name": "Service", "description": "", "components":
             {"/service.mjs": {"runtime": "deno", "capsRequested": {"logToPlatform": true}}},
             "launchOnSystemStartup": [{"name": "S", "icon": "", "component": "/service.mjs"}]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/app/service.mjs"))
        return try await install(folder)
    }

    /// Writes an app with one command, `go`, and installs it.
    func install(command script: String, asking requests: String) async throws -> AppID {
        let folder = profile + "/command"
        try FileManager.default.createDirectory(atPath: folder + "/app", withIntermediateDirectories: true)
        let manifest = """
            {"appDomain": "command.example", "version": "1.0.0", "name": "Command", "description": "", "components":
             {"/main.mjs": {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": \(requests)}}}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/manifest.json"))
        try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/app/main.mjs"))
        return try await install(folder)
    }

    func run(_ app: AppID, _ command: String, _ words: String...) async {
        await dispatch(.runApp(app: app, component: nil, command: command, parameters: words))
    }

    func untilSaid(_ app: AppID, _ text: String) async throws {
        try await expect("'\(text)'") { $0.apps.log(of: app).lines.contains { $0.text == text } ? true : nil }
    }
}
