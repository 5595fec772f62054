import AppPacks
import Apps
import Components
import Foundation
import Testing

/// Apps that replace themselves and others, or remove what others keep.
@Suite("Apps that replace apps")
struct ReplacingTests {
    private static let go = ["/main.mjs": InstallerTests.installer]

    @Test("an update of itself is put in place when the platform ends, and not if the grant was taken back")
    func replacingItselfAtTheEnd() async throws {
        let script = """
            const manifest = { appDomain: 'one.example', version: '2.0.0', name: 'One', components: { '/main.mjs': {
              runtime: 'deno', startCmds: { go: {} }, capsRequested: { logToPlatform: true } } } };
            await fs.writeJSONFile('pack/manifest.json', manifest);
            await fs.writeTxtFile('pack/main.mjs', '');
            await add('addAppPackFromFolder', await fs.readonlySubRoot('pack'));
            await say(await installer.installApp('one.example', '2.0.0'));
            await new Promise(() => {});
            """
        for isTakenBack in [false, true] {
            let apps = try TestApps()
            defer { apps.remove() }
            let app = try apps.install(
                components: Self.go, scripts: ["main.mjs": "\(InstallerTests.tools)\n\(script)"])
            let platform = apps.platform()
            let instance = try await platform.run(app, command: StartCommand("go"))
            _ = try await platform.ask(.follow(instance: instance.id, from: 0))
            #expect(try apps.library.app(app).version.text == "1.0.0")
            if isTakenBack { try await platform.setGrant(.systemApps, to: false, of: app) }
            await platform.close()
            #expect(try apps.library.app(app).version.text == (isTakenBack ? "1.0.0" : "2.0.0"))
            #expect(try apps.library.waitingPacks().isEmpty != isTakenBack)
        }
    }

    @Test("an app does not put its code in the place of one that the person installed, also not by removing it first")
    func replacingOthers() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let two = try apps.install(
            "two.example", components: Self.go, scripts: ["main.mjs": "w3n.closeSelf();"])
        _ = try apps.library.dataFolder(of: two)
        let app = try apps.install(
            components: Self.go,
            scripts: [
                "main.mjs": """
                \(InstallerTests.tools)
                await add('addAppPackFromFolder', await write('9.0.0', ''));
                await attempt(() => installer.installApp('two.example', '9.0.0'));
                await installer.uninstallApp('two.example');
                await attempt(() => installer.installApp('two.example', '9.0.0'));
                w3n.closeSelf();
                """
            ])
        let platform = apps.platform()
        #expect(try await platform.said(app, "go") == ["app-init notAllowed", "app-init notAllowed"])
        #expect(throws: AppPackError.self) { try apps.library.app(two) }
        await platform.close()
    }

    @Test("removed files are gone for whoever runs next, and what it writes then stays")
    func removingData() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let two = try apps.install(
            "two.example", components: Self.go,
            scripts: [
                "main.mjs": """
                const fs = await w3n.storage.getAppLocalFS();
                await w3n.log('info', (await fs.listFolder('')).map(({ name }) => name).join());
                await fs.writeTxtFile('kept', 'x');
                w3n.closeSelf();
                """
            ])
        let app = try apps.install(
            components: Self.go,
            scripts: [
                "main.mjs": "\(InstallerTests.tools)\nawait installer.removeAppData('two.example'); w3n.closeSelf();"
            ])
        let platform = apps.platform()
        #expect(try await platform.said(two, "go") == [""])
        #expect(try await platform.said(app, "go") == [])
        #expect(try await platform.said(two, "go") == [""])
        #expect(try await platform.said(two, "go") == ["kept"])
        #expect(FileManager.default.fileExists(atPath: try apps.library.dataFolder(of: two) + "/kept"))
        await platform.close()
    }
}
