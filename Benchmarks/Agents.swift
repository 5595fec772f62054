import AppCore
import Foundation
import Host

extension Suite {
    static let agents = Suite(name: "agents", about: "sessions with agents, in the core and in a host with a program") {
        recorder in
        try await recordSessions(recorder)
        for size in [1, 128] {
            let count = 100_000
            try await recorder.rate(
                "deltas applied in the core, \(size) at once", unit: "deltas/s", aim: 100_000, count: count
            ) {
                var talk = try Talk()
                for _ in 0..<(count / size) {
                    talk.tell(Array(repeating: .text(text: "and so it goes, on and on "), count: size))
                }
            }
        }
        try await recorder.rate("changes of calls applied in the core, 128 at once", unit: "deltas/s", count: 20_000) {
            var talk = try Talk()
            for number in 0..<156 { talk.tell((0..<128).map { Talk.change($0, of: number) }) }
        }
        try await recordFlood("100 MB of deltas from a program", "deltas", recorder)
        try await recordFlood("10 MB of output of a tool", "output", recorder)
        try await recordFlood(
            "100 MB of deltas from a program under a supervisor", "deltas", supervisor: program, recorder)
        try await recordRestarts(recorder)
        try await SharedAgents.record(recorder, program: Self.program)
    }

    private static func recordSessions(_ recorder: Recorder) async throws {
        var talks: [Talk] = []
        let before = Machine.residentBytes()
        for _ in 0..<5 {
            var talk = try Talk()
            for number in 0..<1000 {
                talk.tell((0..<100).map { $0 % 10 == 0 ? Talk.change($0, of: number) : .text(text: "and so it goes ") })
            }
            talks.append(talk)
        }
        let bytes = Double(Machine.residentBytes() - before) / Double(talks.count)
        await recorder.record(
            "memory of a session after 100 000 events", bytes / 1e6, unit: "MB", better: .lower, aim: 8)
    }

    /// A program floods a host: how long it takes until the turn is over, and how much memory it takes meanwhile.
    private static func recordFlood(
        _ name: String, _ kind: String, supervisor: String? = nil, _ recorder: Recorder
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/flood-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let host = try await host(in: folder, supervisor)
        let session = try await session(in: host, kind)
        let before = Machine.residentBytes()
        let peak = Task {
            var most = before
            while !Task.isCancelled {
                most = max(most, Machine.residentBytes())
                try? await Task.sleep(for: .milliseconds(20))
            }
            return most
        }
        let duration = await ContinuousClock().measure {
            await host.dispatch(.agents(.askAgent(session: session, text: "go")))
            for await _ in await host.changes() where await host.read({ $0.talks[session]?.session.isInTurn }) != true {
                break
            }
        }
        let end = await host.read { $0.talks[session]?.session.end?.reason }
        peak.cancel()
        let most = await peak.value
        await host.stop()
        guard end == .done else { throw NoSession() }
        await recorder.record("\(name): until the turn is over", seconds(duration), unit: "s", better: .lower)
        await recorder.record(
            "\(name): memory meanwhile", Double(most - before) / 1e6, unit: "MB", better: .lower, aim: 64)
    }

