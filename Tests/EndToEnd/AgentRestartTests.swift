import Foundation
import Peers
import Testing

/// The host process ends in the middle of a turn, in every way in which it can. The agent does not, and the next host process goes on with it.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentRestartTests {
    typealias Fixture = AgentTests.Fixture

    private static func host(_ fixture: Fixture) async throws -> pid_t {
        let status = try await fixture.run(["host", "status", "--json"]).lines.joined()
        return try #require(status.firstMatch(of: /"pid":(\d+)/).flatMap { pid_t($0.1) })
    }

    private static func session(_ fixture: Fixture) async throws -> String {
        let list = try await fixture.run(["agent", "sessions", "--json"]).lines.joined()
        return String(try #require(list.firstMatch(of: /"id":"([^"]+)"/)?.1))
    }

    enum End: String, CaseIterable {
        case killed, stopped, restarted
    }

    @Test(arguments: End.allCases) func `a request outlives the host process, and is answered once`(end: End)
        async throws
    {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("helper is ready")
        chat.type("say before")
        try await chat.expect("< before")
        chat.type("edit")
        try await chat.expect("? Request 1: Change a [edit]")
        let id = try await Self.session(fixture)
        let agents = try Self.processes(of: fixture)
        #expect(agents.count == 1)
        switch end {
        case .killed: kill(try await Self.host(fixture), SIGKILL)
        case .stopped:
            #expect(try await fixture.run(["host", "stop"]).code == 0)
            _ = try await chat.exitCode()
        case .restarted: #expect(try await fixture.run(["host", "restart"]).code == 0)
        }
        #expect(try Self.processes(of: fixture) == agents)
        let next =
            end == .stopped ? try fixture.start(["agent", "chat", "helper", "--session", id]) : chat
        if end == .stopped { try await next.expect("? Request 1: Change a [edit]") }
        next.type("/allow 1")
        try await next.expect("* Request 1: allowed.")
        try await next.expect("< yes")
        next.type("say after")
        try await next.expect("< after")
        next.type("/quit")
        #expect(try await next.exitCode() == 0)
        #expect(!next.lines.joined().contains("anew") && !next.lines.joined().contains("unknown"), "\(next.lines)")
        #expect(next.lines.count { $0.contains("< yes") } == 1)
        #expect(try Self.processes(of: fixture) == agents)
        // With nothing to do it ends with the host process.
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        while try !Self.processes(of: fixture).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        let left = try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/profile/Agents")
        #expect(left.isEmpty)
    }

    @Test func `a host process that was killed is started again as it was`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        let first = try fixture.start(["host", "run", "--bind", "127.0.0.1", "--relay-only"])
        try await first.expect("host.sock")
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("helper is ready")
        first.signal(SIGKILL)
        _ = try await first.exitCode()
        chat.type("say after")
        try await chat.expect("< after")
        let words = FileManager.default.contents(atPath: "/proc/\(try await Self.host(fixture))/cmdline") ?? Data()
        let options = String(decoding: words, as: UTF8.self).split(separator: "\0")
        #expect(options.contains("--relay-only") && options.contains("--bind=127.0.0.1"), "\(options)")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
    }

    @Test func `what is said while there is no host process is heard by the next one`() async throws {
        let fixture = try await Fixture("faulty_agent.py", ["flood", "3"])
        let chat = try fixture.start(["agent", "chat", "helper", "--json"])
        chat.type("go")
        try await chat.expect(#""type":"text""#)
        let host = try await Self.host(fixture)
        chat.signal(SIGKILL)
        kill(host, SIGKILL)
        let id = try await Self.session(fixture)
        // Starts the next host process, which takes its time to hear it.
        let end = ContinuousClock.now + AlcoveProcess.patience
        var session = ""
        while !session.contains(#""state":"done""#), .now < end {
            session = try await fixture.run(["agent", "sessions", "--json"]).lines.joined()
            #expect(!session.contains(#""state":"unknown""#))
        }
        #expect(session.contains(#""state":"done""#), "\(session)")
        let again = try await fixture.run(["agent", "ask", "helper", "go", "--session", id])
        #expect(again.lines.joined().utf8.count == 3 << 18)
    }

    @Test func `an agent that ended meanwhile leaves what it did unknown`() async throws {
        let fixture = try await Fixture()
        let chat = try fixture.start(["agent", "chat", "helper"])
        chat.type("edit")
        try await chat.expect("? Request 1: Change a [edit]")
        let id = try await Self.session(fixture)
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        for process in try Self.processes(of: fixture) { kill(process, SIGKILL) }
        let next = try fixture.start(["agent", "chat", "helper", "--session", id])
        try await next.expect("unknown since")
        next.type("/allow 1")
        try await next.expect("! request 1 is gone, or there was none")
        next.type("/quit")
        #expect(try await next.exitCode() == 0)
    }

    /// The supervisors of a profile.
    private static func processes(of fixture: Fixture) throws -> Set<pid_t> {
        let folder = Array((fixture.folder + "/profile/Agents/").utf8)
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        return Set(
            all.filter { process in
                let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
                return words.split(separator: 0).contains { $0.starts(with: folder) }
            })
    }
}
