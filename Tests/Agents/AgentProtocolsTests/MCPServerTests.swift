import AgentProtocols
import Testing
import Wire

/// The server's side of the Model Context Protocol as a value: lines in, steps out.
@Suite struct MCPServerTests {
    /// A server with two tools, and a clock of its own.
    struct Peer {
        var server: MCPServer
        var now = ContinuousClock.now
        var offered: Set<String> = ["read"]

        init() {
            server = MCPServer(
                about: ["name": "s", "version": "1"], instructions: "i",
                tools: ["read", "write"].map { MCPTool($0, title: $0, description: $0, effect: .reads) }, now: now)
        }

        mutating func say(_ line: String) -> [MCPServer.Step] {
            server.receive(.complete(Array(line.utf8)), offered: offered, now: now)
        }

        mutating func ask(_ id: Int, _ method: String, _ parameters: String = "{}") -> [MCPServer.Step] {
            say(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
        }

        mutating func greet(_ version: String = "2025-06-18") -> [MCPServer.Step] {
            ask(
                0, "initialize",
                #"{"protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"peer","version":"7"}}"#)
        }
    }

    private static let done = MCPResult.done("done")

    private func failure(_ id: Int?, _ failure: JSONRPCMessage.Failure) -> [MCPServer.Step] {
        [.send(.failure(id.map { .number(String($0)) }, failure))]
    }

    @Test func `a client greets before it uses anything, and once`() {
        var peer = Peer()
        #expect(peer.ask(1, "ping") == [.send(.result(.number("1"), [:]))])
        #expect(peer.ask(2, "tools/list") == failure(2, .invalidRequest))
        #expect(peer.ask(3, "tools/call", #"{"name":"read"}"#) == failure(3, .invalidRequest))
        #expect(peer.ask(4, "initialize") == failure(4, .invalidParameters))
        guard case .send(.result(_, let greeting))? = peer.greet().first else { return #expect(Bool(false)) }
        let text =
            #"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"},"instructions":"i"}"#
        #expect(greeting.text == text)
        #expect(peer.server.client == "peer 7" && peer.server.version == .june2025)
        #expect(peer.greet() == failure(0, .invalidRequest))
        #expect(peer.say(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == [])
        for (id, method) in ["resources/list", "prompts/list", "server/discover", "logging/setLevel"].enumerated() {
            let known = method == "logging/setLevel" ? #"{"level":"info"}"# : "{}"
            #expect(peer.ask(id, method, known) == failure(id, .methodNotFound))
        }
    }

    @Test(arguments: ["é", "𝕏", "a"]) func `a long name of a client is cut between characters`(letter: String) {
        var peer = Peer()
        let name = "a" + String(repeating: letter, count: 200)
        _ = peer.ask(
            0, "initialize",
            #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"\#(name)","version":"7"}}"#)
        let client = peer.server.client ?? ""
        #expect(name.hasPrefix(client) && client.utf8.count > MCPLimits.nameBytes - 4)
        #expect(client.utf8.count <= MCPLimits.nameBytes)
    }

    @Test func `only what is granted is listed, and a change is told`() {
        var peer = Peer()
        _ = peer.greet()
        #expect(peer.server.offer(["write"]) == [], "nothing was listed yet")
        guard case .send(.result(_, let list))? = peer.ask(1, "tools/list").first else { return #expect(Bool(false)) }
        #expect(list.object?.array("tools").compactMap { $0.object?.string("name") } == ["read"])
        #expect(peer.ask(2, "ping").count == 1)
        peer.offered = []
        #expect(
            peer.ask(3, "ping") == [
                .send(.notification(method: "notifications/tools/list_changed", parameters: [:])),
                .send(.result(.number("3"), [:])),
            ])
        #expect(peer.server.offer([]) == [])
    }

    @Test func `a call is answered once, and a cancelled one not at all`() {
        var peer = Peer()
        _ = peer.greet()
        #expect(
            peer.ask(1, "tools/call", #"{"name":"write","arguments":{"a":1}}"#)
                == [.call(.number("1"), tool: "write", arguments: ["a": 1])])
        #expect(peer.ask(1, "ping") == failure(1, .invalidRequest), "the id is in use")
        #expect(peer.server.finish(.number("1"), Self.done) == [.send(.result(.number("1"), Self.done.json))])
        #expect(peer.server.finish(.number("1"), Self.done) == [])
        _ = peer.ask(2, "tools/call", #"{"name":"read"}"#)
        let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#
        #expect(peer.say(cancel) == [.cancel(.number("2"))] && peer.say(cancel) == [])
        // It may still be at work: a call under the same id would be answered with what comes of the first one.
        #expect(peer.ask(2, "tools/call", #"{"name":"read"}"#) == failure(2, .invalidRequest))
        #expect(peer.server.finish(.number("2"), Self.done) == [] && !peer.server.isBusy)
        #expect(peer.ask(2, "tools/call", #"{"name":"read"}"#) == [.call(.number("2"), tool: "read", arguments: [:])])
        #expect(peer.server.finish(.number("2"), Self.done) == [.send(.result(.number("2"), Self.done.json))])
        #expect(peer.ask(3, "tools/call", #"{"name":"other"}"#) == failure(3, .invalidParameters))
        #expect(peer.ask(4, "tools/call", #"{"name":"read","arguments":[]}"#) == failure(4, .invalidParameters))
    }

    @Test func `too many calls are refused until some time has passed`() {
        var peer = Peer()
        _ = peer.greet()
        func isCall(_ steps: [MCPServer.Step]) -> Bool { if case .call? = steps.first { true } else { false } }
        for id in 0..<MCPLimits.calls { #expect(isCall(peer.ask(id, "tools/call", #"{"name":"read"}"#))) }
        #expect(!isCall(peer.ask(100, "tools/call", #"{"name":"read"}"#)), "too many at once")
        for id in 0..<MCPLimits.calls { _ = peer.server.finish(.number(String(id)), Self.done) }
        for id in 0..<MCPLimits.burst - MCPLimits.calls {
            #expect(isCall(peer.ask(id, "tools/call", #"{"name":"read"}"#)))
            _ = peer.server.finish(.number(String(id)), Self.done)
        }
        #expect(!isCall(peer.ask(100, "tools/call", #"{"name":"read"}"#)), "too many in a short time")
        peer.now += MCPLimits.pause
        #expect(isCall(peer.ask(100, "tools/call", #"{"name":"read"}"#)))
    }

    @Test func `an array of messages is read in the one revision that has them`() {
        let batch = #"[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","id":2,"method":"ping"}]"#
        var peer = Peer()
        _ = peer.greet("2025-03-26")
        #expect(
            peer.say(batch) == [.send(.result(.number("1"), [:]))] + failure(nil, .invalidRequest)
                + [.send(.result(.number("2"), [:]))])
        #expect(peer.say("[]") == failure(nil, .invalidRequest))
        var other = Peer()
        _ = other.greet()
        #expect(other.say(batch) == failure(nil, .invalidRequest))
    }

    @Test func `what cannot be read is answered, up to a point`() {
        var peer = Peer()
        for line in ["{", "7", #"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, #"{"id":1,"result":{}}"#] {
            guard case .send(.failure(nil, _))? = peer.say(line).first else { return #expect(Bool(false), "\(line)") }
        }
        #expect(peer.say(#"{"jsonrpc":"2.0","id":9,"result":{}}"#) == [], "nothing was asked")
        for _ in 5..<MCPLimits.unreadable {
            #expect(peer.server.receive(.tooLong(beginning: []), offered: [], now: peer.now).count == 1)
        }
        #expect(peer.server.receive(.tooLong(beginning: []), offered: [], now: peer.now) == [.giveUp])
    }
}
