import AppPacks
import Apps
import Components
import Foundation
import Testing

/// `w3n.system.apps`: an app that installs others.
@Suite("Apps that install apps")
struct InstallerTests {
    static let installer = """
        {"runtime": "deno", "multiInstances": true, "startCmds": {"go": {}},
         "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}, "system": {"apps": ["installer", "opener"]}}}
        """

    /// What each script may use.
    static let tools = """
        const { opener, installer } = w3n.system.apps;
        const fs = await w3n.storage.getAppLocalFS();
        const say = (value) => w3n.log('info', typeof value === 'string' ? value : JSON.stringify(value));
        const write = async (version, code, requests = { logToPlatform: true }) => {
          const manifest = { appDomain: 'two.example', version, name: 'Two', components: { '/main.mjs': {
            runtime: 'deno', startCmds: { go: {} }, capsRequested: requests } } };
          await fs.writeJSONFile('pack/manifest.json', manifest);
          await fs.writeTxtFile('pack/main.mjs', code);
          return fs.readonlySubRoot('pack');
        };
        const add = (name, item) => new Promise((complete, error) => {
          const events = [];
          installer[name](item, { next: (event) => events.push(event), complete: () => complete(events), error });
        });
        const attempt = async (work) => { try { await say(await work() ?? 'nothing'); } catch ({ type, message, ...flags }) {
          await say([type, ...Object.keys(flags).filter((name) => flags[name] === true && name !== 'runtimeException')].join(' ')); } };
        """

    private struct Fixture {
        let apps: TestApps
        let platform: AppPlatform
        let app: AppDomain
        let said: [String]
    }

