import ComponentStorage
import Components
import StorageClient
import Testing

@testable import Apps

@Suite("What stopping an app ends") struct StoppingTests {
    /// The count for a quota, for example, which may take long: see `EndedCountTests`.
    @Test("what an app asked of its files ends when the app is stopped, and not before")
    func files() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "multiInstances": true, "startCmds": {"go": {}},
                 "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const files = await w3n.storage.getAppLocalFS();
                await files.writeTxtFile('file', 'x');
                await w3n.log('info', 'ready');
                await new Promise(() => {});
                """
            ])
        let platform = apps.platform()
        func start() async throws -> UInt64 {
            let instance = try await platform.run(app, command: StartCommand("go"))
            guard case .printed = try await platform.ask(.follow(instance: instance.id, from: 0)) else { return 0 }
            return instance.id
        }
        let (one, _) = (try await start(), try await start())
        let root = try #require(await platform.storages[app]?.values.first?.root)
        let (host, end) = ConnectedEnds.make()
        defer { host.close() }
        let folder = try FolderClient(root.serve(writable: true, on: host), on: end)
        // Another one still uses the files.
        _ = try await platform.ask(.stop(app: app.name, instance: one))
        #expect(try await folder.names() == ["file"])
        _ = try await platform.ask(.stop(app: app.name))
        let closed = await #expect(throws: RuntimeException.self) { try await folder.names() }
        #expect(closed?.has("storageClosed") == true)
        // The next start opens them anew.
        _ = try await start()
        #expect(await platform.storages[app]?.isEmpty == false)
        await platform.close()
    }
}
