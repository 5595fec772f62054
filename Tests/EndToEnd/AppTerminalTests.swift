import Foundation
import Platform
import Testing

/// `alcove app` in several terminals at once: the first one runs the apps, the others ask it to.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppTerminalTests {
    @Test func `what one terminal runs, another follows, changes and stops`() async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("new watch --to watch")
        let script = """
            let n = 0;
            const tick = async () => {
              try { await w3n.storage.getAppLocalFS(); await w3n.log('info', `files ${++n}`); }
              catch (error) { await w3n.log('info', `no files: ${error.notGranted}`); }
              setTimeout(tick, 50);
            };
            tick();
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: fixture.folder + "/watch/main.mjs"))
        _ = try await fixture.run("install watch --yes")
        let first = try fixture.start(["run", "watch", "hello"])
        try await first.expect("files 2")
        #expect(try await fixture.run("list").contains("(running)"))
        _ = try await fixture.run("permissions watch --revoke storage.app.local")
        try await first.expect("no files: true")
        #expect(try await fixture.run("stop watch").contains("/main.mjs"))
        try await first.expect("watch was stopped from another terminal")
        #expect(try await first.exitCode() == 1)
        #expect(try await fixture.run("stop watch").contains("does not run"))
    }

    @Test func `a terminal that runs apps for others stays until they are done`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let second = try await fixture.startWaiter("second")
        try fixture.endWaiter("first")
        try await first.expect("first is done")
        try await first.expect("other terminals still use apps that run here")
        #expect(try await fixture.run("list").contains("(running)"))
        try fixture.endWaiter("second")
        try await second.expect("second is done")
        #expect(try await second.exitCode() == 0)
        #expect(try await first.exitCode() == 0)
    }

    @Test func `Control-C in the terminal that runs the apps tells the others`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let second = try await fixture.startWaiter("second")
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
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let second = try await fixture.startWaiter("second")
        try await fixture.run(words)
        for terminal in [first, second] {
            try await terminal.expect(why)
            #expect(try await terminal.exitCode() == 1)
        }
    }

    @Test func `a command that is interrupted has not failed`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let second = try await fixture.startWaiter("second")
        for terminal in [second, first] {
            terminal.signal(SIGINT)
            #expect(try await terminal.exitCode() == 0)
            #expect(!terminal.lines.contains { $0.contains("was stopped") })
        }
    }

    @Test func `a command is interrupted also if the terminal that runs the apps is suspended`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let second = try await fixture.startWaiter("second")
        first.signal(SIGSTOP)
        defer { first.signal(SIGCONT) }
        second.signal(SIGINT)
        try await second.expect("does not answer")
        #expect(try await second.exitCode() == 0)
        first.signal(SIGCONT)
        first.signal(SIGINT)
        #expect(try await first.exitCode() == 0)
    }

    @Test func `an older version is refused before anything ends`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let manifest = try String(contentsOfFile: fixture.folder + "/waiter/manifest.json", encoding: .utf8)
        try fixture.write(manifest.replacing("1.0.0", with: "0.9.0"), to: "waiter/manifest.json")
        let refused = try await fixture.attempt("install waiter --yes")
        #expect(refused.code == 64)
        #expect(refused.output.contains("--downgrade"))
        try fixture.endWaiter("first")
        #expect(try await first.exitCode() == 0)
    }

    @Test func `one app that cannot be started with the system does not stop the others`() async throws {
        let fixture = try await AppFixture().withWaiter()
        try fixture.write(
            """
            {"appDomain": "broken.example", "version": "1.0.0", "name": "Broken", "components": {"/service.mjs": {"runtime": "deno"}},
             "launchOnSystemStartup": [{"name": "Service", "component": "/service.mjs"}]}
            """, to: "broken/manifest.json")
        try fixture.write("throw new Error('broken');", to: "broken/service.mjs")
        try await fixture.run("install broken --yes")
        let startup = try fixture.start(["startup"])
        try await startup.expect("broken.example /service.mjs did not start")
        try await startup.expect("waiter.example /service.mjs")
        startup.signal(SIGINT)
        #expect(try await startup.exitCode() == 0)
        let alone = try await fixture.attempt("startup broken")
        #expect(alone.code == 1)
        #expect(alone.output.contains("broken.example /service.mjs did not start"))
    }

    @Test func `what starts with the system goes on when the terminal that runs the apps is done`() async throws {
        let fixture = try await AppFixture().withWaiter()
        let first = try await fixture.startWaiter("first")
        let startups = try [fixture.start(["startup"]), fixture.start(["startup", "waiter"])]
        for startup in startups { try await startup.expect("they run in the alcove that runs already") }
        try fixture.endWaiter("first")
        #expect(try await first.exitCode() == 0)
        // One of them starts it, and the other finds it there.
        for startup in startups { try await startup.expect("/service.mjs") }
        #expect(try await fixture.run("list").contains("(running)"))
        for startup in startups {
            startup.signal(SIGINT)
            #expect(try await startup.exitCode() == 0)
        }
        #expect(try await fixture.run("stop waiter").contains("does not run"))
    }
}
