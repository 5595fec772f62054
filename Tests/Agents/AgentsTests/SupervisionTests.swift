import AgentProtocols
import Errors
import Foundation
import Networking
import Synchronization
import Testing
import Wire

@testable import Agents

/// An agent under a supervisor outlives the host process, and nothing that it says is lost or heard twice.
@Suite(.timeLimit(.minutes(1)))
struct SupervisionTests {
    /// A supervisor with an agent that follows a script, on a socket of its own.
    private final class Fixture: Sendable {
        let agent: ScriptedAgent
        let place: SupervisorPlace
        let running: Task<Void, any Error>

        init(
            _ script: [ScriptedAgent.Line], patience: AgentSupervisor.Patience = AgentSupervisor.Patience()
        ) async throws {
            let folder = NSTemporaryDirectory() + "supervised-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            place = SupervisorPlace(program: "/bin/false", folder: folder)
            let agent = ScriptedAgent(script, folder: folder)
            self.agent = agent
            let supervisor = AgentSupervisor(patience: patience) { _ in agent }
            let path = place.path(of: "a")
            running = Task { try await supervisor.run(at: path) }
            while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(1)) }
        }

        deinit {
            running.cancel()
            try? FileManager.default.removeItem(atPath: place.folder)
        }

        /// A host process that starts the agent.
        func started() async throws -> Host {
            let host = Host(try place.connect(to: "a"))
            host.want(.start(SupervisedProgram(AgentProgram(["x"], folder: "/")).object))
            _ = try await host.next { if case .ready = $0 { true } else { false } }
            return host
        }

        func resumed(after: Int) -> SupervisedAgent {
            SupervisedAgent(
                SupervisedProgram(AgentProgram(["x"], folder: "/")), at: place,
                resuming: .init(supervisor: "a", after: after))
        }
    }

    /// The socket's end of a host process.
    private final class Host: Sendable {
        let channel: LineChannel

        init(_ channel: LineChannel) { self.channel = channel }

        func want(_ wish: SupervisorWish) { channel.send(wish.line) }

        func next(where isWanted: (SupervisorReport) -> Bool) async throws -> SupervisorReport {
            while let line = await channel.next() {
                let report = try SupervisorReport(line)
                if isWanted(report) { return report }
            }
            throw AgentError(.ended, "the supervisor said no more")
        }

        /// The texts of so many events.
        func events(_ count: Int) async throws -> [AgentEvent] {
            var events: [AgentEvent] = []
            while events.count < count {
                let report = try await next { if case .event = $0 { true } else { false } }
                guard case .event(let sequence, let event) = report else { continue }
                #expect(sequence == events.count + 1)
                events.append(try #require(AgentEvent(supervised: event)))
            }
            return events
        }
    }

    private static let texts = (0..<6).map { AgentEvent.text(AgentText("piece \($0)")) }

    @Test(arguments: 0...7) func `whatever was kept, the next host process hears the rest`(kept: Int) async throws {
        let fixture = try await Fixture(Self.texts.map { .say($0) })
        let first = try await fixture.started()
        first.want(.prompt(number: 1, turn: 1, text: "go", pictures: []))
        let before = try await first.events(min(kept, 7))
        first.want(.taken(through: max(kept - 1, 0)))
        first.channel.cut()

        let second = fixture.resumed(after: kept)
        try await second.start()
        // It was begun before.
        try await second.prompt(AgentPrompt("go", turn: 1))
        var heard: [AgentEvent] = []
        while !(before + heard).contains(.turnEnded(.done)), let event = await second.events.next() {
            if case .link = event { continue }
            heard.append(event)
        }
        #expect(before + heard == Self.texts + [.turnEnded(.done)])
        #expect(fixture.agent.prompts == ["go"])
        await second.stop()
        try await fixture.running.value
    }

    @Test func `a request outlives the host process, and is answered once`() async throws {
        let fixture = try await Fixture([.ask(AgentToolCall(id: "c")), .ask(AgentToolCall(id: "d"))])
        let first = try await fixture.started()
        first.want(.prompt(number: 1, turn: 1, text: "go", pictures: []))
        _ = try await first.events(1)
        // Killed with its answer on the way: it was given, and nobody heard so.
        first.want(.answer(number: 2, request: 1, option: "allow_once"))
        _ = try await first.next { if case .done(2, nil, _) = $0 { true } else { false } }
        first.channel.cut()

        let second = fixture.resumed(after: 1)
        try await second.start()
        var (texts, requests): ([String], [Int]) = ([], [])
        func hear(until count: Int) async {
            while texts.count < count, let event = await second.events.next() {
                if case .text(let text) = event { texts.append(text.text) }
                if case .permission(let asked) = event { requests.append(asked.id.number) }
            }
        }
        await hear(until: 1)
        try await second.answer(AgentPermission.ID(number: 1), option: "allow_once")
        await #expect(throws: AgentError.self) {
            try await second.answer(AgentPermission.ID(number: 1), option: "reject_once")
        }
        while requests.isEmpty, let event = await second.events.next() {
            if case .permission(let asked) = event { requests.append(asked.id.number) }
        }
        try await second.answer(AgentPermission.ID(number: 2), option: nil)
        await hear(until: 2)
        #expect(texts == ["allow_once", "cancelled"] && requests == [2])
        await second.stop()
        try await fixture.running.value
    }

    @Test func `a second host process takes the place of the first, and no answer comes to the wrong one`() async throws
    {
        let fixture = try await Fixture([.wait])
        let first = try await fixture.started()
        let second = fixture.resumed(after: 0)
        try await second.start()
        #expect(await first.channel.next() == nil)
        try await second.prompt(AgentPrompt("go", turn: 1))
        #expect(fixture.agent.prompts == ["go"])
        await second.stop()
        try await fixture.running.value
    }

    @Test func `one that nobody needs any more ends`() async throws {
        let fixture = try await Fixture([])
        let host = try await fixture.started()
        host.want(.leave)
        host.channel.finish()
        try await fixture.running.value
        #expect(!FileManager.default.fileExists(atPath: fixture.place.path(of: "a")))
        await #expect(throws: AgentError.self) { try await fixture.resumed(after: 0).start() }
    }

    @Test func `a turn is not waited for longer than an answer may take`() async throws {
        var patience = AgentSupervisor.Patience()
        patience.inTurn = .seconds(5)
        let fixture = try await Fixture([.wait], patience: patience)
        let host = try await fixture.started()
        host.want(.prompt(number: 1, turn: 1, text: "go", pictures: []))
        _ = try await host.next { if case .done = $0 { true } else { false } }
        host.want(.leave)
        host.channel.finish()
        try await Task.sleep(for: .milliseconds(600))
        #expect(!fixture.agent.isCancelled)
        try await fixture.running.value
        #expect(fixture.agent.isCancelled)
    }

    @Test func `it ends with the profile`() async throws {
        let fixture = try await Fixture([.wait])
        let host = try await fixture.started()
        host.want(.prompt(number: 1, turn: 1, text: "go", pictures: []))
        try FileManager.default.removeItem(atPath: fixture.place.folder)
        try await fixture.running.value
        #expect(fixture.agent.isCancelled)
    }

    @Test func `an agent that cannot be started says why`() async throws {
        let place = SupervisorPlace(program: "/bin/false", folder: NSTemporaryDirectory() + "none")
        let agent = SupervisedAgent(SupervisedProgram(AgentProgram(["/no/such"], folder: "/")), at: place)
        await #expect(throws: AgentError(.cannotStart, "there is no program /no/such, or it may not be run")) {
            try await agent.start()
        }
        let other = SupervisedAgent(SupervisedProgram(AgentProgram(["true"], folder: "/")), at: place)
        await #expect(throws: AgentError(.cannotStart, "the process that runs the agent did not start")) {
            try await other.start()
        }
    }

    // MARK: Lines

    private static let wishes: [SupervisorWish] = [
        .start(["command": ["a"]]), .resume(after: 3), .prompt(number: 1, turn: 2, text: "é\n", pictures: ["AA=="]),
        .cancel, .answer(number: 1, request: 2, option: "y"), .answer(number: 1, request: 2, option: nil),
        .give(number: 1, request: 2, text: "secret"), .choose(number: 1, kind: "mode", option: "plan"),
        .taken(through: 9), .leave, .stop,
    ]

    private static let reports: [SupervisorReport] = [
        .ready(process: 7, last: 0, turn: 0, seesPictures: nil),
        .ready(process: 7, last: 9, turn: 2, seesPictures: true),
        .ready(process: 7, last: 9, turn: 2, seesPictures: false),
        .event(sequence: 4, SharedEvent(.text, ["text": "x"])),
        .done(number: 1, code: nil, message: ""), .done(number: 1, code: "gone", message: "why"), .log("x\ny"),
    ]

    @Test(arguments: wishes) func `a wish comes as it was`(wish: SupervisorWish) throws {
        #expect(!wish.line.contains(UInt8(ascii: "\n")))
        #expect(try SupervisorWish(wish.line) == wish)
    }

    @Test(arguments: reports) func `a report comes as it was`(report: SupervisorReport) throws {
        #expect(!report.line.contains(UInt8(ascii: "\n")))
        #expect(try SupervisorReport(report.line) == report)
    }

    @Test(arguments: ["", "{}", "[]", #"{"wish":"dance"}"#, #"{"wish":"resume","after":-1}"#, #"{"wish":"answer"}"#])
    func `what is no wish is refused`(line: String) {
        #expect(throws: AgentProtocolError.self) { try SupervisorWish(Array(line.utf8)) }
        #expect(throws: AgentProtocolError.self) { try SupervisorReport(Array(line.utf8)) }
    }

    @Test func `a program comes with its keys and its walls`() throws {
        let program = SupervisedProgram(
            AgentProgram(
                ["/bin/agent", "--x", "ä b"], folder: "/", variables: try AgentVariables("KEY=\" a=b \"\nB='q'"),
                sandbox: AgentWall(network: true, readable: ["/srv"], isReadOnly: true)),
            tools: [ToolServer(name: "alcove", command: "/bin/alcove", arguments: ["mcp"])], thread: "t", retells: true)
        var bytes: [UInt8] = []
        JSONValue.object(program.object).write(to: &bytes)
        #expect(SupervisedProgram(try BoundedJSON.object(bytes)) == program)
        let bare = SupervisedProgram(AgentProgram(["a"], folder: "/"))
        #expect(SupervisedProgram(bare.object) == bare)
        #expect(SupervisedProgram(["command": ["a"], "folder": "/", "sandbox": "none"]) == nil)
    }

    private static let own: [AgentEvent] = [
        .opened(thread: "t", goesOn: true), .opened(thread: nil, goesOn: false),
        .retold([.asked("a"), .said("b"), .thought("c"), .called(AgentToolCall(id: "d", title: "e"))]),
        .setting(AgentSetting(kind: .mode, current: "plan", options: [.init(id: "plan", name: "Plan")])),
        .setting(AgentSetting(kind: .model, current: "", options: [])), .chosen(.model, "small"),
        .permission(
            AgentPermission(id: .init(number: 1), toolCall: AgentToolCall(id: "t"), options: [], input: .secret)),
        .permission(AgentPermission(id: .init(number: 2), toolCall: AgentToolCall(id: "t"), options: [], input: .text)),
        .turnEnded(.failed(AgentError(.refused, "no more credit"))),
        .ended(AgentError(.ended, "it ended with status 7")),
        .ended(nil), .remark(AgentText("x", omitted: 2)), .mode("m"), .title("t"), .detail("d"),
        .usage(AgentUsage(used: 1, size: 2)), .rolledBack(whole: true), .text("x"), .reasoning("y"),
    ]

    @Test(arguments: own) func `what an agent says comes whole`(event: AgentEvent) throws {
        let line = SupervisorReport.event(sequence: 1, try #require(event.supervised.first)).line
        guard case .event(1, let came) = try SupervisorReport(line) else { return #expect(Bool(false)) }
        #expect(AgentEvent(supervised: came) == event)
    }

    @Test func `a large difference comes whole`() throws {
        var call = AgentToolCall(id: "c")
        let text = String(repeating: "\u{1}x", count: 100_000)
        call.results = [.difference(path: "/a", old: AgentText(text), new: AgentText(text + "y"))]
        let shared = try #require(AgentEvent.toolCall(call).supervised.first)
        #expect(AgentEvent(supervised: shared) == .toolCall(call))
    }
}
