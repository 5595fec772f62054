import AgentProtocols
import Agents
import Foundation
import Networking
import Synchronization
import Testing
import Wire

/// A gateway for tests that keeps every rule of the protocol, and writes down what a client does against one. It says what its script says.
final class StrictGateway: HTTPServerHandler {
    static let token = String(repeating: "5a", count: 32)
    static let folder = "/home/ada/project"

    struct State {
        var token = StrictGateway.token
        /// The status with which it refuses everybody now.
        var refusal: Int?
        /// What it says of each message, behind the ack.
        var script: [String]
        /// After so many lines of one connection it cuts that: before the next line is taken, or sent.
        var cuts: [Int]
        var closeCode = WebSocketCloseCode.goingAway
        /// Whether a turn stands still while nobody is connected.
        var pauses: Bool
        /// What was said in the middle of the turn and is not read yet, if it is to wait.
        var interruption: String?
        var keepsInterruptions = false
        /// Whether the history has what was said of the message that is under way.
        var isExact = false
        var refusesFolder = false
        /// Whether a turn is broken off with its connection. Whoever takes the session up again is told so, and not in the history that is
        /// asked for.
        var breaksOff = false
        var wasBrokenOff = false
        /// How often it does not give the session away, because the connection before may still have it.
        var busy = 0
        /// Whether it has refused what this connection asked for; whatever else came with that is passed over.
        var hasRefused = false
        /// The sessions that it lists.
        var sessions: [String] = []
        /// Whether it refuses a session that it does not know, in place of beginning another one.
        var refusesUnknown = false

        var socket: ServerWebSocket?
        var isSubscribed = false
        var lines = 0
        var lastID: UInt64 = 0
        var ids: Set<UInt64> = []
        var messages: [GatewayHistory.Message] = []
        var partial = ""
        var turn: UInt64?
        /// The message whose script it says.
        var said: UInt64 = 0
        var position = 0
        var connections = 0
        var requests: [GatewayRequest] = []
        var violations: [String] = []
        var authorizations: [String?] = []
    }

    let state: Mutex<State>

    init(_ script: [String] = [], cuts: [Int] = [], pauses: Bool = false) {
        state = Mutex(State(script: script, cuts: cuts, pauses: pauses))
    }

