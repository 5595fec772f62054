import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// Models go through a gateway: they are listed, and one can be chosen from elsewhere.
@Suite(.timeLimit(.minutes(5))) struct GatewayModelsTests {
    private static func setting(_ current: String) -> AgentSetting {
        AgentSetting(
            kind: .model, current: current,
            options: ["small", "large", "refused"].map { AgentSetting.Option(id: $0, name: $0) })
    }

    private static func code(_ body: () async throws -> Void) async -> AgentErrorCode? {
        do { try await body() } catch { return (error as? AgentError)?.code }
        return nil
    }

    @Test func `a client sees the models of an agent that is served, and chooses one`() async throws {
        try await ServedGateway.run([.say(.setting(Self.setting("small"))), .say(.text("a"))]) { gateway in
            let token = try await gateway.pair()
            var thread: String?
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                guard case .opened(let name, goesOn: false)? = await agent.events.next() else {
                    Issue.record("it was not said which session it is")
                    return
                }
                thread = name
                #expect(await Self.code { try await agent.choose(.model, "large") } == .gone, "nothing is listed yet")
                let events = try await Agent.turn(of: agent, "hi")
                #expect(events.contains(.setting(Self.setting("small"))) && events.text == "a")
                try await agent.choose(.model, "large")
                #expect(await Self.code { try await agent.choose(.model, "refused") } == .refused)
                #expect(await Self.code { try await agent.choose(.model, "unknown") } == .gone)
                #expect(await Self.code { try await agent.choose(.mode, "large") } == .gone)
            }
            // Who comes later is told with the history.
            try await Agent.run(gateway.agent(token, thread: thread)) { agent in
                try await agent.start()
                #expect(await agent.events.next() == .setting(Self.setting("large")))
            }
        }
    }

    @Test func `requests for models are answered, also what is not there`() throws {
        var talk = ServedTalk(id: "s")
        func ask(_ line: String) throws -> [GatewayEvent] {
            talk.take(try GatewayRequest(line.utf8), from: 1, sessions: [], version: "1").compactMap {
                if case .answer(let event) = $0 { event } else { nil }
            }
        }
        let catalog = #"{"type":"get_model_catalog","id":1}"#
        #expect(try ask(catalog).last?.object.array("available_models").isEmpty == true)
        #expect(try ask(#"{"type":"set_model","id":2,"model":"small"}"#).last?.kind == .error)
        #expect(talk.take(.setting(Self.setting("small")), now: 0).count == 1)
        #expect(talk.take(.setting(Self.setting("small")), now: 0).isEmpty, "nothing is new")
        #expect(
            try ask(catalog).last?.object.array("available_models").compactMap(\.string) == [
                "small", "large", "refused",
            ])
        let steps = talk.take(
            try GatewayRequest(#"{"type":"set_model","id":3,"model":"large"}"#.utf8), from: 1, sessions: [],
            version: "1")
        #expect(steps.last == .choose("large", id: 3))
        _ = talk.take(.chosen(.model, "large"), now: 0)
        #expect(try ask(catalog).last?.object.string("provider_model") == "large")
        #expect(try ask(#"{"type":"get_history","id":4}"#).last?.object.string("provider_model") == "large")
    }

    private static let cycles: [(direction: String, current: String, next: String)] = [
        ("", "small", "large"), (#","direction":1"#, "refused", "small"), (#","direction":-1"#, "small", "refused"),
        (#","direction":0"#, "large", "large"), (#","direction":2"#, "small", "refused"),
        (#","direction":-7"#, "small", "refused"), (#","direction":9223372036854775807"#, "small", "large"),
        (#","direction":-9223372036854775808"#, "small", "large"), (#","direction":"back""#, "small", "large"),
        (#","direction":1e99"#, "small", "large"), ("", "", "small"), (#","direction":-1"#, "", "refused"),
        ("", "one that is not listed", "small"),
    ]

    @Test(arguments: cycles) func `the next model is chosen, around the list`(
        direction: String, current: String, next: String
    ) throws {
        var talk = ServedTalk(id: "s")
        let request = try GatewayRequest(#"{"type":"cycle_model","id":7\#(direction)}"#.utf8)
        let refused = talk.take(request, from: 1, sessions: [], version: "1")
        guard case .answer(let error)? = refused.last else {
            Issue.record("nothing is offered yet: \(refused)")
            return
        }
        #expect(error.kind == .error && error.id == 7)
        _ = talk.take(.setting(Self.setting(current)), now: 0)
        #expect(talk.take(request, from: 1, sessions: [], version: "1").last == .choose(next, id: 7))
    }

    @Test func `who goes through the models does not wait for each`() throws {
        var talk = ServedTalk(id: "s")
        _ = talk.take(.setting(Self.setting("small")), now: 0)
        func cycle() throws -> ServedTalk.Step? {
            let request = try GatewayRequest(#"{"type":"cycle_model","id":7}"#.utf8)
            return talk.take(request, from: 1, sessions: [], version: "1").last
        }
        #expect(try cycle() == .choose("large", id: 7))
        #expect(try cycle() == .choose("refused", id: 7))
        // The answer to the first says nothing of the second.
        _ = talk.chose("large", id: 7, nil)
        #expect(try cycle() == .choose("small", id: 7))
        _ = talk.chose("small", id: 7, AgentError(.refused, "not this one"))
        #expect(try cycle() == .choose("large", id: 7), "it goes on from the one that is asked")
    }

    @Test func `who chooses while the connection is gone, or breaks, is told`() async throws {
        try await ServedGateway.run([.say(.setting(Self.setting("small")))]) { gateway in
            let token = try await gateway.pair()
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                _ = try await Agent.turn(of: agent, "hi")
                await agent.stop()
                #expect(await Self.code { try await agent.choose(.model, "large") } == .notRunning)
            }
        }
        var session = GatewaySession(name: "desk", folder: "/", instance: "i")
        #expect(throws: AgentError.self) { try session.choose(.model, "large") }
        session.models = Self.setting("small")
        session.isReady = true
        let (id, steps) = try session.choose(.model, "large")
        #expect(steps.count == 1)
        let dropped = session.disconnected()
        guard case .chose(id, let error?)? = dropped.first else {
            Issue.record("nobody was told: \(dropped)")
            return
        }
        let late = GatewayEvent(.modelChanged, ["id": JSONValue(id), "model": "large"])
        #expect(error.code == .unreachable && session.modelChanged(late) == [.tell(.chosen(.model, "large"))])
    }
}
