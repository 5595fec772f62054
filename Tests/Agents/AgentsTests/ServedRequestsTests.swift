import AgentProtocols
import Networking
import Testing
import Wire

@testable import Agents

/// What clients ask of a gateway of ours beside messages, and what it refuses.
@Suite(.timeLimit(.minutes(5))) struct ServedRequestsTests {
    /// A client, and the session that it is in.
    private func subscribed(_ gateway: ServedGateway) async throws -> (WebSocketConnection, String) {
        let socket = try await gateway.socket(try await gateway.pair().text)
        try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project/sub"}"#)
        return (socket, try #require(try await socket.events(upTo: .session).last).string("session_id"))
    }

    @Test func `a session that is cleared is another one in the same folder, and the old one stays`() async throws {
        try await ServedGateway.run([.say(.text("a"))]) { gateway in
            let (socket, old) = try await subscribed(gateway)
            try socket.send(#"{"type":"message","id":2,"content":"remember"}"#)
            _ = try await socket.events(upTo: .done)
            try socket.send(#"{"type":"clear","id":3}"#)
            let events = try await socket.events(upTo: .done)
            #expect(events.map(\.kind) == [.ack, .session, .done] && events.first?.id == 3 && events.last?.id == 3)
            let new = try #require(events.dropFirst().first).string("session_id")
            #expect(new != old && gateway.count == 2)
            try socket.send(#"{"type":"get_history","id":4}"#)
            let told = try #require(try await socket.events(upTo: .history).last)
            let history = try #require(GatewayHistory(told))
            #expect(history.session == new && history.messages == [] && history.sessions.map(\.id) == [old])
            // It is another agent, which is asked in the same folder from now on.
            try socket.send(#"{"type":"message","id":5,"content":"hello"}"#)
            #expect(try await socket.events(upTo: .done).last?.id == 5)
            #expect(gateway.first?.prompts == ["remember"])
            try socket.send(#"{"type":"resume_session","id":6,"session_id":"\#(old)"}"#)
            let back = try #require(try await socket.events(upTo: .history).last)
            #expect(try #require(GatewayHistory(back)).messages.map(\.content) == ["remember", "a"])
            socket.close()
        }
    }

    @Test func `a session is not cleared in the middle of a turn`() async throws {
        try await ServedGateway.run([.say(.text("a")), .wait]) { gateway in
            let (socket, session) = try await subscribed(gateway)
            try socket.send(#"{"type":"message","id":2,"content":"go"}"#)
            _ = try await socket.events(upTo: .textDelta)
            try socket.send(#"{"type":"clear","id":3}"#)
            let events = try await socket.events(upTo: .error)
            #expect(events.map(\.kind) == [.ack, .error] && events.allSatisfy { $0.id == 3 })
            gateway.first?.go()
            #expect(try await socket.events(upTo: .done).last?.id == 2)
            try socket.send(#"{"type":"state","id":4}"#)
            #expect(try await socket.events(upTo: .state).last?.string("session_id") == session)
            #expect(gateway.count == 1)
            socket.close()
        }
    }

    @Test func `nothing of a history was left out for being old`() throws {
        var talk = ServedTalk(id: "s")
        func ask(_ line: String) throws -> [GatewayEvent] {
            talk.take(try GatewayRequest(line.utf8), from: 1, sessions: [], version: "1").compactMap {
                if case .answer(let event) = $0 { event } else { nil }
            }
        }
        _ = try ask(#"{"type":"message","id":1,"content":"go"}"#)
        _ = talk.take(.text("a"), now: 0)
        let events = try ask(#"{"type":"get_compacted_history","id":2,"visible_messages":5}"#)
        #expect(events.map(\.kind) == [.ack, .compactedHistory])
        let told = try GatewayEvent(try #require(events.last).text.utf8)
        let counts = ["compacted_total", "compacted_visible", "compacted_remaining"].map { told.object.count($0) }
        #expect(told.id == 2 && counts == [0, 0, 0])
        let history = try #require(GatewayHistory(told))
        #expect(history.session == "s" && history.messages.map(\.content) == ["go", "a"])
    }

    private static let refused: [String] = [
        #""background_tool""#, #""rewind","message_index":1"#, #""rewind_undo""#, #""compact""#, #""split""#,
        #""transfer""#, #""set_route","selection":{}"#, #""set_reasoning_effort","effort":"high""#,
        #""set_model","model":"m""#,
        #""cycle_model""#, #""not_known""#,
    ]

    @Test(arguments: refused) func `what the agent cannot do is answered with an error`(request: String) throws {
        var talk = ServedTalk(id: "s")
        let steps = talk.take(
            try GatewayRequest(#"{"type":\#(request),"id":7}"#.utf8), from: 1, sessions: [], version: "1")
        let answers = steps.compactMap { if case .answer(let event) = $0 { event } else { nil } }
        #expect(answers.count == steps.count && answers.map(\.kind) == [.ack, .error])
        #expect(answers.allSatisfy { $0.id == 7 })
    }
}