    /// The host ends in the middle of a turn that goes on under its supervisor: how long the next one takes until it has everything of the meantime.
    private static func recordRestarts(_ recorder: Recorder) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/restarts-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var host = try await host(in: folder, program)
        let session = try await session(in: host, "paced")
        await host.dispatch(.agents(.askAgent(session: session, text: "go")))
        for await _ in await host.changes() where await host.read({ $0.talks[session]?.items.count ?? 0 > 1 }) { break }
        var times: [Double] = []
        for _ in 0..<5 {
            await host.stop()
            let begin = ContinuousClock.now
            host = try await Self.host(in: folder, program)
            for await _ in await host.changes()
            where await host.read({ $0.talks[session]?.session.shownStatus }) == .running { break }
            times.append(seconds(.now - begin))
        }
        await host.dispatch(.agents(.removeAgentSession(session: session)))
        await host.stop()
        await recorder.record(
            "supervised: from a new host process until it goes on with a turn", times, unit: "s", better: .lower)
    }

    private static func host(in folder: String, _ supervisor: String?) async throws -> AppHost {
        var configuration = HostConfiguration(profile: folder)
        configuration.supervisor = supervisor
        let host = try AppHost(configuration)
        await host.start()
        return host
    }

    /// A session with this program as an agent.
    private static func session(in host: AppHost, _ kind: String) async throws -> AgentSessionID {
        await host.dispatch(.agents(.addAgent(name: "flood", command: [Self.program, "--flood-as-agent", kind])))
        guard let agent = await host.read({ $0.agents.inOrder.first?.id }) else { throw NoSession() }
        await host.dispatch(.agents(.newAgentSession(agent: agent, folder: "/")))
        guard let session = await host.read({ $0.talks.inOrder.first?.id }) else { throw NoSession() }
        return session
    }

    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path

    /// An agent that keeps to the protocol, and floods whoever asks it. It reads standard input itself, up to its end.
    static func floodAsAgent() async throws -> Int {
        while let line = readLine() {
            guard let message = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let id = message["id"] as? Int, let method = message["method"] as? String
            else { continue }
            switch method {
            case "initialize": answer(id, #"{"protocolVersion":1}"#)
            case "session/new": answer(id, #"{"sessionId":"s"}"#)
            case "session/prompt":
                flood(CommandLine.arguments.last ?? "")
                answer(id, #"{"stopReason":"end_turn"}"#)
            default: answer(id, "{}")
            }
        }
        exit(0)
    }

    private static func answer(_ id: Int, _ result: String) {
        write(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
    }

    private static func flood(_ kind: String) {
        if kind == "paced" {
            for _ in 0..<SharedAgents.deltas {
                write(
                    #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"#
                        + #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"x"}}}}"#)
                Thread.sleep(forTimeInterval: SharedAgents.pause)
            }
            return
        }
        let start = #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":"#
        if kind == "output" {
            let text = String(repeating: "all work and no play ", count: 10_000_000 / 21)
            return write(
                start
                    + #"{"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":"#
                    + #"{"type":"text","text":"\#(text)"}}]}}}"#)
        }
        let text = String(repeating: "all work and no play ", count: 1000 / 21)
        let line = start + #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\#(text)"}}}}"#
        for _ in 0..<(100_000_000 / text.utf8.count) { write(line) }
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

private struct NoSession: Error {}

/// A core with a session whose agent is at work.
private struct Talk: Sendable {
    private var core = Core()
    private var number: UInt64 = 0
    private var told = 0
    private let effect: EffectID

    init() throws {
        var core = Core()
        var number: UInt64 = 0
        func step(_ action: Action) -> Outcome {
            number += 1
            return core.dispatch(Self.input(number, action))
        }
        _ = step(.event(.started(locked: false, records: [])))
        _ = step(.agents(.addAgent(name: "helper", command: ["helper"])))
        guard let agent = core.state.agents.inOrder.first?.id else { throw NoSession() }
        _ = step(.agents(.newAgentSession(agent: agent, folder: "/")))
        guard let session = core.state.talks.inOrder.first?.id else { throw NoSession() }
        guard let start = step(.agents(.askAgent(session: session, text: "go"))).effects.first else {
            throw NoSession()
        }
        _ = step(.event(.agentStarted(effect: start.id)))
        (self.core, self.number, effect) = (core, number, start.id)
    }

    mutating func tell(_ deltas: [AgentDelta]) {
        number += 1
        _ = core.dispatch(Self.input(number, .event(.agentTold(effect: effect, first: told, deltas: deltas))))
        told += deltas.count
    }

    /// A call that is told, or changes.
    static func change(_ number: Int, of round: Int) -> AgentDelta {
        .called(
            call: AgentCall(
                id: "call-\(number)", title: "Run the tests", kind: "execute", status: "in_progress",
                input: "{\"command\":\"make test\"}", output: CutText("round \(round) is over")), whole: false)
    }

    private static func input(_ number: UInt64, _ action: Action) -> Input {
        Input(
            at: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number)), fresh: Fresh(1, number, 2, number),
            action: action)
    }
}
