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

        deinit { try? FileManager.default.removeItem(atPath: folder) }

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

    @Test func `agents are added, listed, renamed and removed`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "add", "HELPER", "--", "x"]).code == 64)
        #expect(try await fixture.run(["agent", "add", "other"]).code == 64)
        #expect(try await fixture.run(["agent", "add", "other", "--openai", "nonsense"]).code == 64)
        let added = try await fixture.run([
            "agent", "add", "local", "--openai", "http://127.0.0.1:1/", "--model", "m", "--json",
        ])
        #expect(added.lines.joined().contains(#""url":"http://127.0.0.1:1""#))
        #expect(try await fixture.run(["agent", "rename", "local", "model"]).code == 0)
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
        chat.signal(SIGTERM)
        #expect(try await chat.exitCode() == 0)
        while let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8), !status.contains(") Z ")
        {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func `a long answer arrives whole`() async throws {
        let fixture = try await Fixture("faulty_agent.py", ["flood", "16"])
        let words = fixture.words(["agent", "ask", "helper", "go"]).map { "'\($0)'" }.joined(separator: " ")
        let count = try await Shell("'\(AlcoveProcess.program)' \(words) < /dev/null | wc -c")
        #expect(Int(count.output.trimmingCharacters(in: .whitespacesAndNewlines)) == (16 << 18) + 1)
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

    @Test func `a model server is asked with the key that was kept`() async throws {
        let fixture = try await Fixture()
        let pipe = Pipe()
        let server = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("model_server.py"), "key"],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let port = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(
            in: .newlines)
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
