import Foundation
import Platform
import Testing

/// `alcove app`, as a person and as a script would use it: each component in a confined process of its own.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppTests {
    private struct Line: Decodable {
        struct Permission: Decodable {
            var capability: String
            var granted: Bool
        }

        var domain, name: String
        var permissions: [Permission]
    }

    @Test func `the README's way: install, run, look, change, remove`() async throws {
        let fixture = try AppFixture()
        let asked = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        #expect(asked.contains("Keep its own files on this computer"))
        #expect(
            try await fixture.run("run checklist add shopping two lemons") == "shopping (0 of 1)\n  1. [ ] two lemons")
        #expect(try await fixture.run("run checklist check shopping 1") == "shopping (1 of 1)\n  1. [x] two lemons")
        #expect(try await fixture.run("list").contains("checklist.alcove.example  1.1.0  Checklist"))
        #expect(try await fixture.run("info checklist").contains("/lists.mjs"))
        let lines = try JSONDecoder().decode([Line].self, from: Data(try await fixture.run("list --json").utf8))
        #expect(lines.map(\.domain) == ["checklist.alcove.example"])
        #expect(lines[0].permissions.contains { $0.capability == "rpc.thisApp" && $0.granted })
        #expect(try await fixture.run("logs checklist --lines 1").hasSuffix("1. [x] two lemons"))

        _ = try await fixture.run("permissions checklist --revoke rpc.thisApp")
        let denied = try await fixture.attempt("run checklist show")
        #expect(denied.code != 0)
        #expect(try await fixture.run("logs checklist").contains("denied: rpc.thisApp"))
        let told = try await fixture.run("logs checklist --lines 1 --json").split(separator: "\n").last ?? ""
        let entry = try JSONDecoder().decode([String: String].self, from: Data(told.utf8))
        #expect(Set(entry.keys) == ["time", "level", "component", "text"] && entry["time"]?.hasSuffix("Z") == true)
        _ = try await fixture.run("permissions checklist --grant rpc.thisApp")
        #expect(try await fixture.run("run checklist show").hasPrefix("shopping (1 of 1)"))

        #expect(try await fixture.run("remove checklist").contains("its files are kept"))
        #expect(try await fixture.run("list").contains("no apps yet"))
        _ = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        #expect(try await fixture.run("run checklist show").hasPrefix("shopping (1 of 1)"))
        _ = try await fixture.run("remove checklist --data")
        _ = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        #expect(try await fixture.run("run checklist show").hasPrefix("nothing to do"))
    }

    @Test func `a new app runs at once, also out of a ZIP file`() async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("new 'Tea timer' --to tea")
        _ = try await fixture.run("install tea --yes")
        #expect(try await fixture.run("run tea-timer hello").lowercased().contains("hello"))
        let first = try await fixture.run("run tea-timer count")
        #expect(try await fixture.run("run tea-timer count") != first)
        let zip = try await Shell(
            "cd '\(fixture.folder)/tea' && python3 -m zipfile -c ../tea.zip manifest.json main.mjs README.md")
        #expect(zip.code == 0)
        #expect(try await fixture.run("install tea.zip --yes").contains("the version that is installed"))
        // A name that gives no folder a name.
        #expect(try await fixture.run("new 日本").contains("wrote app/manifest.json"))
        #expect(try await fixture.run("new お茶").contains("so it is app-2\nwrote app-2/manifest.json"))
    }

    @Test(arguments: ["DISPLAY= WAYLAND_DISPLAY=", "DISPLAY= WAYLAND_DISPLAY=wayland-0"])
    func `a link is shown, and opens where there is a display`(environment: String) async throws {
        let fixture = try AppFixture()
        let opened = fixture.folder + "/opened"
        try fixture.write(
            "#!/bin/sh\necho \"$1\" > '\(opened).new' && mv '\(opened).new' '\(opened)'\n", to: "bin/xdg-open")
        #expect(chmod(fixture.folder + "/bin/xdg-open", 0o755) == 0)
        try fixture.write(
            """
            {"appDomain": "links.example", "version": "1.0.0", "name": "Links\\u202e", "components": {"/main.mjs":
             {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"shell": {"openURL": [{"schema": "https", "domain": "example.org"}]}}}}}
            """, to: "links/manifest.json")
        try fixture.write("await w3n.shell.openURL('https://example.org/tea'); w3n.closeSelf();", to: "links/main.mjs")
        try await fixture.run("install links --yes")
        let shell = try await Shell(
            "PATH='\(fixture.folder)/bin':$PATH \(environment) '\(AlcoveProcess.program)' app run links go --profile '\(fixture.folder)/profile' 2>&1"
        )
        #expect(shell.code == 0)
        #expect(
            shell.output.hasPrefix("Links\\u{202e} (links.example) opens https://example.org/tea"), "\(shell.output)")
        let isSeen = environment.hasSuffix("0")
        #expect(shell.output.contains("open it by hand") == !isSeen, "\(shell.output)")
        guard isSeen else { return #expect(!FileManager.default.fileExists(atPath: opened)) }
        // It is a process of its own, that nobody waits for.
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: opened) {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try String(contentsOfFile: opened, encoding: .utf8) == "https://example.org/tea\n")
    }

    @Test func `a notification is a line of text and nothing else`() async throws {
        let fixture = try AppFixture()
        try fixture.write(
            """
            {"appDomain": "tea.example", "version": "1.0.0", "name": "Tea", "components": {"/main.mjs":
             {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"shell": {"userNotifications": true}}}}}
            """, to: "tea/manifest.json")
        let script = #"""
            await w3n.shell.userNotifications.addNotification({ title: 'Ready', body: 'green\n\u001b[31mtea' });
            w3n.closeSelf();
            """#
        try fixture.write(script, to: "tea/main.mjs")
        try await fixture.run("install tea --yes")
        #expect(try await fixture.run("run tea go") == #"Tea (tea.example): Ready: green \u{1b}[31mtea"#)
        #expect(try await fixture.run("logs tea").contains("notifies: Ready: green"))
    }

    @Test func `what an app says is followed in its log`() async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        _ = try await fixture.run("run checklist add shopping tea")
        let log = try fixture.start(["logs", "checklist", "-f", "--lines", "1"])
        try await log.expect("[ ] tea")
        _ = try await fixture.run("run checklist check shopping 1")
        try await log.expect("[x] tea")
        log.signal(SIGTERM)
    }

    @Test func `a core library starts, and signs in who has the passphrase`() async throws {
        let fixture = try AppFixture()
        let bundle = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Core/sign-in.js"
        ).path
        let nobody = try fixture.start(["core", "--bundle", bundle, "--in-process"])
        try await nobody.expect("the core is up")
        try await nobody.expect("nobody is signed in")
        nobody.signal(SIGTERM)
        #expect(try await nobody.exitCode() == 0)
        let script = try fixture.start(["core", "--bundle", bundle, "--in-process", "--json"])
        for event in ["up", "sign_in_wanted"] { try await script.expect("{\"event\":\"\(event)\"}") }
        script.signal(SIGTERM)
        #expect(try await script.exitCode() == 0)

        for (passphrase, isRight) in [("right", true), ("wrong", false)] {
            let file = fixture.folder + "/passphrase"
            try Data(passphrase.utf8).write(to: URL(fileURLWithPath: file))
            let core = try fixture.start([
                "core", "--bundle", bundle, "--in-process", "--sign-in", "ann@example.org", "--passphrase-file", file,
            ])
            try await core.expect(isRight ? "signed in as ann@example.org" : "the passphrase is wrong")
            if isRight { core.signal(SIGTERM) }
            #expect(try await (core.exitCode() == 0) == isRight)
        }
    }

    @Test func `a bundle that is none says so`() async throws {
        let fixture = try AppFixture()
        let shell = try await fixture.attempt(
            "core --in-process --bundle '\(AppFixture.samples)/checklist/manifest.json'")
        #expect(shell.code != 0)
        #expect(!shell.output.isEmpty)
    }

    @Test func `an app installs another one from a ZIP file, and grants it nothing`() async throws {
        let fixture = try AppFixture()
        try fixture.write(
            """
            {"appDomain": "shop.example", "version": "1.0.0", "name": "Shop", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}, "system": {"apps": "all"}}}}}
            """, to: "shop/manifest.json")
        try fixture.write(
            """
            const { installer } = w3n.system.apps;
            const pack = await (await w3n.storage.getAppLocalFS()).readonlyFile('tea.zip');
            await new Promise((complete, error) => installer.addAppPackFromZipFile(pack, { complete, error }));
            await w3n.log('info', JSON.stringify(await installer.listAppPacks('tea.example')));
            await w3n.log('info', await installer.installApp('tea.example', '1.0.0'));
            w3n.closeSelf();
            """, to: "shop/main.mjs")
        try fixture.write(
            """
            {"appDomain": "tea.example", "version": "1.0.0", "name": "Tea", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true}}}}
            """, to: "tea/manifest.json")
        try fixture.write("await w3n.log('info', 'green'); w3n.closeSelf();", to: "tea/main.mjs")
        try await fixture.run("install shop --yes")
        try fixture.write("", to: "profile/Apps/data/example.shop/empty")
        let zip = try await Shell(
            "cd '\(fixture.folder)/tea' && python3 -m zipfile -c '\(fixture.folder)/profile/Apps/data/example.shop/tea.zip' manifest.json main.mjs"
        )
        #expect(zip.code == 0)
        #expect(try await fixture.run("run shop go") == "[\"1.0.0\"]\nall-done")
        #expect(try await fixture.run("list").contains("tea.example  1.0.0  Tea"))
        #expect(try await fixture.run("permissions tea").contains("[ ] Write to its log"))
        let denied = try await fixture.attempt("run tea go")
        #expect(!denied.output.contains("green"), "\(denied.output)")
        #expect(denied.output.contains("to grant it: alcove app permissions tea.example --grant log"))
        try await fixture.run("permissions tea --grant log")
        #expect(try await fixture.run("run tea go") == "green")
    }

    @Test func `a recorded run replays, and another file is refused`() async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        _ = try await fixture.run("run checklist add shopping tea --record '\(fixture.folder)/runs'")
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/runs").sorted()
        #expect(files.count == 2)
        for file in files {
            let shell = try await Shell("'\(AlcoveProcess.program)' app replay '\(fixture.folder)/runs/\(file)' 2>&1")
            #expect(shell.code == 0)
            #expect(shell.output.contains("the same"), "\(shell.output)")
            let stepped = try await Shell(
                "'\(AlcoveProcess.program)' sim replay '\(fixture.folder)/runs/\(file)' --step </dev/null 2>&1")
            #expect(stepped.code == 0)
            #expect(stepped.output.contains("1 of ") && stepped.output.contains("sent     core-ipc"))
            #expect(stepped.output.contains("the same"), "\(stepped.output)")
        }
        let other = try await Shell(
            "'\(AlcoveProcess.program)' app replay '\(AppFixture.samples)/checklist/manifest.json' 2>&1")
        #expect(other.code != 0)
        #expect(other.output.contains("is no recording of a component"), "\(other.output)")
    }

    @Test(arguments: [
        ("run nothing hello", "no app called nothing is installed"),
        ("install /nowhere", "/nowhere"),
        ("background checklist push", "is not available"),
        ("run checklist fly", "has no command fly; it takes: add"),
        ("permissions checklist --grant moon", "does not ask for moon"),
    ])
    func `what makes no sense is answered with what would`(words: String, hint: String) async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        let shell = try await fixture.attempt(words)
        #expect(shell.code != 0)
        #expect(shell.output.contains(hint), "\(shell.output)")
    }
}