    /// Runs it, and an agent for it.
    func run(
        tls: TLSIdentity? = nil, fingerprint: GatewayFingerprint? = nil, grace: Duration = .seconds(120),
        ping: Duration = .seconds(20), thread: String? = nil,
        _ body: (GatewayAgent) async throws -> Void
    ) async throws {
        var configuration = HTTPServerConfiguration(tls: tls)
        configuration.messageLimit = 4 << 20
        configuration.queueLimit = 256 << 20
        configuration.pingInterval = .seconds(600)
        let server = HTTPServer(configuration: configuration, handler: self)
        let port = try await server.start()
        do {
            let token = try #require(GatewayToken(Self.token))
            var options = GatewayAgent.Configuration(
                server: ServerURL(host: "127.0.0.1", port: port, isSecure: tls != nil), token: token,
                fingerprint: fingerprint, folder: Self.folder, thread: thread)
            (options.pause, options.grace, options.ping) = (.milliseconds(2), grace, ping)
            try await Agent.run(GatewayAgent(options), body)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        #expect(state.withLock { $0.violations } == [])
    }

    func hasTaken(_ kind: GatewayRequestKind) -> Bool {
        state.withLock { $0.requests.contains { $0.kind == kind } }
    }

    // MARK: HTTP

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        responder.respond(HTTPResponse(status: 404))
    }

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        state.withLock { state in
            state.authorizations.append(request.headers["authorization"])
            if request.path != "/ws" || !request.query.isEmpty { state.violations.append("another address than /ws") }
            if let refusal = state.refusal { return .refuse(HTTPResponse(status: refusal)) }
            let isIn = request.headers.values("authorization") == ["Bearer \(state.token)"]
            return isIn ? .accept : .refuse(HTTPResponse(status: 401))
        }
    }

    func opened(_ socket: ServerWebSocket) {
        state.withLock { state in
            // A client that comes back takes the session over.
            state.socket?.close(.goingAway)
            (state.socket, state.isSubscribed, state.lines, state.hasRefused) = (socket, false, 0, false)
            state.connections += 1
        }
    }

    func closed(_ socket: ServerWebSocket) {
        state.withLock { if $0.socket == socket { ($0.socket, $0.isSubscribed) = (nil, false) } }
    }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        guard case .text(let text) = message else {
            return state.withLock { $0.violations.append("a binary message") }
        }
        for line in text.split(separator: "\n") {
            state.withLock { state in
                guard state.socket == socket, !isCut(&state) else { return }
                do { take(try GatewayRequest(line.utf8), &state) } catch { state.violations.append("not a request") }
            }
        }
    }

    // MARK: Lines

    /// Counts a line, and cuts the connection before it if it is time.
    private func isCut(_ state: inout State) -> Bool {
        state.lines += 1
        guard state.cuts.first == state.lines else { return false }
        state.cuts.removeFirst()
        cut(&state)
        return true
    }

    private func cut(_ state: inout State) {
        state.socket?.close(state.closeCode)
        (state.socket, state.isSubscribed) = (nil, false)
        guard state.breaksOff, state.turn != nil else { return }
        commit(&state)
        (state.turn, state.position, state.wasBrokenOff) = (nil, state.script.count, true)
    }

    private func send(_ text: String, _ state: inout State) {
        guard state.socket != nil, !isCut(&state) else { return }
        state.socket?.send(.text(text))
    }

    private func send(_ kind: GatewayEventKind, _ members: KeyValuePairs<String, JSONValue?>, _ state: inout State) {
        send(GatewayEvent(kind, members).text, &state)
    }

    private func take(_ request: GatewayRequest, _ state: inout State) {
        state.requests.append(request)
        if !state.ids.insert(request.id).inserted { state.violations.append("an id twice") }
        if request.id < state.lastID { state.violations.append("ids do not rise") }
        state.lastID = request.id
        guard !state.hasRefused else { return }
        let id = JSONValue(request.id)
        guard state.isSubscribed || request.kind == .subscribe else {
            state.violations.append("\(request.type) before subscribe")
            return cut(&state)
        }
        if request.kind == .subscribe { return subscribe(request, &state) }
        if request.kind == .cancel { stop(&state) }
        send(.ack, ["id": id], &state)
        switch request.kind {
        case .cancel: break
        case .softInterrupt: interrupt(request, &state)
        case .cancelSoftInterrupts: state.interruption = nil
        case .backgroundTool: send(.toolDone, ["id": "t1", "name": "bash", "output": "in the background"], &state)
        case .ping: send(.pong, ["id": id], &state)
        case .state:
            send(
                .state,
                [
                    "id": id, "session_id": "s1", "message_count": JSONValue(UInt64(state.messages.count)),
                    "is_processing": .bool(state.turn != nil),
                ], &state)
        case .getHistory:
            history(request.id, &state)
            advance(&state)
        case .message: message(request, &state)
        case .stdinResponse:
            // Its tool goes on with what it was given, and says how much that was.
            let input = request.object.string("input") ?? ""
            send(
                .textDelta, ["text": .string("\(request.object.string("request_id") ?? "") \(input.utf8.count)")],
                &state)
            commit(&state)
            guard let turn = state.turn else { break }
            (state.turn, state.position) = (nil, state.script.count)
            send(.done, ["id": JSONValue(turn)], &state)
        default: state.violations.append("\(request.type) was not expected")
        }
    }

    private func subscribe(_ request: GatewayRequest, _ state: inout State) {
        let id = JSONValue(request.id)
        guard request.object.string("working_dir")?.hasPrefix("/") == true else {
            state.violations.append("subscribe without an absolute working_dir")
            return cut(&state)
        }
        guard !state.refusesFolder else {
            send(.error, ["id": id, "message": "no"], &state)
            return cut(&state)
        }
        if state.refusesUnknown, let target = request.object.string("target_session_id"), target != "s1" {
            send(.error, ["id": id, "message": "Unknown session"], &state)
            return cut(&state)
        }
        let isAgain = state.connections > 1 && request.object.string("target_session_id") != nil
        if isAgain, request.object.string("client_instance_id") == nil { state.violations.append("no instance") }
        if state.busy > 0, request.object.string("target_session_id") != nil {
            state.busy -= 1
            state.hasRefused = true
            return send(
                .error, ["id": id, "message": "The session is already live.", "retry_after_secs": 1], &state)
        }
        state.isSubscribed = true
        send(.ack, ["id": id], &state)
        send(.session, ["session_id": "s1"], &state)
        if state.wasBrokenOff {
            state.wasBrokenOff = false
            history(request.id, wasInterrupted: true, &state)
        }
        send(.done, ["id": id], &state)
    }

    private func history(_ id: UInt64, wasInterrupted: Bool? = nil, _ state: inout State) {
        var messages = state.messages
        if state.isExact, !state.partial.isEmpty {
            messages.append(GatewayHistory.Message(role: "assistant", content: state.partial))
        }
        send(
            .history,
            [
                "id": JSONValue(id), "session_id": "s1", "messages": .array(messages.map { .object($0.object) }),
                "activity": state.breaksOff
                    ? nil : ["is_processing": .bool(state.turn != nil), "partial_included": .bool(state.isExact)],
                "all_sessions": state.sessions.isEmpty ? nil : .array(state.sessions.map { .string($0) }),
                "was_interrupted": wasInterrupted.map { .bool($0) },
            ], &state)
    }

    private func message(_ request: GatewayRequest, _ state: inout State) {
        guard state.turn == nil else {
            state.violations.append("a message while another one is under way")
            return send(.error, ["id": JSONValue(request.id), "message": "Already processing a message"], &state)
        }
        state.messages.append(.init(role: "user", content: request.object.string("content") ?? ""))
        (state.turn, state.said, state.position) = (request.id, request.id, 0)
        advance(&state)
    }

    /// The agent reads it at once, unless it is to wait, and its turn is over then.
    private func interrupt(_ request: GatewayRequest, _ state: inout State) {
        let content = request.object.string("content") ?? ""
        guard let turn = state.turn else { return state.violations.append("nothing to interrupt") }
        guard !state.keepsInterruptions else { return state.interruption = content }
        commit(&state)
        state.messages.append(.init(role: "user", content: content))
        send(.softInterruptInjected, ["content": .string(content), "point": "D"], &state)
        state.partial = "and \(content)"
        send(.textDelta, ["text": .string(state.partial)], &state)
        commit(&state)
        (state.turn, state.position) = (nil, state.script.count)
        send(.done, ["id": JSONValue(turn)], &state)
    }

    private func stop(_ state: inout State) {
        guard let turn = state.turn else { return }
        commit(&state)
        (state.turn, state.position) = (nil, state.script.count)
        send(.interrupted, [:], &state)
        send(.done, ["id": JSONValue(turn)], &state)
    }

    // MARK: The turn

    /// Goes on with what is said, up to `wait`.
    private func advance(_ state: inout State) {
        while state.said > 0, state.position < state.script.count {
            if state.pauses, state.socket == nil { return }
            let line = state.script[state.position]
            if line == "wait" { return }
            state.position += 1
            // Of a flood nothing has to be remembered.
            guard line.utf8.count < 4096 else {
                send(line, &state)
                continue
            }
            let written = line.replacing("ID", with: String(state.said))
            apply(written, &state)
            send(written, &state)
        }
    }

    private func commit(_ state: inout State) {
        guard !state.partial.isEmpty else { return }
        state.messages.append(.init(role: "assistant", content: state.partial))
        state.partial = ""
    }

    private func apply(_ line: String, _ state: inout State) {
        guard let event = try? GatewayEvent(line.utf8) else { return }
        switch event.kind {
        case .textDelta: state.partial += event.string("text")
        // Replaces what was said since the last tool.
        case .textReplace: state.partial = event.string("text")
        // What was said of the message does not count, nor do its calls: it is asked again.
        case .retryRollback: state.partial = ""
        case .toolExec: commit(&state)
        case .toolDone where !state.messages.contains { $0.tool?.id == event.string("id") }:
            let tool = GatewayHistory.Tool(id: event.string("id"), name: event.string("name"), input: ["a": 1])
            state.messages.append(.init(role: "tool", content: event.string("output"), tool: tool))
        case .done where event.id == state.turn, .error where event.id == state.turn:
            commit(&state)
            state.turn = nil
        default: break
        }
    }
}
