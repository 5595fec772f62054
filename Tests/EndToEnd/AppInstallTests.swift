import Foundation
import Testing

/// `alcove app install`: what it asks, and what it refuses.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AppInstallTests {
    private func fixture(_ script: String, name: String = "tea") async throws -> AppFixture {
        let fixture = try AppFixture()
        try fixture.write(
            """
            {"appDomain": "\(name).example", "version": "1.0.0", "name": "\(name)", "components": {"/main.mjs":
             {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true}}}}
            """, to: "\(name)/manifest.json")
        try fixture.write(script, to: "\(name)/main.mjs")
        return fixture
    }

    @Test func `Enter is no answer, and is asked again`() async throws {
        let fixture = try await fixture("await w3n.log('info', 'hello'); w3n.closeSelf();")
        let install = try TerminalProcess([
            "app", "install", fixture.folder + "/tea", "--profile", fixture.folder + "/profile",
        ])
        let question = "[e]ach by itself: "
        try await install.expect(question)
        try install.press("\n")
        try await install.expect("please answer with y, n or e")
        try await install.expect(question)
        try install.press("what?\n")
        try await install.expect(question)
        try install.press("y\n")
        try await install.expect("installed tea")
        #expect(await install.exitCode() == 0)
        #expect(try await fixture.run("run tea go") == "hello")
    }

    @Test(arguments: [
        "const x = ;", "import fs from 'fs';", "function (", "await 1; }", "/* no end",
    ])
    func `a script that is none is refused, with its line`(script: String) async throws {
        let fixture = try await fixture("// first line\n" + script)
        let refused = try await fixture.attempt("install tea --yes")
        #expect(refused.code == 65, "\(refused.output)")
        #expect(refused.output.contains("/main.mjs in \(fixture.folder)/tea is no script that can run: "))
        #expect(refused.output.contains("SyntaxError"))
        #expect(try await fixture.run("list").contains("tea") == false)
    }

    @Test func `a script is read at install and not run`() async throws {
        let fixture = try await fixture("throw new Error('was run');\nreturn; // whatever comes\nconst late = 1;")
        #expect(try await fixture.run("install tea --yes").contains("installed tea"))
        // Somebody else's way out of what it is wrapped in reaches nothing.
        let hostile = try await self.fixture("})(), globalThis.w3n?.log('info', 'out'), (async () => {", name: "evil")
        #expect(try await hostile.attempt("install evil --yes").output.contains("info") == false)
    }

    @Test func `the stack of a failed start is shown line by line`() async throws {
        let fixture = try await fixture("function inner() { throw new Error('at start'); }\ninner();")
        try await fixture.run("install tea --yes")
        let run = try await fixture.attempt("run tea go")
        #expect(run.code == 1)
        for output in [run.output, try await fixture.run("logs tea")] {
            #expect(output.contains("at start") && output.contains("inner@/main.mjs:1"))
            #expect(!output.contains("\\n"))
            let lines = output.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("  ") && $0.contains("inner@/main.mjs") })
        }
    }

    @Test func `what is taken back is said in words by the next run`() async throws {
        let fixture = try AppFixture()
        _ = try await fixture.run("new tea --to tea")
        try await fixture.run("install tea --yes")
        try await fixture.run("permissions tea --revoke storage.app.local")
        let run = try await fixture.attempt("run tea count")
        #expect(run.code == 1)
        #expect(run.output.contains("to grant it: alcove app permissions tea.example --grant storage.app.local"))
        #expect(!run.output.contains("{\""))
        try await fixture.run("permissions tea --grant storage.app.local")
        #expect(try await fixture.run("run tea count") == "You asked once.")
    }

    @Test func `a command that fails because a component it calls was denied something says what, once`() async throws {
        let fixture = try AppFixture()
        try await fixture.run("install '\(AppFixture.samples)/checklist' --yes")
        try await fixture.run("permissions checklist --revoke storage.app.local")
        let run = try await fixture.attempt("run checklist add shopping milk")
        #expect(run.code == 1)
        let hint = "to grant it: alcove app permissions checklist.alcove.example --grant storage.app.local"
        #expect(run.output.components(separatedBy: hint).count == 2, "\(run.output)")
        #expect(run.output.contains("the service of the lists cannot be asked: connectionNotAccepted"))
    }

    @Test func `what is done with an app is one JSON object, and what it says one a line`() async throws {
        struct Line: Decodable { var level, text: String }
        struct Done: Decodable {
            var domain, app, background: String?
            var stopped: [String]?
            var dataRemoved: Bool?

            enum CodingKeys: String, CodingKey { case domain, app, background, stopped, dataRemoved = "data_removed" }
        }
        let fixture = try await fixture("await w3n.log('info', 'hello\\nthere'); w3n.closeSelf();")
        func done(_ words: String) async throws -> Done {
            // Before it comes what a person reads while it works, on standard error.
            let output = try await fixture.run(words + " --json").split(separator: "\n").last ?? ""
            return try JSONDecoder().decode(Done.self, from: Data(output.utf8))
        }
        #expect(try await done("install tea --yes").domain == "tea.example")
        let said = try await fixture.run("run tea go --json")
        #expect(try JSONDecoder().decode(Line.self, from: Data(said.utf8)).text == "hello\nthere")
        #expect(try await done("background tea foreground").background == "foreground")
        #expect(try await done("stop tea").stopped == [])
        #expect(try await done("remove tea --data").dataRemoved == true)
        #expect(try await done("new other").app == "other.example")
    }
}
