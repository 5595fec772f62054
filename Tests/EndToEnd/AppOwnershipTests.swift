import Foundation
import Testing

/// What apps may not do to each other, as a person would see it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppOwnershipTests {
    @Test func `an app that updates itself is updated when it stops`() async throws {
        let fixture = try AppFixture()
        try fixture.write(
            """
            {"appDomain": "self.example", "version": "1.0.0", "name": "Self", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}},
             "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}, "system": {"apps": ["installer"]}}}}}
            """, to: "self/manifest.json")
        try fixture.write(
            """
            const { installer } = w3n.system.apps;
            const files = await w3n.storage.getAppLocalFS();
            await files.writeJSONFile('pack/manifest.json', { appDomain: 'self.example', version: '2.0.0', name: 'Self',
              components: { '/main.mjs': { runtime: 'deno', startCmds: { go: {} }, capsRequested: { logToPlatform: true } } } });
            await files.writeTxtFile('pack/main.mjs', "await w3n.log('info', 'newer'); w3n.closeSelf();");
            const pack = await files.readonlySubRoot('pack');
            await new Promise((complete, error) => installer.addAppPackFromFolder(pack, { next() {}, complete, error }));
            await w3n.log('info', await installer.installApp('self.example', '2.0.0'));
            w3n.closeSelf();
            """, to: "self/main.mjs")
        let asked = try await fixture.run("install self --yes")
        #expect(asked.contains("replace the code of those that it installed"))
        #expect(try await fixture.run("run self go") == "need-restart")
        #expect(try await fixture.run("list").contains("self.example  2.0.0  Self"))
        #expect(try await fixture.run("run self go") == "newer")
    }

    @Test func `who installs is told of names that look alike, and of another app's domain`() async throws {
        let fixture = try AppFixture()
        let manifest = { (domain: String, name: String, folder: String) in
            """
            {"appDomain": "\(domain)", "version": "1.0.0", "name": "\(name)", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true,
             "storage": {"appFS": [{"domain": "\(folder)", "storage": "local"}]}}}}}
            """
        }
        try fixture.write(manifest("bank.one.example", "Bank", "bank.one.example"), to: "bank/manifest.json")
        try fixture.write("w3n.closeSelf();", to: "bank/main.mjs")
        try fixture.write(manifest("one.example", "B\u{0430}nk", "bank.one.example"), to: "other/manifest.json")
        try fixture.write(
            """
            const files = await w3n.storage.getAppLocalFS('example.one.bank');
            await w3n.log('info', `sees ${(await files.listFolder('')).length}`);
            w3n.closeSelf();
            """, to: "other/main.mjs")
        try await fixture.run("install bank --yes")
        try await fixture.run("run bank.one.example go")
        try FileManager.default.createDirectory(
            atPath: fixture.folder + "/profile/Apps/data/example.one.bank", withIntermediateDirectories: true)
        try fixture.write("secret", to: "profile/Apps/data/example.one.bank/secret")
        let asked = try await fixture.run("install other --yes")
        #expect(asked.contains("! Its name looks like that of Bank (bank.one.example)"))
        #expect(asked.contains("It does not get that app's files."))
        #expect(try await fixture.run("run one.example go") == "sees 0")
    }

    @Test func `what was denied stays readable, however much an app says`() async throws {
        let fixture = try AppFixture()
        try fixture.write(
            """
            {"appDomain": "loud.example", "version": "1.0.0", "name": "Loud", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}}}}}
            """, to: "loud/manifest.json")
        try fixture.write(
            """
            try { await w3n.storage.getAppLocalFS(); } catch (error) {}
            for (let line = 0; line < 3_000; line++) await w3n.log('info', 'x'.repeat(1_000));
            w3n.closeSelf();
            """, to: "loud/main.mjs")
        try await fixture.run("install loud --grant log")
        try await fixture.run("run loud go")
        #expect(try await fixture.run("logs loud --lines 5").contains("denied: storage.app.local"))
        let denied = try await fixture.run("logs loud --denied")
        #expect(denied.contains("denied: storage.app.local") && !denied.contains("xxxx"))
    }
}
