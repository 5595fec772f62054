import Foundation
import Peers
import Testing

/// An agent of one person that another one uses, as both type it: two profiles, each with a host process of its own.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentSharingTests {
    /// Ada and Ben in each other's circle, connected, and an agent of Ada's.
    private final class Fixture {
        let rooms: RoomFixture
        let chats: [AlcoveProcess]
        let project: String

        /// - Parameter program: starts the hosts, if it is not `alcove` itself.
        init(_ rooms: RoomFixture, program: String = AlcoveProcess.program) async throws {
            self.rooms = rooms
            project = rooms.folder + "/project"
            try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
            let (ada, ben) = try await rooms.members()
            try await RoomFixture.quit(ada, ben)
            chats = try [("ada", "Ben"), ("ben", "Ada")].map { [rooms] name, peer in
                try AlcoveProcess(["chat", peer] + rooms.options(name), startsHost: true, program: program)
            }
            for chat in chats { try await chat.expect("Connected, verified") }
            let command = [try Programs.python().path, Programs.script("acp_agent.py"), "sees"]
            #expect(try await run("ada", ["agent", "add", "helper", "--"] + command).code == 0)
        }

        /// The words of a command with the profile, which stands before what is not an option.
        func words(_ name: String, _ words: [String]) -> [String] {
            words[..<2] + ["--profile", "\(rooms.folder)/\(name)"] + words[2...]
        }

        func start(_ name: String, _ words: [String]) throws -> AlcoveProcess {
            try AlcoveProcess(self.words(name, words))
        }

        func run(_ name: String, _ words: [String]) async throws -> (code: Int32, text: String) {
            let process = try start(name, words)
            process.endInput()
            let code = try await process.exitCode()
            return (code, process.lines.joined(separator: "\n"))
        }

        func until(_ name: String, _ words: [String], says wanted: String, _ isSo: Bool = true) async throws {
            let end = ContinuousClock.now + AlcoveProcess.patience
            while true {
                let text = try await run(name, words).text
                if text.contains(wanted) == isSo { return }
                guard .now < end else {
                    throw AlcoveProcess.Failure("never \(isSo ? "" : "without ")\(wanted): \(text)")
                }
                try await Task.sleep(for: .milliseconds(100))
            }
        }

        /// Ada shares the agent, and Ben talks with it.
        func chatOfMember() async throws -> AlcoveProcess {
            let share = ["agent", "share", "helper", "--with", "Ben", "--folder", project]
            #expect(try await run("ada", share).code == 0)
            try await until("ben", ["agent", "list"], says: "helper@Ada")
            let chat = try start("ben", ["agent", "chat", "helper@Ada"])
            try await chat.expect("helper@Ada is ready")
            chat.type("say before")
            try await chat.expect("< before")
            return chat
        }

        func end() async throws {
            for chat in chats { chat.type("/quit") }
            for chat in chats { _ = try await chat.exitCode() }
            for name in ["ada", "ben"] { _ = try await run(name, ["host", "stop"]) }
        }
    }

    @Test func `an agent is shared, used and shared no longer, by what people type`() async throws {
        let fixture = try await Fixture(RoomFixture())
        let share = ["agent", "share", "helper", "--with", "Ben", "--folder", fixture.project]
        #expect(try await fixture.run("ada", ["agent", "share", "helper", "--with", "Nobody"]).code == 66)
        #expect(try await fixture.run("ada", share.dropLast() + ["/no/such/folder"]).code == 66)
        let shared = try await fixture.run("ada", share)
        #expect(shared.code == 0 && shared.text.contains("It runs with all your rights"), "\(shared.text)")
        #expect(try await fixture.run("ada", ["agent", "list", "--json"]).text.contains(#""Ben""#))
        try await fixture.until("ben", ["agent", "list"], says: "helper@Ada")

        let chat = try fixture.start("ben", ["agent", "chat", "helper@Ada"])
        try await chat.expect("helper@Ada is ready")
        chat.type("where")
        try await chat.expect("< " + URL(fileURLWithPath: fixture.project).resolvingSymlinksInPath().path)
        // What it asks is asked on both sides: of a place outside of the folder only Ada allows it.
        chat.type("edit")
        try await chat.expect("? Request 1: Change a [edit]")
        #expect(try await fixture.run("ada", ["agent", "sessions"]).text.contains("helper for Ben"))
        let sessions = try await fixture.run("ada", ["agent", "sessions", "--json"]).text
        #expect(sessions.contains(#""member":"Ben""#))
        let id = try #require(sessions.firstMatch(of: /"id":"([^"]+)"/)?.1)
        let owner = try fixture.start("ada", ["agent", "chat", "helper", "--session", String(id)])
        try await owner.expect("? Request 1: Change a [edit]")
        owner.type("say no")
        try await owner.expect("only the person asks with whom you share the agent")
        owner.type("/allow 1")
        try await chat.expect("< yes")
        owner.type("/quit")
        #expect(try await owner.exitCode() == 0)

        // A picture goes along.
        let picture = fixture.rooms.folder + "/dot.gif"
        try Data(Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 60_000)).write(to: URL(fileURLWithPath: picture))
        chat.type("/image \(picture)")
        try await chat.expect("It goes along with the next question.")
        chat.type("look")
        try await chat.expect("< image/gif 60006")

        // An editor of Ben's uses it, too, and what is in the folder he may allow.
        let editor = try EditorTests.start(
            #"[{"new":[]},{"prompt":"say one"},{"prompt":"edit \#(fixture.project)/a","answer":"once"}]"#, in: "/",
            of: fixture.words("ben", ["agent", "acp", "helper@Ada"]))
        try await editor.expect(#""said": "one", "stop": "end_turn""#)
        try await editor.expect(#""said": "yes", "stop": "end_turn""#)
        #expect(try await editor.exitCode() == 0)

        // The agent ends: the next question says plainly that it begins anew.
        #expect(try await fixture.run("ada", ["host", "stop"]).code == 0)
        _ = try await fixture.chats[0].exitCode()
        let again = try AlcoveProcess(["chat", "Ben"] + fixture.rooms.options("ada"), startsHost: true)
        try await again.expect("Connected, verified")
        chat.type("say again")
        try await chat.expect("The agent was started anew. It knows nothing of what stands above.")
        try await chat.expect("< again")

        // Whoever takes one from their list is told that it is still shared.
        #expect(try await fixture.run("ada", ["agent", "add", "spare", "--", "true"]).code == 0)
        let spare = ["agent", "share", "spare", "--with", "Ben", "--folder", fixture.project]
        #expect(try await fixture.run("ada", spare).code == 0)
        try await fixture.until("ben", ["agent", "list"], says: "spare@Ada")
        let removed = try await fixture.run("ben", ["agent", "remove", "spare@Ada"])
        #expect(removed.code == 0 && removed.text.contains("Ada still shares spare@Ada with you"), "\(removed.text)")

        // A code that nobody has used yet is no other Ben.
        let waiting = try AlcoveProcess(
            ["chat", "--create", "--name", "Ben"] + fixture.rooms.options("ada"), startsHost: true)
        waiting.endInput()
        #expect(try await waiting.exitCode() == 0)
        let unshared = try await fixture.run("ada", ["agent", "unshare", "helper", "--with", "Ben"])
        #expect(unshared.code == 0)
        let refused = try await fixture.run("ada", ["agent", "unshare", "helper", "--with", "Ben"])
        #expect(refused.code == 66 && refused.text.contains("does not use helper"), "\(refused.text)")
        try await fixture.until("ben", ["agent", "list"], says: "helper@Ada", false)
        chat.type("say more")
        try await chat.expect("Not asked:")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        again.type("/quit")
        _ = try await again.exitCode()
        try await fixture.end()
    }

    /// The owner's host process is killed, then the member's: what is asked stays open on both sides, and is answered once.
    @Test func `a request outlives the host processes of both sides`() async throws {
        let fixture = try await Fixture(RoomFixture())
        let chat = try await fixture.chatOfMember()
        for (number, killed) in [["ada"], ["ben"], ["ada", "ben"]].enumerated() {
            chat.type("edit \(fixture.project)/a")
            try await chat.expect("? Request \(number + 1): Change a [edit]")
            for name in killed {
                let status = try await fixture.run(name, ["host", "status", "--json"]).text
                kill(try #require(status.firstMatch(of: /"pid":(\d+)/).flatMap { pid_t($0.1) }), SIGKILL)
            }
            chat.type("/allow \(number + 1)")
            try await chat.expect("* Request \(number + 1): allowed.")
            try await chat.expect("< yes")
        }
        chat.type("say after")
        try await chat.expect("< after")
        #expect(chat.lines.count { $0.contains("< yes") } == 3, "\(chat.lines)")
        #expect(!chat.lines.joined().contains("anew") && !chat.lines.joined().contains("too late"), "\(chat.lines)")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        try await fixture.end()
    }

    #if os(Linux)
    /// The member's computer sleeps, with the owner's or without it.
    @Test(arguments: [["ben"], ["ada", "ben"]])
    func `after a day of sleep a question has expired, nothing was allowed, and both go on`(
        sleepers: [String]
    ) async throws {
        let rooms = try await RoomFixture()
        let clock = try await ShiftedClock(in: rooms.folder)
        let fixture = try await Fixture(rooms, program: clock.program)
        let chat = try await fixture.chatOfMember()
        chat.type("edit \(fixture.project)/a")
        try await chat.expect("? Request 1: Change a [edit]")

        var hosts: [pid_t] = []
        for name in sleepers {
            let status = try await fixture.run(name, ["host", "status", "--json"]).text
            hosts.append(try #require(status.firstMatch(of: /"pid":(\d+)/).flatMap { pid_t($0.1) }))
        }
        for host in hosts { kill(host, SIGSTOP) }
        defer { for host in hosts { kill(host, SIGCONT) } }
        try await Task.sleep(for: .seconds(2))
        try clock.set(seconds: 86_400, sleepingFor: 86_400)
        for host in hosts { kill(host, SIGCONT) }

        try await chat.expect("< no")
        // Whoever wakes first lets it expire: the owner here, or the member, whose side then rejects it.
        try await fixture.until("ada", ["agent", "log", "--json"], says: "\"allowed\":false")
        let log = try await fixture.run("ada", ["agent", "log", "--json"]).text
        #expect(!log.contains("\"once\"") && !log.contains("once_by_member"), "\(log)")
        chat.type("say after")
        try await chat.expect("< after")
        let lines = chat.lines
        for said in ["< before", "< no", "< after"] { #expect(lines.count { $0.contains(said) } == 1, "\(lines)") }
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        try await fixture.end()
    }
    #endif
}