    private func run<Value>(
        _ script: String, granting: Set<Capability>? = nil, _ look: (Fixture) async throws -> Value
    ) async throws -> Value {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": Self.installer],
            scripts: ["main.mjs": "\(Self.tools)\n\(script)\nw3n.closeSelf();"], granting: granting)
        let platform = apps.platform()
        let said = try await platform.said(app, "go")
        let value = try await look(Fixture(apps: apps, platform: platform, app: app, said: said))
        await platform.close()
        return value
    }

    private static let two = AppDomain("two.example")

    @Test("a pack with a script that is none is not installed")
    func brokenScripts() async throws {
        try await run(
            """
            await add('addAppPackFromFolder', await write('1.0.0', 'const x = ;'));
            await attempt(() => installer.installApp('two.example', '1.0.0'));
            """
        ) { fixture in
            #expect(fixture.said == ["app-init errAtInstall"])
            let installed = try fixture.apps.library.list().apps.map(\.domain)
            #expect(installed == [fixture.app])
        }
    }

    @Test("a pack in a folder is added, waits, is installed, and has no grants")
    func aFolderIsInstalled() async throws {
        try await run(
            """
            const events = await add('addAppPackFromFolder', await write('1.0.0', "await w3n.log('info', 'two'); w3n.closeSelf();"));
            await say(events.at(-1));
            await say(await installer.listAllAppsPacks());
            await say((await opener.listCurrentApps()).map(({ id }) => id));
            await say(await installer.installApp('two.example', '1.0.0'));
            await say(await installer.listAppPacks('two.example'));
            await say((await installer.getAppManifest('two.example', '1.0.0')).name);
            await say(new TextDecoder().decode(await opener.getAppFileBytesOfCurrent('two.example', 'main.mjs')).slice(0, 9));
            """
        ) { fixture in
            #expect(
                fixture.said == [
                    #"{"numOfFiles":1,"numOfProcessed":1,"fileInProgress":"/main.mjs","id":"two.example","version":"1.0.0"}"#,
                    #"[{"id":"one.example","versions":["1.0.0"]},{"id":"two.example","versions":["1.0.0"]}]"#,
                    #"["one.example"]"#, "all-done", #"["1.0.0"]"#, "Two", "await w3n",
                ])
            let two = try #require(Self.two)
            #expect(try fixture.apps.library.grants(of: two) == Grants())
            #expect(try fixture.apps.library.waitingPacks().isEmpty)
            // It runs, and what it asks for stays denied until the person grants it.
            #expect(try await !fixture.platform.said(two, "go").contains("two"))
            try await fixture.platform.setGrant(.log, to: true, of: two)
            #expect(try await fixture.platform.said(two, "go") == ["two"])
        }
    }

    @Test("who watches hears what is installed, what is removed, and what no longer waits")
    func watching() async throws {
        try await run(
            """
            let heard = () => {};
            const next = () => new Promise((resolve) => { heard = resolve; });
            installer.watchApps({ next: (event) => heard(event) });
            for (const version of ['1.0.0', '1.1.0']) await add('addAppPackFromFolder', await write(version, ''));
            const steps = [
              () => installer.installApp('two.example', '1.0.0'),
              () => installer.removeAppPack('two.example', '1.1.0'),
              () => installer.uninstallApp('two.example'),
            ];
            for (const step of steps) {
              const event = next();
              await step();
              await say(await event);
            }
            """
        ) { fixture in
            #expect(
                fixture.said == [
                    #"{"type":"installed","id":"two.example","version":"1.0.0"}"#,
                    #"{"type":"pack-removed","id":"two.example","version":"1.1.0"}"#,
                    #"{"type":"uninstalled","id":"two.example","version":"1.0.0"}"#,
                ])
        }
    }

    @Test("an update keeps what the person granted, and gets nothing of what it asks for beyond")
    func anUpdateGainsNothing() async throws {
        try await run(
            """
            await add('addAppPackFromFolder', await write('1.0.0', ''));
            await installer.installApp('two.example', '1.0.0');
            """
        ) { fixture in
            let two = try #require(Self.two)
            try await fixture.platform.setGrant(.log, to: true, of: two)
            let again = try fixture.apps.install(
                components: ["/main.mjs": Self.installer],
                scripts: [
                    "main.mjs": """
                    \(Self.tools)
                    await add('addAppPackFromFolder', await write('1.1.0', '', { logToPlatform: true, storage: { appFS: 'default' } }));
                    await installer.installApp('two.example', '1.1.0');
                    await add('addAppPackFromFolder', await write('1.0.9', ''));
                    await attempt(() => installer.installApp('two.example', '1.0.9'));
                    w3n.closeSelf();
                    """
                ])
            #expect(try await fixture.platform.said(again, "go") == ["app-init errAtInstall"])
            #expect(try fixture.apps.library.app(two).version.text == "1.1.0")
            let grants = try fixture.apps.library.grants(of: two)
            #expect(grants == Grants([Permission(.log)]))
        }
    }

    @Test("what is not there, not a pack, or in use is refused")
    func refusals() async throws {
        try await run(
            """
            await attempt(() => installer.installApp('two.example', '1.0.0'));
            await attempt(() => installer.removeAppPack('two.example', '1.0.0'));
            await attempt(() => installer.removeAppPack('one.example', '1.0.0'));
            await attempt(() => installer.installApp('one.example', '1.0.0'));
            await attempt(() => installer.listAppPacks('two.example'));
            await attempt(() => installer.getAppManifest('two.example', '1.0.0'));
            await attempt(() => installer.getAppFileBytes('one.example', '../grants.json', '1.0.0'));
            await attempt(() => installer.getAppFileBytes('one.example', '/none', '1.0.0'));
            await fs.writeTxtFile('pack/main.mjs', '');
            await attempt(async () => add('addAppPackFromFolder', await fs.readonlySubRoot('pack')));
            await attempt(async () => add('addAppPackFromZipFile', await fs.readonlyFile('pack/main.mjs')));
            await write('1.0.0', '');
            await fs.link('pack/link', await fs.readonlyFile('pack/main.mjs'));
            await attempt(async () => add('addAppPackFromFolder', await fs.readonlySubRoot('pack')));
            await fs.deleteLink('pack/link');
            await attempt(async () => (await add('addAppPackFromFolder', await fs.readonlySubRoot('pack'))).length > 0);
            await attempt(() => installer.removeAppPack('two.example', '1.0.0'));
            await attempt(() => installer.listAllAppsPacks());
            """
        ) { fixture in
            #expect(
                fixture.said == [
                    "app-init notFound", "app-init notFound", "app-init errAtPackRemoval", "all-done", "nothing",
                    "nothing",
                    "app-init notFound", "app-init failed", "app-init badAppPack", "app-init badAppPack",
                    "app-init badAppPack", "true", "nothing", #"[{"id":"one.example","versions":["1.0.0"]}]"#,
                ])
            let left = try FileManager.default.contentsOfDirectory(atPath: fixture.apps.library.path + "/partial")
            #expect(left.isEmpty)
        }
    }

    @Test("a pack that is too large, or is not the app's to pass, leaves nothing")
    func whatIsTooMuch() async throws {
        try await run(
            """
            const pack = await write('1.0.0', '');
            const sink = await fs.getByteSink('pack/large');
            await sink.truncate(600 * 2 ** 20);
            await sink.done();
            await attempt(async () => add('addAppPackFromFolder', pack));
            await attempt(async () => add('addAppPackFromZipFile', await fs.readonlyFile('pack/large')));
            await attempt(async () => add('addAppPackFromFolder', await fs.readonlyFile('pack/main.mjs')));
            await attempt(async () => add('addAppPackFromFolder', { type: 'local' }));
            await pack.close();
            await attempt(async () => add('addAppPackFromFolder', pack));
            """
        ) { fixture in
            let left = try FileManager.default.contentsOfDirectory(atPath: fixture.apps.library.path + "/partial")
            #expect(
                fixture.said == [
                    "file quotaExceeded", "file quotaExceeded", "ipc objectNotFound", "ipc invalidBody",
                    "file storageClosed",
                ])
            #expect(left.isEmpty)
        }
    }

    @Test("an app that puts a newer version in its own place goes on, and the newer one runs next")
    func replacingItself() async throws {
        try await run(
            """
            const manifest = { appDomain: 'one.example', version: '2.0.0', name: 'One', components: { '/main.mjs': {
              runtime: 'deno', startCmds: { go: {} }, capsRequested: { logToPlatform: true } } } };
            await fs.writeJSONFile('pack/manifest.json', manifest);
            await fs.writeTxtFile('pack/main.mjs', "await w3n.log('info', 'newer'); w3n.closeSelf();");
            await add('addAppPackFromFolder', await fs.readonlySubRoot('pack'));
            await say('added');
            await say(await installer.installApp('one.example', '2.0.0'));
            await say((await installer.listAppPacks('one.example')).join());
            """
        ) { fixture in
            #expect(fixture.said == ["added", "need-restart", "1.0.0,2.0.0"])
            // Whoever starts it now waits for the other version.
            let newer = try await fixture.platform.said(fixture.app, "go")
            #expect(newer == ["newer"])
        }
    }

    @Test("without the grant nothing is added")
    func denied() async throws {
        try await run(
            "await attempt(async () => add('addAppPackFromFolder', await write('1.0.0', '')));",
            granting: [.log, .ownFiles]
        ) { fixture in
            let packs = try fixture.apps.library.waitingPacks()
            #expect(fixture.said == ["capability notGranted"])
            #expect(packs.isEmpty)
        }
    }
}
