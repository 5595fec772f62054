import Foundation
import Peers
import Testing

/// A gateway in front of an agent, as a person uses it: on one machine it is served, on another one it is paired and asked.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentGatewayTests {
    /// A gateway that runs, and a second profile.
    private final class Fixture: Sendable {
        let there: AgentTests.Fixture
        let gateway: AlcoveProcess
        let folder: String
        let here: String

        init(_ options: [String] = []) async throws {
            there = try await AgentTests.Fixture()
            folder = there.folder + "/project"
            here = there.folder + "/here"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            gateway = try there.start(
                ["agent", "serve", "helper", "--port", "0", "--folder", folder, "--json"] + options)
        }

        /// The address that the gateway shows next.
        func address() async throws -> String {
            let line = try await gateway.expect(#""type":"code""#)
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(object?["uri"] as? String)
        }

        func run(_ words: [String]) async throws -> (code: Int32, lines: [String]) {
            let process = try AlcoveProcess(words[..<2] + ["--profile", here] + words[2...])
            process.endInput()
            return (try await process.exitCode(), process.lines)
        }

        func end() async throws {
            gateway.type("/quit")
            #expect(try await gateway.exitCode() == 0)
        }
    }

    @Test func `an agent of another machine is paired, asked, and revoked`() async throws {
        let fixture = try await Fixture()
        let address = try await fixture.address()
        #expect(address.contains("&fp="))
        // Who knows no key speaks without TLS, and is told what to do.
        let port = try #require(URLComponents(string: address)?.queryItems?.first { $0.name == "port" }?.value)
        let plain = ["agent", "pair", "--host", "127.0.0.1", "--port", port, "--code", "123456", "desk"]
        let broken = try await fixture.run(plain)
        #expect(broken.code == 69 && broken.lines.joined().contains("add --fingerprint"), "\(broken.lines)")
        let added = try await fixture.run(["agent", "pair", address, "desk"])
        #expect(added.code == 0 && added.lines.joined().contains("added desk"), "\(added.lines)")
        try await fixture.gateway.expect(#""type":"paired""#)
        let again = try await fixture.run(["agent", "pair", address, "other"])
        #expect(again.code == 77, "the code counts once: \(again.lines)")
        let asked = try await fixture.run(["agent", "ask", "desk", "say one two", "--folder", fixture.folder])
        #expect(asked.code == 0 && asked.lines.last == "onetwo", "\(asked.lines)")
        #expect(try await fixture.run(["agent", "ask", "desk", "say a"]).code == 64, "it needs a folder")
        let elsewhere = try await fixture.run(["agent", "ask", "desk", "say a", "--folder", "/"])
        #expect(elsewhere.code == 1, "only what is served: \(elsewhere.lines)")
        let list = try await fixture.run(["agent", "list"]).lines
        #expect(
            list.count == 1 && list[0].hasPrefix("desk  gateway https://127.0.0.1:") && list[0].contains("key known"))
        #expect(try await fixture.run(["agent", "rename", "desk", "bench"]).code == 0)

        let devices = try await fixture.there.run(["agent", "devices", "--json"]).lines.joined()
        #expect(devices.contains(#""name":"alcove""#) && !devices.lowercased().contains("hash"))
        #expect(try await fixture.there.run(["agent", "revoke", "nobody"]).code == 66)
        #expect(try await fixture.there.run(["agent", "revoke", "alcove"]).code == 0)
        let refused = try await fixture.run(["agent", "ask", "bench", "say a", "--folder", fixture.folder])
        #expect(
            refused.code == 77 && refused.lines.joined().contains("pair with it again"),
            "nothing began: \(refused.code): \(refused.lines)")
        #expect(try await fixture.run(["agent", "remove", "bench"]).code == 0)
        try await fixture.end()
    }

    @Test func `what the agent wants is asked where it works`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "pair", try await fixture.address(), "desk"]).code == 0)
        let words = ["agent", "ask", "--profile", fixture.here, "desk", "edit", "--folder", fixture.folder]
        for (answer, said) in [("/allow 1", "yes"), ("/reject 2", "no")] {
            let asking = try AlcoveProcess(words)
            asking.endInput()
            try await fixture.gateway.expect(#""type":"request""#)
            fixture.gateway.type("/allow 99")
            try await fixture.gateway.expect("request 99 is gone")
            fixture.gateway.type(answer)
            #expect(try await asking.exitCode() == 0)
            #expect(asking.lines.last == said, "\(asking.lines)")
        }
        // After the end of its input nobody can be asked there.
        fixture.gateway.endInput()
        let asked = try await fixture.run(["agent", "ask", "desk", "edit", "--folder", fixture.folder])
        #expect(asked.code == 0 && asked.lines.last == "no", "\(asked.lines)")
        fixture.gateway.signal(SIGTERM)
        #expect(try await fixture.gateway.exitCode() == 0)
        let log = try await fixture.there.run(["agent", "log", "helper", "--json"]).lines.joined(separator: "\n")
        let entries = try JSONSerialization.jsonObject(with: Data(log.utf8)) as? [[String: Any]] ?? []
        #expect(entries.compactMap { $0["verdict"] as? String } == ["once", "reject", "reject"], "\(log)")
        #expect(entries.allSatisfy { $0["folder"] as? String == fixture.folder && $0["agent"] as? String == "helper" })
    }

    @Test func `what happens without asking is set where the agent works, and counts in its folder only`() async throws
    {
        let fixture = try await Fixture(["--policy", "edit=allow"])
        #expect(try await fixture.run(["agent", "pair", try await fixture.address(), "desk"]).code == 0)
        let root = URL(fileURLWithPath: fixture.folder).resolvingSymlinksInPath().path
        func asked(_ path: String) async throws -> String? {
            try await fixture.run(["agent", "ask", "desk", "edit \(path)", "--folder", fixture.folder]).lines.last
        }
        #expect(try await asked(root + "/a") == "yes")
        try await fixture.gateway.expect(#""type":"allowed_by_policy""#)
        fixture.gateway.type("/policy edit reject")
        try await fixture.gateway.expect(#"{"kind":"edit","policy":"reject","type":"policy"}"#)
        #expect(try await asked(root + "/a") == "no")
        try await fixture.gateway.expect(#""type":"rejected_by_policy""#)
        fixture.gateway.type("/policy edit ask")
        let chat = try AlcoveProcess(["agent", "chat", "--profile", fixture.here, "desk", "--folder", fixture.folder])
        try await chat.expect("is ready")
        chat.type("edit")
        try await fixture.gateway.expect(#""answers":["once","always","reject"]"#)
        fixture.gateway.type("/always 3")
        try await chat.expect("< yes")
        chat.type("edit")
        try await fixture.gateway.expect(#"{"request":4,"type":"allowed_before"}"#)
        try await chat.expect("< yes")
        // What is rejected is so whatever was allowed before.
        fixture.gateway.type("/policy edit reject")
        try await fixture.gateway.expect(#"{"kind":"edit","policy":"reject","type":"policy"}"#)
        chat.type("edit")
        try await fixture.gateway.expect(#"{"request":5,"type":"rejected_by_policy"}"#)
        try await chat.expect("< no")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        fixture.gateway.type("/policy edit allow")
        let words = ["agent", "ask", "--profile", fixture.here, "desk", "edit /etc/a", "--folder", fixture.folder]
        let outside = try AlcoveProcess(words)
        outside.endInput()
        try await fixture.gateway.expect(#""answers":["once","always","reject"]"#)
        fixture.gateway.type("/reject")
        #expect(try await outside.exitCode() == 0 && outside.lines.last == "no")
        try await fixture.end()
        let log = try await fixture.there.run(["agent", "log", "--json"]).lines.joined()
        #expect(log.contains(#""allowed_by_policy""#) && log.contains(#""rejected_by_policy""#), "\(log)")
        #expect(try await fixture.there.run(["agent", "serve", "helper", "--policy", "edit=maybe"]).code == 64)
    }

    @Test func `an editor uses an agent of another machine, and what it wants is asked there`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "pair", try await fixture.address(), "desk"]).code == 0)
        let words = ["agent", "acp", "--profile", fixture.here, "desk", "--folder", fixture.folder]
        let editor = try EditorTests.start(
            #"[{"new":[]},{"prompt":"say one two"},{"prompt":"edit"},{"list":true}]"#, in: "/", of: words)
        try await editor.expect(#""said": "onetwo", "stop": "end_turn""#)
        try await fixture.gateway.expect(#""type":"request""#)
        fixture.gateway.type("/allow 1")
        let turn = try await editor.expect(#""stop": "end_turn""#)
        #expect(turn.contains("yes") && turn.contains(#""asked": []"#), "\(turn)")
        try await editor.expect(#""same": [true]"#)
        #expect(try await editor.exitCode() == 0)
        try await fixture.end()
    }

    @Test func `a link that leads out of the folder is shown as the place to which it leads`() async throws {
        let there = try await AgentTests.Fixture()
        let (folder, here) = (there.folder + "/project", there.folder + "/here")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/usr/share")
        let gateway = try there.start(["agent", "serve", "helper", "--port", "0", "--folder", folder])
        let line = try await gateway.expect("alcove agent pair")
        let address = try #require(line.split(separator: "'").dropFirst().first.map(String.init))
        let pairing = try AlcoveProcess(["agent", "pair", "--profile", here, address, "desk"])
        pairing.endInput()
        #expect(try await pairing.exitCode() == 0)
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let asking = try AlcoveProcess(
            ["agent", "ask", "--profile", here, "desk", "edit \(root)/link/a", "--folder", root])
        asking.endInput()
        try await gateway.expect("/usr/share/a")
        gateway.type("/reject 1")
        #expect(try await asking.exitCode() == 0)
        #expect(asking.lines.last == "no", "\(asking.lines)")
        gateway.type("/quit")
        #expect(try await gateway.exitCode() == 0)
    }

    @Test func `a strict client of another maker gets along with it`() async throws {
        let fixture = try await Fixture()
        let words = [
            try Programs.python().path, Programs.script("gateway_client.py"), try await fixture.address(),
            fixture.folder, "say one two", "work", "say three",
        ].map { "'\($0)'" }
        let client = try await Shell(words.joined(separator: " "))
        #expect(
            client.output == """
                {"text": "onetwo", "tools": [], "before": 0}
                {"text": "", "tools": ["read-1"], "before": 2}
                {"text": "three", "tools": [], "before": 4}

                """, "\(client.output)")
        #expect(client.code == 0)
        try await fixture.end()
    }

    @Test(
        arguments: [
            ["agent", "serve", "helper", "--no-tls", "--address", "0.0.0.0"],
            ["agent", "serve", "helper", "--port", "x"],
            ["agent", "serve", "helper", "--name", "a/b"], ["agent", "pair"], ["agent", "pair", "https://a"],
            ["agent", "pair", "jcode://pair?host=elsewhere.example&code=123456"],
            ["agent", "pair", "--host", "127.0.0.1"], ["agent", "pair", "--host", "127.0.0.1", "--code", "1"],
            ["agent", "pair", "--host", "127.0.0.1", "--code", "123456", "--fingerprint", "ab"],
            ["agent", "pair", "--host", "elsewhere.example", "--code", "123456"],
        ])
    func `what cannot be, or would travel readable, is refused`(words: [String]) async throws {
        let process = try AlcoveProcess(words)
        process.endInput()
        #expect(try await process.exitCode() == 64, "\(process.lines)")
    }
}
