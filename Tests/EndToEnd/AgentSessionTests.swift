import Foundation
import Testing

/// Sessions with agents that go on after their terminal, and that several terminals show.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentSessionTests {
    typealias Fixture = AgentTests.Fixture

    @Test func `a session is listed, gone on with, renamed and deleted`() async throws {
        let fixture = try await Fixture("acp_agent.py", ["loads", NSTemporaryDirectory() + UUID().uuidString])
        let first = try fixture.start(["agent", "chat", "helper", "--folder", fixture.folder])
        first.type("say one")
        try await first.expect("< one")
        first.type("/mode")
        try await first.expect("    [ ] Plan")
        first.type("/mode Plan")
        try await first.expect("* mode: Plan")
        first.type("/model none")
        try await first.expect("! there is no model none")
        first.type("/quit")
        #expect(try await first.exitCode() == 0)
        let list = try await fixture.run(["agent", "sessions", "helper"]).lines
        #expect(list.count == 1 && list[0].contains("helper  Done  say one  \(fixture.folder)"), "\(list)")
        let id = String(list[0].prefix(8))
        // As after a crash of the machine: neither the host process nor the agent is there any more.
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        let second = try fixture.start(["agent", "chat", "helper", "--session", id])
        try await second.expect("> say one")
        try await second.expect("< one")
        second.type("recall")
        try await second.expect("< say one plan small")
        second.endInput()
        #expect(try await second.exitCode() == 0)
        #expect(!second.lines.joined().contains("anew"))
        let asked = try await fixture.run(["agent", "ask", "helper", "recall", "--session", id])
        #expect(asked.lines.last == "say one recall plan small")
        #expect(try await fixture.run(["agent", "sessions", "rename", id, "The first"]).lines.isEmpty)
        let json = try await fixture.run(["agent", "sessions", "--json"]).lines.joined()
        #expect(
            json.contains(#""title":"The first""#) && json.contains(#""state":"done""#) && json.contains(#""turns":3"#))
        #expect(
            try await fixture.run(["agent", "models", "helper"]).lines.contains {
                $0.contains("small") && $0.hasPrefix("*")
            })
        #expect(try await fixture.run(["agent", "sessions", "delete", id]).code == 0)
        #expect(try await fixture.run(["agent", "sessions"]).lines.first?.hasPrefix("No sessions yet") == true)
        #expect(try await fixture.run(["agent", "chat", "helper", "--session", id]).code == 66)
        #expect(try await fixture.run(["agent", "sessions", "delete", "none"]).code == 66)
    }

    @Test func `a session that another program began is listed and taken up`() async throws {
        let fixture = try await Fixture("acp_agent.py", ["loads", NSTemporaryDirectory() + UUID().uuidString])
        #expect(try await fixture.run(["agent", "ask", "helper", "say one"]).code == 0)
        #expect(try await fixture.run(["agent", "sessions"]).lines.first?.hasPrefix("No sessions yet") == true)
        let list = try await fixture.run(["agent", "sessions", "helper", "--elsewhere"]).lines
        #expect(list.count == 2 && list[0].hasPrefix("session ‹1›") && list[1].contains("Another"), "\(list)")
        #expect(!list.joined().contains("\u{1B}"))
        let json = try await fixture.run(["agent", "sessions", "helper", "--elsewhere", "--json"]).lines.joined()
        #expect(json.contains(#""id":"other""#) && json.contains(#""changed_at":"2026-03-01T10:00:00.000Z"#))
        let chat = try fixture.start(["agent", "chat", "helper", "--take-up", "sess"])
        try await chat.expect("> say one")
        try await chat.expect("< what it said")
        chat.type("recall")
        try await chat.expect("< say one ask small")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        let kept = try await fixture.run(["agent", "sessions", "helper"]).lines
        #expect(kept.count == 1 && kept[0].contains("say one"), "\(kept)")
        // Who asks once gets the answer alone, and nothing of what was said before.
        #expect(try await fixture.run(["agent", "sessions", "delete", String(kept[0].prefix(8))]).code == 0)
        let asked = try await fixture.run(["agent", "ask", "helper", "recall", "--take-up", "sess"])
        #expect(asked.lines == ["say one recall ask small"], "\(asked)")
        #expect(try await fixture.run(["agent", "chat", "helper", "--take-up", "nothing"]).code == 66)
        #expect(try await fixture.run(["agent", "chat", "helper", "--take-up", "o", "--session", "o"]).code == 64)
    }

    @Test func `two terminals show one session, and the first answer counts`() async throws {
        let fixture = try await Fixture()
        let one = try fixture.start(["agent", "chat", "helper", "--json"])
        let id = try #require(try await one.expect(#""type":"session""#).split(separator: "\"").dropFirst(3).first)
        one.type("edit")
        try await one.expect(#""type":"request""#)
        let two = try fixture.start(["agent", "chat", "helper", "--session", String(id)])
        try await two.expect("? Request 1: Change a [edit]")
        two.type("/allow 1")
        try await one.expect(#"{"request":1,"type":"allowed"}"#)
        try await one.expect(#"{"text":"yes","type":"text"}"#)
        try await two.expect("< yes")
        two.type("/reject 1")
        try await two.expect("! request 1 is gone, or there was none")
        one.type("/quit")
        two.type("/quit")
        #expect(try await one.exitCode() == 0)
        #expect(try await two.exitCode() == 0)
    }

    @Test func `what was asked once, and a session in which nothing was asked, are not kept`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["agent", "ask", "helper", "say one"]).lines.last == "one")
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("helper is ready")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        #expect(try await fixture.run(["agent", "sessions", "--json"]).lines == ["[]"])
    }
}
