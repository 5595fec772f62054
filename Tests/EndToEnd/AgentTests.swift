import Foundation
import Peers
import ProgramRunner
import Testing

/// Agents as a person uses them: the program, an agent by the reference library of the protocol, a strict model server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentTests {
    /// A profile of its own, with an agent `helper`.
    final class Fixture: Sendable {
        let folder: String

        init(_ script: String = "acp_agent.py", _ arguments: [String] = []) async throws {
            folder = NSTemporaryDirectory() + "agents-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let command = [try Programs.python().path, Programs.script(script)] + arguments
            #expect(try await run(["agent", "add", "helper", "--"] + command).code == 0)
        }

        deinit {
            // The host process that the commands have started.
            _ = try? AlcoveProcess(["host", "stop", "--profile", folder + "/profile"])
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// The words of a command with the profile, which stands before what is not an option.
        func words(_ words: [String]) -> [String] { words[..<2] + ["--profile", folder + "/profile"] + words[2...] }

        func start(_ words: [String]) throws -> AlcoveProcess { try AlcoveProcess(self.words(words)) }

        func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
            let process = try start(words)
            process.endInput()
            return (try await process.exitCode(), process.lines)
        }

        /// What the database holds, and what SQLite keeps beside it.
        func onDisk() throws -> [Data] {
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 }
            return files.compactMap { FileManager.default.contents(atPath: $0) }
        }
    }

    @Test func `one signs in with an agent that wants to know for whom it asks`() async throws {
        let place = NSTemporaryDirectory() + "signed-in-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let fixture = try await Fixture("acp_agent.py", ["locked", place])
        let refused = try await fixture.run(["agent", "ask", "helper", "say hi", "--folder", fixture.folder])
        #expect(refused.code != 0 && refused.lines.joined().contains("alcove agent login"), "\(refused.lines)")
        #expect(try await fixture.run(["agent", "login", "helper", "other"]).code == 64)
        let signedIn = try await fixture.run(["agent", "login", "helper"])
        #expect(signedIn.code == 0 && signedIn.lines.last == "signed in with helper", "\(signedIn.lines)")
        #expect(signedIn.lines.contains { $0.contains("https://sign-in.example/") && !$0.contains("\u{1B}") })
        let answer = try await fixture.run(["agent", "ask", "helper", "say hi", "--folder", fixture.folder])
        #expect(answer.code == 0 && answer.lines.joined().contains("hi"))
    }

    @Test func `variables of an agent come out of the vault, and are shown nowhere`() async throws {
        let fixture = try await Fixture()
        let file = fixture.folder + "/keys.env"
        try Data("# keys\nexport EXAMPLE_KEY='sesame street'\n".utf8).write(to: URL(filePath: file))
        let command = [try Programs.python().path, Programs.script("acp_agent.py")]
        let added = try await fixture.run(["agent", "add", "keyed", "--json", "--env-file", file, "--"] + command)
        #expect(added.code == 0 && !added.lines.joined().contains("sesame"))
        try FileManager.default.removeItem(atPath: file)
        let place = try await fixture.run(["agent", "ask", "keyed", "where", "--folder", fixture.folder])
        #expect(place.lines.joined().contains("EXAMPLE_KEY"), "\(place.lines)")
        #expect(try await !fixture.run(["agent", "list", "--json"]).lines.joined().contains("sesame"))
        #expect(try !fixture.onDisk().contains { $0.range(of: Data("sesame".utf8)) != nil })
        #expect(try await fixture.run(["agent", "add", "bad", "--env-file", "/nowhere", "--"] + command).code == 66)
        #expect(try await fixture.run(["agent", "remove", "keyed"]).code == 0)
    }

    @Test func `agents are added, listed, renamed and removed`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "add", "HELPER", "--", "x"]).code == 64)
        #expect(try await fixture.run(["agent", "add", "other"]).code == 64)
        for url in ["nonsense", "http://127.0.0.1:", "http://[::1]:", "http://127.0.0.1:99999"] {
            #expect(try await fixture.run(["agent", "add", "other", "--openai", url]).code == 64, "\(url)")
        }
        let added = try await fixture.run([
            "agent", "add", "local", "--openai", "http://127.0.0.1:1/", "--model", "m", "--json",
        ])
        #expect(added.lines.joined().contains(#""url":"http://127.0.0.1:1""#))
        #expect(try await fixture.run(["agent", "rename", "local", "mine@Ada"]).code == 64)
        #expect(try await fixture.run(["agent", "rename", "local", "local2"]).lines.isEmpty)
        #expect(
            try await fixture.run(["agent", "rename", "local2", " mo\u{200B}del "]).lines == ["it is called model now"])
        let list = try await fixture.run(["agent", "list"]).lines
        #expect(list.count == 2 && list[0].hasPrefix("helper  ") && list[0].contains("acp_agent.py"))
        #expect(list[1].hasPrefix("model   http://127.0.0.1:1, model m"))
        #expect(
            try await fixture.run(["agent", "remove", "model", "--json"]).lines.joined().contains(#""removed":true"#))
        #expect(try await fixture.run(["agent", "remove", "model"]).code == 66)
        #expect(try await fixture.run(["agent", "ask", "model", "hi"]).code == 66)
        #expect(try fixture.onDisk().allSatisfy { $0.range(of: Data("acp_agent.py".utf8)) == nil }, "it is sealed")
    }

    @Test func `one question is answered on standard output`() async throws {
        let fixture = try await Fixture()
        let words = fixture.words(["agent", "ask", "helper", "say one two"]).map { "'\($0)'" }.joined(separator: " ")
        let answer = try await Shell("'\(AlcoveProcess.program)' \(words) < /dev/null")
        #expect(answer.code == 0 && answer.output == "onetwo\n")
        let json = try await fixture.run(["agent", "ask", "helper", "say one", "--json"])
        #expect(json.lines == [#"{"answer":"one","reason":"done","rejected":0}"#])
        let place = try await fixture.run(["agent", "ask", "helper", "where", "--folder", fixture.folder])
        #expect(
            place.lines.first.map { URL(fileURLWithPath: $0).lastPathComponent }
                == URL(fileURLWithPath: fixture.folder).lastPathComponent)
    }

    @Test func `what nobody can be asked about is rejected`() async throws {
        let fixture = try await Fixture()
        let asked = try await fixture.run(["agent", "ask", "helper", "edit"])
        #expect(asked.code == 0 && asked.lines.last == "no")
        #expect(asked.lines.contains("* Request 1: rejected.") && asked.lines.contains("      + new"))
        #expect(!asked.lines.contains { $0.contains("/allow") }, "nobody could type it")
        let json = try await fixture.run(["agent", "ask", "helper", "edit", "--json"])
        #expect(json.lines.last == #"{"answer":"no","reason":"done","rejected":1}"#)
    }

    @Test func `a person sees all of a request, and an answer counts once`() async throws {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("helper is ready")
        chat.type("edit")
        try await chat.expect("? Request 1: Change a [edit]")
        try await chat.expect("change of /a")
        try await chat.expect("- old")
        try await chat.expect("+ new")
        chat.type("yes")
        try await chat.expect("> yes  [waits for the end of the turn]")
        chat.type("/allow 2")
        try await chat.expect("! request 2 is gone, or there was none")
        chat.type("/lasting 1")
        try await chat.expect("! request 1 does not take this answer")
        chat.type("/always 1")
        try await chat.expect("* Request 1: allowed.")
        try await chat.expect("< yes")
        chat.type("/allow 1")
        try await chat.expect("! request 1 is gone, or there was none")
        chat.endInput()
        #expect(try await chat.exitCode() == 0, "a turn that fails does not end the conversation")
    }

    @Test func `what was allowed for the conversation is not asked again, and nothing else is allowed`() async throws {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper", "--json"])
        chat.type("edit")
        try await chat.expect(#""type":"request""#)
        chat.type("/always 1")
        try await chat.expect(#"{"text":"yes","type":"text"}"#)
        chat.type("edit")
        try await chat.expect(#"{"request":2,"type":"allowed_before"}"#)
        try await chat.expect(#"{"text":"yes","type":"text"}"#)
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
    }

    @Test func `what happens without asking is set in a conversation, also for the next one`() async throws {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("helper is ready")
        chat.type("/policy edit maybe")
        try await chat.expect("! /policy read|edit|execute|fetch ask|allow|reject")
        chat.type("/policy edit reject")
        try await chat.expect("edit: reject")
        chat.type("edit")
        try await chat.expect("* Rejected, as the settings of the session say: Change a")
        try await chat.expect("< no")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        let next = try fixture.start(["agent", "chat", "helper"])
        try await next.expect("As in your last session with it here, without asking: edit: reject")
        next.type("/policy edit ask")
        try await next.expect("edit: ask")
        next.type("/policy")
        try await next.expect("    edit: ask")
        next.type("/quit")
        #expect(try await next.exitCode() == 0)
    }

    @Test func `control C stops the turn and then the conversation`() async throws {
        let fixture = try await Fixture()
        let chat = try TerminalProcess(fixture.words(["agent", "chat", "helper"]))
        try await chat.expect("helper is ready")
        try chat.press("edit\n")
        try await chat.expect("Answer: /allow 1")
        try await chat.expect("helper · waits for you: request 1")
        try chat.press("\u{3}")
        try await chat.expect("Request 1 is gone; nothing was allowed.")
        try await chat.expect("Stopped.")
        try chat.press("say there we are\n")
        try await chat.expect("< therewe")
        try await chat.expect("helper · done")
        try chat.press("\u{3}")
        #expect(await chat.exitCode() == 0)
    }

    @Test func `an agent that does not end is ended, with all that it started`() async throws {
        let fixture = try await Fixture("faulty_agent.py", ["hung"])
        let chat = try fixture.start(["agent", "chat", "helper", "--json"])
        chat.type("go")
        let line = try await chat.expect(#""type":"text""#)
        let child = try #require(Int(line.filter(\.isNumber)))
        chat.signal(SIGINT)
        try await chat.expect(#""type":"ended""#)
        chat.signal(SIGTERM)
        #expect(try await chat.exitCode() == 0)
        while let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8), !status.contains(") Z ")
        {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func `a long answer arrives whole`() async throws {
        let fixture = try await Fixture("faulty_agent.py", ["flood", "6"])
        let words = fixture.words(["agent", "ask", "helper", "go"]).map { "'\($0)'" }.joined(separator: " ")
        let count = try await Shell("'\(AlcoveProcess.program)' \(words) < /dev/null | wc -c")
        #expect(Int(count.output.trimmingCharacters(in: .whitespacesAndNewlines)) == (6 << 18) + 1)
    }

    @Test func `at a terminal one question is answered as in a conversation`() async throws {
        let fixture = try await Fixture()
        let ask = try TerminalProcess(fixture.words(["agent", "ask", "helper", "edit"]))
        try await ask.expect("Answer: /allow 1")
        try ask.press("yes\n")
        try await ask.expect("! answer with /allow N or /reject N")
        try ask.press("/allow 1\n")
        try await ask.expect("* Request 1: allowed.")
        try await ask.expect("< yes")
        #expect(await ask.exitCode() == 0)
    }

    @Test func `an agent that is lost in a turn leaves what it did unknown`() async throws {
        let fixture = try await Fixture("faulty_agent.py", ["status"])
        let lost = try await fixture.run(["agent", "ask", "helper", "go"])
        #expect(lost.code == 69)
        #expect(lost.lines.contains { $0.contains("ended with status 7; what it did after that is unknown since") })
        #expect(lost.lines.contains { $0.contains("the reason is here") })
    }

    @Test(arguments: [("asks", "ask-3:cancelled"), ("malformed", "still here")])
    func `a hostile agent gets no answer that nobody gave`(fault: String, said: String) async throws {
        let fixture = try await Fixture("faulty_agent.py", [fault])
        let asked = try await fixture.run(["agent", "ask", "helper", "go"])
        #expect(asked.lines.joined().contains(said))
        #expect(!asked.lines.joined().contains(":yes") && !asked.lines.contains { $0.contains("forged") })
    }

    @Test func `an agent cannot steer the terminal`() async throws {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper"])
        chat.type("say \u{1B}[2J\u{1B}]0;x\u{7}\u{202E}")
        try await chat.expect(#"< \u{1b}[2J\u{1b}]0;x\u{7}\u{202e}"#)
        chat.endInput()
        _ = try await chat.exitCode()
        #expect(!chat.lines.joined().utf8.contains(0x1B))
    }

    @Test(arguments: [false, true]) func `a confined agent has its folder and nothing else`(network: Bool) async throws
    {
        let fixture = try await Fixture()
        let (work, home) = (fixture.folder + "/work", fixture.folder + "/home")
        for folder in [work, home + "/.ssh", home + "/project"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for file in [home + "/.ssh/key", fixture.folder + "/beside", work + "/inside"] {
            try Data("content of \(file)".utf8).write(to: URL(fileURLWithPath: file))
        }
        let python = try Programs.python()
        let readable = [python.deletingLastPathComponent().deletingLastPathComponent().path, Programs.script("")]
        let options = ["--sandbox", "--network", network ? "on" : "off"] + readable.flatMap { ["--readable", $0] }
        let command = ["--", python.path, Programs.script("acp_agent.py")]
        #expect(try await fixture.run(["agent", "add", "careful"] + options + command).code == 0)
        func ask(_ prompt: String, in folder: String? = nil) async throws -> String {
            let words = fixture.words(["agent", "ask", "careful", prompt, "--folder", folder ?? work])
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            return try await Shell("HOME='\(home)' '\(AlcoveProcess.program)' \(line) 2>&1 < /dev/null").output
        }
        #expect(try await ask("read \(work)/inside") == "content of \(work)/inside\n")
        for secret in [home + "/.ssh/key", fixture.folder + "/beside", "/etc/shadow"] {
            #expect(try await ask("read \(secret)") == "FileNotFoundError\n")
        }
        #expect(try await ask("write \(work)/new") == "7\n")
        #expect(try String(contentsOfFile: work + "/new", encoding: .utf8) == "written")
        #expect(try await ask("write /usr/new") == "OSError\n")
        _ = try await ask("write \(home)/new")
        #expect(!FileManager.default.fileExists(atPath: home + "/new"), "its home is another one, and goes with it")
        let (server, port) = try Self.modelServer("key")
        #expect(try await ask("reach \(port)") == (network ? "reached\n" : "ConnectionRefusedError\n"))
        await server.ended(grace: .zero)
        #expect(try await ask("where", in: home).contains("has your home in it"))
        #expect(try await ask("where", in: home + "/project").hasPrefix(home + "/project\n"))
        #expect(try await fixture.run(["agent", "ask", "careful", "where", "--tools"]).code == 64)
        let list = try await fixture.run(["agent", "list", "--json"]).lines.joined()
        #expect(list.contains(#""sandbox":{"network":\#(network),"#))
    }

    @Test func `what a sandbox is made of is checked before anything is added`() async throws {
        let fixture = try await Fixture()
        for words in [
            ["--network", "on", "--", "x"], ["--sandbox", "--network", "some", "--", "x"],
            ["--sandbox", "--openai", "http://127.0.0.1:1"],
        ] {
            #expect(try await fixture.run(["agent", "add", "other"] + words).code == 64)
        }
    }

    @Test func `a summary is sent to the model after it was shown and allowed`() async throws {
        let fixture = try await Fixture()
        let none = try await fixture.run(["agent", "summarise", "--note", "Groceries", "--yes"])
        #expect(
            none.code == 78 && none.lines.joined().contains("no model was added")
                && none.lines.joined().contains("ollama serve"))
        let (server, port) = try Self.modelServer()
        #expect(try await fixture.run(["agent", "add", "local", "--openai", "http://127.0.0.1:\(port)"]).code == 0)
        #expect(try await fixture.run(["note", "new", "Groceries", "milk"]).code == 0)
        let asked = try await fixture.run(["agent", "summarise", "--note", "Groceries"])
        #expect(asked.code == 64 && asked.lines.joined().contains("nobody is here to be asked"))
        #expect(!asked.lines.joined().contains("It says"))
        let words = fixture.words(["agent", "summarise", "--note", "Groceries", "--yes"]).map { "'\($0)'" }
        let answer = try await Shell("'\(AlcoveProcess.program)' \(words.joined(separator: " ")) < /dev/null")
        #expect(
            answer.code == 0 && answer.output == "It says: # Groceries\n" || answer.output == "It says: Groceries\n",
            "\(answer.output)")
        let json = try await fixture.run(["agent", "summarise", "--note", "Groceries", "--yes", "--json"])
        #expect(json.lines.last?.contains(#""reason":"done""#) == true)
        let refused = try TerminalProcess(fixture.words(["agent", "summarise", "--note", "Groceries"]))
        try await refused.expect("on this machine:")
        try await refused.expect("milk")
        try await refused.expect("Send it? [y/N]")
        try refused.press("\n")
        try await refused.expect("nothing was sent")
        #expect(await refused.exitCode() == 1)
        await server.ended(grace: .zero)
        let gone = try await fixture.run(["agent", "summarise", "--note", "Groceries", "--yes"])
        #expect(gone.code == 69 && gone.lines.joined().contains("llama-server"))
        let helper = try await fixture.run(["agent", "summarise", "--note", "Groceries", "--agent", "helper", "--yes"])
        #expect(helper.code == 64 && helper.lines.joined().contains("only a model server summarises"))
    }

    @Test func `a room is summarised as it was said`() async throws {
        let folder = NSTemporaryDirectory() + "summary-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func run(_ words: String) async throws -> Shell {
            try await Shell("'\(AlcoveProcess.program)' \(words) --profile '\(folder)/profile' 2>&1 < /dev/null")
        }
        #expect(try await run("room list --scenario verified_chat").code == 0)
        let (server, port) = try Self.modelServer()
        #expect(try await run("agent add local --openai http://127.0.0.1:\(port)").code == 0)
        let summary = try await run("agent summarise --room Ann --yes")
        #expect(
            summary.output.contains("Ann: I am! Grüße aus Köln")
                && summary.output.contains("It says: You: Is anybody there?"))
        await server.ended(grace: .zero)
    }

    @Test func `a real model answers`() async throws {
        let fixture = try await Fixture()
        let (server, port) = try Self.modelServer(script: "real_model.py")
        #expect(try await fixture.run(["agent", "add", "local", "--openai", "http://127.0.0.1:\(port)"]).code == 0)
        let answer = try await fixture.run(["agent", "ask", "local", "Say hello.", "--json"])
        #expect(answer.code == 0 && answer.lines.joined().contains(#""reason":"done""#))
        await server.ended(grace: .zero)
    }

    /// A model server, a strict one unless told otherwise, and its port.
    static func modelServer(_ mode: String = "", script: String = "model_server.py") throws -> (
        ChildProcess, port: String
    ) {
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script(script), mode],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        return (server, pipe.firstLine())
    }

    @Test func `a model server is asked with the key that was kept`() async throws {
        let fixture = try await Fixture()
        let (server, port) = try Self.modelServer("key")
        let url = "http://127.0.0.1:\(port)"
        let key = fixture.folder + "/key"
        try Data("sesame\n".utf8).write(to: URL(fileURLWithPath: key))
        #expect(
            try await fixture.run(["agent", "add", "keyed", "--openai", url, "--model", "m", "--key-file", key]).code
                == 0)
        #expect(try await fixture.run(["agent", "add", "plain", "--openai", url, "--model", "m"]).code == 0)
        try FileManager.default.removeItem(atPath: key)
        #expect(try await fixture.run(["agent", "ask", "keyed", "hello"]).lines.last == "Grüß dich")
        let refused = try await fixture.run(["agent", "ask", "plain", "hello"])
        #expect(refused.code == 77 && refused.lines.joined().contains("wants another key"))
        let list = try await fixture.run(["agent", "list", "--json"]).lines.joined()
        #expect(list.contains(#""has_key":true"#) && !list.contains("sesame"))
        #expect(try fixture.onDisk().allSatisfy { $0.range(of: Data("sesame".utf8)) == nil })
        #expect(try await fixture.run(["agent", "remove", "keyed"]).code == 0)
        await server.ended(grace: .zero)
    }
}
