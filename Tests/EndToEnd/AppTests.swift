import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// `alcove app`, as a person and as a script would use it: each component in a confined process of its own.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppTests {
    /// A profile, and a place for apps in the making.
    private final class Desk {
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

        /// Installs an app whose command `go NAME` goes on until its files have one of this name.
        func withWaiter() async throws -> Desk {
            try write(
                """
                {"appDomain": "waiter.example", "version": "1.0.0", "name": "Waiter", "components": {"/main.mjs": {"runtime": "deno",
                 "multiInstances": true, "startCmds": {"go": {}},
                 "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}}}}}
                """, to: "waiter/manifest.json")
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

    private struct Line: Decodable {
        struct Permission: Decodable {
            var capability: String
            var granted: Bool
        }

        var domain, name: String
        var permissions: [Permission]
    }

    @Test func `the README's way: install, run, look, change, remove`() async throws {
        let desk = try Desk()
        let asked = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        #expect(asked.contains("Keep its own files on this computer"))
        #expect(try await desk.run("run checklist add shopping two lemons") == "shopping (0 of 1)\n  1. [ ] two lemons")
        #expect(try await desk.run("run checklist check shopping 1") == "shopping (1 of 1)\n  1. [x] two lemons")
        #expect(try await desk.run("list").contains("checklist.alcove.example  1.0.0  Checklist"))
        #expect(try await desk.run("info checklist").contains("/lists.mjs"))
        let lines = try JSONDecoder().decode([Line].self, from: Data(try await desk.run("list --json").utf8))
        #expect(lines.map(\.domain) == ["checklist.alcove.example"])
        #expect(lines[0].permissions.contains { $0.capability == "rpc.thisApp" && $0.granted })
        #expect(try await desk.run("logs checklist --lines 1").hasSuffix("1. [x] two lemons"))

        _ = try await desk.run("permissions checklist --revoke rpc.thisApp")
        let denied = try await desk.attempt("run checklist show")
        #expect(denied.code != 0)
        #expect(try await desk.run("logs checklist").contains("denied: rpc.thisApp"))
        _ = try await desk.run("permissions checklist --grant rpc.thisApp")
        #expect(try await desk.run("run checklist show").hasPrefix("shopping (1 of 1)"))

        #expect(try await desk.run("remove checklist").contains("its files are kept"))
        #expect(try await desk.run("list").contains("no apps yet"))
        _ = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        #expect(try await desk.run("run checklist show").hasPrefix("shopping (1 of 1)"))
        _ = try await desk.run("remove checklist --data")
        _ = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        #expect(try await desk.run("run checklist show").hasPrefix("nothing to do"))
    }

    @Test func `a new app runs at once, also out of a ZIP file`() async throws {
        let desk = try Desk()
        _ = try await desk.run("new 'Tea timer' --to tea")
        _ = try await desk.run("install tea --yes")
        #expect(try await desk.run("run tea-timer hello").lowercased().contains("hello"))
        let first = try await desk.run("run tea-timer count")
        #expect(try await desk.run("run tea-timer count") != first)
        let zip = try await Shell(
            "cd '\(desk.folder)/tea' && python3 -m zipfile -c ../tea.zip manifest.json main.mjs README.md")
        #expect(zip.code == 0)
        #expect(try await desk.run("install tea.zip --yes").contains("the version that is installed"))
    }

    @Test func `what one terminal runs, another follows, changes and stops`() async throws {
        let desk = try Desk()
        _ = try await desk.run("new watch --to watch")
        let script = """
            let n = 0;
            const tick = async () => {
              try { await w3n.storage.getAppLocalFS(); await w3n.log('info', `files ${++n}`); }
              catch (error) { await w3n.log('info', `no files: ${error.notGranted}`); }
              setTimeout(tick, 50);
            };
            tick();
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: desk.folder + "/watch/main.mjs"))
        _ = try await desk.run("install watch --yes")
        let first = try desk.start(["run", "watch", "hello"])
        try await first.expect("files 2")
        #expect(try await desk.run("list").contains("(running)"))
        _ = try await desk.run("permissions watch --revoke storage.app.local")
        try await first.expect("no files: true")
        #expect(try await desk.run("stop watch").contains("/main.mjs"))
        try await first.expect("watch was stopped from another terminal")
        #expect(try await first.exitCode() == 1)
        #expect(try await desk.run("stop watch").contains("does not run"))
    }

    @Test func `a terminal that runs apps for others stays until they are done`() async throws {
        let desk = try await Desk().withWaiter()
        let first = try await desk.startWaiter("first")
        let second = try await desk.startWaiter("second")
        try desk.endWaiter("first")
        try await first.expect("first is done")
        try await first.expect("other terminals still use apps that run here")
        #expect(try await desk.run("list").contains("(running)"))
        try desk.endWaiter("second")
        try await second.expect("second is done")
        #expect(try await second.exitCode() == 0)
        #expect(try await first.exitCode() == 0)
    }

    @Test func `Control-C in the terminal that runs the apps tells the others`() async throws {
        let desk = try await Desk().withWaiter()
        let first = try await desk.startWaiter("first")
        let second = try await desk.startWaiter("second")
        first.signal(SIGINT)
        #expect(try await first.exitCode() == 0)
        try await second.expect("waiter was ended with the alcove that ran it")
        #expect(try await second.exitCode() == 1)
    }

    @Test(arguments: [
        ("stop waiter", "waiter was stopped from another terminal"),
        ("install waiter --yes", "waiter was ended because its app is being updated"),
        ("remove waiter --data", "waiter was ended because its app is being removed"),
    ])
    func `a command that others end says why, and fails`(words: String, why: String) async throws {
        let desk = try await Desk().withWaiter()
        let first = try await desk.startWaiter("first")
        let second = try await desk.startWaiter("second")
        try await desk.run(words)
        for terminal in [first, second] {
            try await terminal.expect(why)
            #expect(try await terminal.exitCode() == 1)
        }
    }

    @Test func `a command that is interrupted has not failed`() async throws {
        let desk = try await Desk().withWaiter()
        let first = try await desk.startWaiter("first")
        let second = try await desk.startWaiter("second")
        for terminal in [second, first] {
            terminal.signal(SIGINT)
            #expect(try await terminal.exitCode() == 0)
            #expect(!terminal.lines.contains { $0.contains("was stopped") })
        }
    }

    @Test(arguments: ["DISPLAY= WAYLAND_DISPLAY=", "DISPLAY= WAYLAND_DISPLAY=wayland-0"])
    func `a link is shown, and opens where there is a display`(environment: String) async throws {
        let desk = try Desk()
        let opened = desk.folder + "/opened"
        try desk.write(
            "#!/bin/sh\necho \"$1\" > '\(opened).new' && mv '\(opened).new' '\(opened)'\n", to: "bin/xdg-open")
        #expect(chmod(desk.folder + "/bin/xdg-open", 0o755) == 0)
        try desk.write(
            """
            {"appDomain": "links.example", "version": "1.0.0", "name": "Links\\u202e", "components": {"/main.mjs":
             {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"shell": {"openURL": [{"schema": "https", "domain": "example.org"}]}}}}}
            """, to: "links/manifest.json")
        try desk.write("await w3n.shell.openURL('https://example.org/tea'); w3n.closeSelf();", to: "links/main.mjs")
        try await desk.run("install links --yes")
        let shell = try await Shell(
            "PATH='\(desk.folder)/bin':$PATH \(environment) '\(AlcoveProcess.program)' app run links go --profile '\(desk.folder)/profile' 2>&1"
        )
        #expect(shell.code == 0)
        #expect(shell.output.hasPrefix("Links\\u{202e} opens https://example.org/tea"), "\(shell.output)")
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
        let desk = try Desk()
        try desk.write(
            """
            {"appDomain": "tea.example", "version": "1.0.0", "name": "Tea", "components": {"/main.mjs":
             {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"shell": {"userNotifications": true}}}}}
            """, to: "tea/manifest.json")
        let script = #"""
            await w3n.shell.userNotifications.addNotification({ title: 'Ready', body: 'green\n\u001b[31mtea' });
            w3n.closeSelf();
            """#
        try desk.write(script, to: "tea/main.mjs")
        try await desk.run("install tea --yes")
        #expect(try await desk.run("run tea go") == #"Tea: Ready: green \u{1b}[31mtea"#)
        #expect(try await desk.run("logs tea").contains("notifies: Ready: green"))
    }

    @Test func `what an app says is followed in its log`() async throws {
        let desk = try Desk()
        _ = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        _ = try await desk.run("run checklist add shopping tea")
        let log = try desk.start(["logs", "checklist", "-f", "--lines", "1"])
        try await log.expect("[ ] tea")
        _ = try await desk.run("run checklist check shopping 1")
        try await log.expect("[x] tea")
        log.signal(SIGTERM)
    }

    @Test func `a core library starts, and signs in who has the passphrase`() async throws {
        let desk = try Desk()
        let bundle = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Core/sign-in.js"
        ).path
        let nobody = try desk.start(["core", "--bundle", bundle, "--in-process"])
        try await nobody.expect("the core is up")
        try await nobody.expect("nobody is signed in")
        nobody.signal(SIGTERM)
        #expect(try await nobody.exitCode() == 0)

        for (passphrase, isRight) in [("right", true), ("wrong", false)] {
            let file = desk.folder + "/passphrase"
            try Data(passphrase.utf8).write(to: URL(fileURLWithPath: file))
            let core = try desk.start([
                "core", "--bundle", bundle, "--in-process", "--sign-in", "ann@example.org", "--passphrase-file", file,
            ])
            try await core.expect(isRight ? "signed in as ann@example.org" : "the passphrase is wrong")
            if isRight { core.signal(SIGTERM) }
            #expect(try await (core.exitCode() == 0) == isRight)
        }
    }

    @Test func `a bundle that is none says so`() async throws {
        let desk = try Desk()
        let shell = try await desk.attempt("core --in-process --bundle '\(Desk.samples)/checklist/manifest.json'")
        #expect(shell.code != 0)
        #expect(!shell.output.isEmpty)
    }

    @Test func `an app installs another one from a ZIP file, and grants it nothing`() async throws {
        let desk = try Desk()
        try desk.write(
            """
            {"appDomain": "shop.example", "version": "1.0.0", "name": "Shop", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}, "system": {"apps": "all"}}}}}
            """, to: "shop/manifest.json")
        try desk.write(
            """
            const { installer } = w3n.system.apps;
            const pack = await (await w3n.storage.getAppLocalFS()).readonlyFile('tea.zip');
            await new Promise((complete, error) => installer.addAppPackFromZipFile(pack, { complete, error }));
            await w3n.log('info', JSON.stringify(await installer.listAppPacks('tea.example')));
            await w3n.log('info', await installer.installApp('tea.example', '1.0.0'));
            w3n.closeSelf();
            """, to: "shop/main.mjs")
        try desk.write(
            """
            {"appDomain": "tea.example", "version": "1.0.0", "name": "Tea", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true}}}}
            """, to: "tea/manifest.json")
        try desk.write("await w3n.log('info', 'green'); w3n.closeSelf();", to: "tea/main.mjs")
        try await desk.run("install shop --yes")
        try desk.write("", to: "profile/Apps/data/example.shop/empty")
        let zip = try await Shell(
            "cd '\(desk.folder)/tea' && python3 -m zipfile -c '\(desk.folder)/profile/Apps/data/example.shop/tea.zip' manifest.json main.mjs"
        )
        #expect(zip.code == 0)
        #expect(try await desk.run("run shop go") == "[\"1.0.0\"]\nall-done")
        #expect(try await desk.run("list").contains("tea.example  1.0.0  Tea"))
        #expect(try await desk.run("permissions tea").contains("[ ] Write to its log"))
        let denied = try await desk.attempt("run tea go")
        #expect(denied.code != 0 && !denied.output.contains("green"), "\(denied.output)")
        try await desk.run("permissions tea --grant log")
        #expect(try await desk.run("run tea go") == "green")
    }

    @Test func `a recorded run replays, and another file is refused`() async throws {
        let desk = try Desk()
        _ = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        _ = try await desk.run("run checklist add shopping tea --record '\(desk.folder)/runs'")
        let files = try FileManager.default.contentsOfDirectory(atPath: desk.folder + "/runs").sorted()
        #expect(files.count == 2)
        for file in files {
            let shell = try await Shell("'\(AlcoveProcess.program)' app replay '\(desk.folder)/runs/\(file)' 2>&1")
            #expect(shell.code == 0)
            #expect(shell.output.contains("the same"), "\(shell.output)")
            let stepped = try await Shell(
                "'\(AlcoveProcess.program)' sim replay '\(desk.folder)/runs/\(file)' --step </dev/null 2>&1")
            #expect(stepped.code == 0)
            #expect(stepped.output.contains("1 of ") && stepped.output.contains("sent     core-ipc"))
            #expect(stepped.output.contains("the same"), "\(stepped.output)")
        }
        let other = try await Shell(
            "'\(AlcoveProcess.program)' app replay '\(Desk.samples)/checklist/manifest.json' 2>&1")
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
        let desk = try Desk()
        _ = try await desk.run("install '\(Desk.samples)/checklist' --yes")
        let shell = try await desk.attempt(words)
        #expect(shell.code != 0)
        #expect(shell.output.contains(hint), "\(shell.output)")
    }
}
