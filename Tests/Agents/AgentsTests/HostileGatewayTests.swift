import AgentProtocols
import Errors
import Foundation
import Networking
import Testing
import Wire

@testable import Agents

/// Clients and agents of a gateway of ours that do what nobody should.
@Suite(.timeLimit(.minutes(5))) struct HostileGatewayTests {
    private static func request(_ line: String) throws -> GatewayRequest { try GatewayRequest(line.utf8) }

    private static func history(_ talk: inout ServedTalk) throws -> GatewayHistory {
        let steps = talk.take(
            try request(#"{"type":"get_history","id":9}"#), from: 1, sessions: [], version: "1")
        for case .answer(let event) in steps { if let history = GatewayHistory(event) { return history } }
        throw AgentError(.notUnderstood, "no history")
    }

    @Test func `an answer without end stays bounded, and the prompt can still be found`() throws {
        var talk = ServedTalk(id: "s")
        _ = talk.take(
            try Self.request(#"{"type":"message","id":1,"content":"go"}"#), from: 1, sessions: [], version: "1")
        let piece = AgentText(String(repeating: "x", count: 64 << 10))
        // As one message it would be copied with each piece, and be as long as the agent likes.
        for _ in 0..<2000 { _ = talk.take(.text(piece), now: 0) }
        let history = try Self.history(&talk)
        let bytes = history.messages.reduce(0) { $0 + $1.content.utf8.count }
        #expect(bytes <= GatewayServerLimits.historyBytes && bytes > GatewayServerLimits.historyBytes / 2)
        #expect(history.messages.first?.role == "user" && history.messages.first?.content == "go")
        #expect(history.messages.count { $0.role == "user" } == 1)
    }

    @Test func `any number of names of calls costs a bounded amount`() throws {
        var talk = ServedTalk(id: "s")
        _ = talk.take(
            try Self.request(#"{"type":"message","id":1,"content":"go"}"#), from: 1, sessions: [], version: "1")
        let name = String(repeating: "n", count: 4000)
        for number in 0..<20_000 {
            _ = talk.take(.toolCall(AgentToolCall(id: "\(number) \(name)", title: "t", status: "pending")), now: 0)
        }
        #expect(talk.namesOfCalls <= ServedConversationLimits.calls * 4)
    }

    @Test func `what a revoked device began ends, and what it asked for and waits is not done`() async throws {
        try await ServedGateway.run([.say(.text("a")), .wait, .say(.text("b"))]) { gateway in
            let token = try await gateway.pair()
            let socket = try await gateway.socket(token.text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            _ = try await socket.events(upTo: .session)
            try socket.send(#"{"type":"message","id":2,"content":"go"}"#)
            _ = try await socket.events(upTo: .textDelta)
            #expect(try gateway.devices.revoke("A phone").count == 1)
            #expect(await socket.closed() == 4401)
            try await ServedGateway.until { gateway.first?.isCancelled == true }
        }
    }

    @Test func `a device begins nothing from the instant on in which it is revoked`() async throws {
        // Nobody looks by the clock here.
        try await ServedGateway.run([.say(.text("a"))], watch: .seconds(3600)) { gateway in
            let (token, other) = (try await gateway.pair(), try await gateway.pair("Another"))
            let (socket, watcher) = (try await gateway.socket(token.text), try await gateway.socket(other.text))
            for socket in [socket, watcher] {
                try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
                _ = try await socket.events(upTo: .session)
            }
            #expect(try gateway.devices.revoke("A phone").count == 1)
            try? socket.send(#"{"type":"message","id":2,"content":"go"}"#)
            await #expect { try await gateway.socket(token.text) } throws: { ($0 as? NetworkingError)?.status == 401 }
            #expect(await socket.closed() == 4401)
            try watcher.send(#"{"type":"message","id":2,"content":"mine"}"#)
            #expect(try await watcher.events(upTo: .done).last?.id == 2)
            #expect(gateway.count == 2 && gateway.first?.prompts == [])
            watcher.close()
        }
    }

    @Test func `who says nothing is let go when it is revoked, without a clock`() async throws {
        try await ServedGateway.run(watch: .seconds(3600)) { gateway in
            _ = try await gateway.pair("First")
            let socket = try await gateway.socket(try await gateway.pair().text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            _ = try await socket.events(upTo: .session)
            #expect(try gateway.devices.revoke("A phone").count == 1)
            #expect(await socket.closed() == 4401)
        }
    }

    /// A phone that has begun a turn, and another device that watches it.
    private func watched(
        _ body: (
            ServedGateway, _ phone: WebSocketConnection, _ token: String, _ watcher: WebSocketConnection
        ) async throws -> Void
    ) async throws {
        try await ServedGateway.run([.say(.text("a")), .wait, .say(.text("b"))]) { gateway in
            let (token, other) = (try await gateway.pair(), try await gateway.pair("Another"))
            let phone = try await gateway.socket(token.text)
            try phone.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            let session = try await phone.events(upTo: .session).last?.string("session_id") ?? ""
            let watcher = try await gateway.socket(other.text)
            try watcher.send(
                #"{"type":"subscribe","id":1,"working_dir":"/","target_session_id":"\#(session)"}"#)
            _ = try await watcher.events(upTo: .session)
            try phone.send(#"{"type":"message","id":2,"content":"go"}"#)
            _ = try await watcher.events(upTo: .textDelta)
            try await body(gateway, phone, token.text, watcher)
            watcher.close()
        }
    }

    @Test func `a device whose turn somebody else watches ends nothing by being revoked`() async throws {
        try await watched { gateway, phone, _, watcher in
            #expect(try gateway.devices.revoke("A phone").count == 1)
            #expect(await phone.closed() == 4401)
            gateway.first?.go()
            let rest = try await watcher.events(upTo: .done)
            #expect(rest.contains { $0.string("text") == "b" } && gateway.first?.isCancelled == false)
        }
    }

    @Test func `what a revoked device left to be asked is not asked, whoever watches`() async throws {
        try await watched { gateway, phone, token, watcher in
            try phone.send(#"{"type":"soft_interrupt","id":3,"content":"and delete it all"}"#)
            _ = try await phone.events(upTo: .ack)
            // It leaves before it is revoked.
            phone.close()
            #expect(await phone.closed() != nil)
            #expect(try gateway.devices.revoke("A phone").count == 1)
            await #expect { try await gateway.socket(token) } throws: { ($0 as? NetworkingError)?.status == 401 }
            // The session has heard of it when it answers the next request.
            try watcher.send(#"{"type":"ping","id":4}"#)
            _ = try await watcher.events(upTo: .pong)
            gateway.first?.go()
            _ = try await watcher.events(upTo: .done)
            #expect(gateway.first?.prompts == ["go"])
        }
    }

    @Test func `a client that gives more than it may is let go`() async throws {
        try await ServedGateway.run { gateway in
            let token = try await gateway.pair()
            let socket = try await gateway.socket(token.text)
            // More than a message may have, in as many as there may wait.
            let long = String(repeating: "x", count: 3 << 20)
            for number in 1...8 {
                try? socket.send(#"{"type":"ping","id":\#(number),"padding":"\#(long)"}"#)
            }
            #expect(await socket.closed() != nil)
            let next = try await gateway.socket(token.text)
            try next.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            #expect(try await next.events(upTo: .session).last?.kind == .session)
            next.close()
        }
    }
}
