import Foundation
import Testing

/// A profile, and a place for apps in the making.
final class AppFixture {
    let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("apps-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Apps").standardizedFileURL.path

    func attempt(_ words: String) async throws -> Shell {
        let name = words.split(separator: " ").prefix(1).joined()
        return try await Shell(
            "cd '\(folder)' && '\(AlcoveProcess.program)' app \(words)\(name == "new" ? "" : " --profile '\(folder)/profile'") 2>&1"
        )
    }

    /// Writes a file, with the folders on the way.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Runs one command to its end, and expects that it works.
    @discardableResult
    func run(_ words: String) async throws -> String {
        let shell = try await attempt(words)
        #expect(shell.code == 0, "\(words): \(shell.output)")
        return shell.output.trimmingCharacters(in: .newlines)
    }

    /// Installs an app with a service, whose command `go NAME` goes on until its files have one of this name.
    func withWaiter() async throws -> AppFixture {
        try write(
            """
            {"appDomain": "waiter.example", "version": "1.0.0", "name": "Waiter", "components": {"/main.mjs": {"runtime": "deno",
             "multiInstances": true, "startCmds": {"go": {}},
             "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}}},
             "/service.mjs": {"runtime": "deno", "capsRequested": {"logToPlatform": true}}},
             "launchOnSystemStartup": [{"name": "Service", "component": "/service.mjs"}]}
            """, to: "waiter/manifest.json")
        try write("await new Promise(() => {});", to: "waiter/service.mjs")
        try write(
            """
            const [name] = (await w3n.shell.getStartedCmd()).params;
            const files = await w3n.storage.getAppLocalFS();
            await w3n.log('info', `${name} waits`);
            while (!(await files.checkFilePresence(name))) await new Promise((wake) => setTimeout(wake, 20));
            await w3n.log('info', `${name} is done`);
            w3n.closeSelf();
            """, to: "waiter/main.mjs")
        try await run("install waiter --yes")
        return self
    }

    func startWaiter(_ name: String) async throws -> AlcoveProcess {
        let process = try start(["run", "waiter", "go", name])
        try await process.expect("\(name) waits")
        return process
    }

    func endWaiter(_ name: String) throws { try write("", to: "profile/Apps/data/example.waiter/\(name)") }

    /// Starts one that goes on.
    func start(_ words: [String]) throws -> AlcoveProcess {
        try AlcoveProcess(["app"] + words + ["--profile", folder + "/profile"])
    }
}
