import AppPacks
import Apps
import ComponentStorage
import Components
import Foundation
import Testing

/// What apps keep and lend: whose it is, how long it is lent, and what it counts against.
@Suite("Files of apps, and what is lent of them")
struct LendingTests {
    private static let owner = """
        {"runtime": "deno", "multiInstances": true, "startCmds": {"go": {}},
         "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}}}
        """
    private static let shared = #"""
        , "exposedFSResources": {
          "first": {"allow": {"otherApps": ["two.example"]}, "appStorage": "local", "path": "/first", "itemType": "folder"},
          "second": {"allow": {"otherApps": ["two.example"]}, "appStorage": "local", "path": "/second", "itemType": "folder"}
        }
        """#
    private static let borrower = """
        {"runtime": "deno", "multiInstances": true, "startCmds": {"go": {}},
         "capsRequested": {"logToPlatform": true, "shell": {"fsResource": {"otherApps": {"one.example": ["first", "second"]}}}}}
        """
    /// Says what becomes of what it was lent, until nothing more comes.
    private static let reading = """
        const fs = await w3n.shell.getFSResource('one.example', 'first');
        await fs.writeTxtFile('a', '1');
        await w3n.log('info', 'ready');
        for (;;) {
          try { await fs.readTxtFile('a'); await new Promise((done) => setTimeout(done, 5)); } catch (error) {
            // The files may go before it is told.
            if (error.notFound) { await new Promise((done) => setTimeout(done, 5)); continue; }
            await w3n.log('info', `closed: ${error.storageClosed === true}`);
            break;
          }
        }
        try { await w3n.shell.getFSResource('one.example', 'first'); await w3n.log('info', 'lent again'); } catch (error) {
          await w3n.log('info', Object.keys(error).filter((name) => error[name] === true && name !== 'runtimeException').join());
        }
        w3n.closeSelf();
        """

    private func untilSaid(_ text: String, by instance: UInt64, _ platform: AppPlatform) async throws {
        var next = 0
        while case .printed(let lines, let following, nil) = try await platform.ask(
            .follow(instance: instance, from: next)), !lines.contains(where: { $0.text == text })
        {
            next = following
        }
    }

    enum End: CaseIterable {
        case permission, update, removal, data
    }

    @Test("what an app was lent ends with its owner's permission, update and removal", arguments: End.allCases)
    func theEndOfALoan(end: End) async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let one = try apps.install(
            components: ["/main.mjs": Self.owner], scripts: ["main.mjs": ""], more: Self.shared)
        let two = try apps.install(
            "two.example", components: ["/main.mjs": Self.borrower], scripts: ["main.mjs": Self.reading])
        let platform = apps.platform()
        let instance = try await platform.run(two, command: StartCommand("go"))
        try await untilSaid("ready", by: instance.id, platform)
        switch end {
        case .permission: try await platform.setGrant(.ownFiles, to: false, of: one)
        case .update: _ = try await platform.ask(.packsChanged(app: one.name, because: .update))
        case .removal: try await platform.remove(one, keepingData: true)
        case .data:
            // As another process removes it.
            try apps.library.remove(one, keepingData: false)
            _ = try? await platform.ask(.grantsChanged(app: one.name))
        }
        let lines = try await platform.transcript(of: instance.id).lines.map(\.text)
        let again = [End.permission: "notAllowed", .update: "lent again", .removal: "notFound", .data: "notFound"][end]
        #expect(lines == ["ready", "closed: true", again])
        await platform.close()
    }

    @Test("all that is written into the files of an app counts once, whoever writes it and into which folder")
    func oneQuota() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let one = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": [
                  {"domain": "one.example", "storage": "local"}, {"domain": "below.one.example", "storage": "local"}]}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const bytes = new Uint8Array(40_000);
                for (const name of [undefined, 'example.one.below']) {
                  const fs = await w3n.storage.getAppLocalFS(name);
                  try { await fs.writeBytes('mine', bytes); await w3n.log('info', 'written'); } catch (error) {
                    await w3n.log('info', `exceeded ${error.quotaExceeded}`);
                  }
                }
                w3n.closeSelf();
                """
            ], more: Self.shared)
        let two = try apps.install(
            "two.example", components: ["/main.mjs": Self.borrower],
            scripts: [
                "main.mjs": """
                const bytes = new Uint8Array(40_000);
                // Both are open before either is written to.
                const lent = [await w3n.shell.getFSResource('one.example', 'first'), await w3n.shell.getFSResource('one.example', 'second')];
                for (const fs of lent) await fs.listFolder('');
                for (const fs of lent) {
                  try { await fs.writeBytes('a', bytes); await w3n.log('info', 'written'); } catch (error) {
                    await w3n.log('info', `exceeded ${error.quotaExceeded}`);
                  }
                }
                w3n.closeSelf();
                """
            ])
        let platform = apps.platform {
            $0.storage.quota = 135_000
            // Something is removed behind its back.
            $0.storage.recountPause = .zero
        }
        #expect(try await platform.said(two, "go") == ["written", "written"])
        #expect(try await platform.said(one, "go") == ["exceeded true", "exceeded true"])
        try FileManager.default.removeItem(atPath: apps.library.dataFolder(of: one) + "/first/a")
        #expect(try await platform.said(one, "go") == ["written", "exceeded true"])
        await platform.close()
    }

    @Test("an app does not get the files of an app whose domain lies below its own")
    func domainsBelow() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let below = try apps.install(
            "below.one.example", components: ["/main.mjs": Self.owner],
            scripts: [
                "main.mjs": """
                const fs = await w3n.storage.getAppLocalFS();
                if (await fs.checkFilePresence('secret')) await w3n.log('info', await fs.readTxtFile('secret'));
                await fs.writeTxtFile('secret', 'of the app below');
                w3n.closeSelf();
                """
            ])
        let one = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": [
                  {"domain": "below.one.example", "storage": "local"}]}}}
                """
            ],
            scripts: [
                "main.mjs": """
                const fs = await w3n.storage.getAppLocalFS('example.one.below');
                await w3n.log('info', (await fs.listFolder('')).map(({ name }) => name).join());
                await fs.writeTxtFile('secret', 'of the app above');
                w3n.closeSelf();
                """
            ])
        let platform = apps.platform()
        #expect(try await platform.said(below, "go") == [])
        #expect(try await platform.said(one, "go") == [""])
        #expect(try await platform.said(below, "go") == ["of the app below"])
        #expect(try await platform.said(one, "go") == ["secret"])
        // Also not when that app was removed, and its files were kept.
        try await platform.remove(below, keepingData: true)
        #expect(try await platform.said(one, "go") == ["secret"])
        await platform.close()
    }

    @Test("copies that wait when a permission is taken back are not made")
    func queuedCopies() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": Self.owner],
            scripts: [
                "main.mjs": """
                const fs = await w3n.storage.getAppLocalFS();
                await fs.writeBytes('large', new Uint8Array(8 * 2 ** 20));
                const copies = Array.from({ length: 150 }, (_, number) => fs.copyFile('large', `copy${number}`));
                await copies[0];
                await w3n.log('info', 'begun');
                const outcomes = await Promise.allSettled(copies);
                await w3n.log('info', String(outcomes.filter(({ status, reason }) => status === 'fulfilled' || reason.storageClosed === true).length));
                w3n.closeSelf();
                """
            ])
        let platform = apps.platform { $0.storage.quota = nil }
        let instance = try await platform.run(app, command: StartCommand("go"))
        try await untilSaid("begun", by: instance.id, platform)
        try await platform.setGrant(.ownFiles, to: false, of: app)
        let data = try apps.library.dataFolder(of: app)
        let made = try FileManager.default.contentsOfDirectory(atPath: data).count
        try await untilSaid("150", by: instance.id, platform)
        #expect(try await platform.transcript(of: instance.id).lines.last?.text == "150")
        // One may have been about to get its name.
        #expect(try FileManager.default.contentsOfDirectory(atPath: data).count <= made + 1)
        await platform.close()
    }
}
