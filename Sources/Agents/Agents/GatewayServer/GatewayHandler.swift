internal import AgentProtocols
internal import Cryptography
internal import Errors
internal import Foundation
internal import Networking
internal import Synchronization
internal import Wire

/// What a gateway of ours does with requests and sockets. Who is let in is decided here.
final class GatewayHandler: HTTPServerHandler {
    private struct State {
        /// By the hashes of their tokens.
        var devices: [String: GatewayDevice] = [:]
        var codes = GatewayCodes()
        var pairings: SourceRateLimiter
        /// The device whose upgrade is being answered.
        var upgrading: GatewayDevice?
        var clients: [UInt64: ServedClient] = [:]
    }

    let sessions: ServedSessions
    private let configuration: GatewayServer.Configuration
    private let tell: @Sendable (GatewayReport) -> Void
    private let state: Mutex<State>
    /// The list of devices that was read last. Held while it is read, so that an older one never replaces a newer one.
    private let edition = Mutex<FileEdition?>(nil)
    private static let began = ContinuousClock.now

    init(
        _ configuration: GatewayServer.Configuration, _ sessions: ServedSessions,
        tell: @escaping @Sendable (GatewayReport) -> Void
    ) {
        (self.configuration, self.sessions, self.tell) = (configuration, sessions, tell)
        let limit = GatewayServerLimits.pairings
        state = Mutex(
            State(pairings: SourceRateLimiter(limit, network: limit.times(8), capacity: 1024, now: Self.milliseconds)))
    }

    /// Milliseconds of a clock that nobody sets.
    private static var milliseconds: Int64 { Int64(began.duration(to: .now) / .milliseconds(1)) }
    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    // MARK: Who is let in

    /// Reads who is let in, if that has changed. Those who are not any more are gone at once. If the file cannot be read, that is everybody.
    func readDevices() {
        let (gone, clients) = edition.withLock { edition -> (Set<String>, [ServedClient]) in
            let found = configuration.devices.edition
            guard found == nil || found != edition else { return ([], []) }
            let devices = try? configuration.devices.all()
            // What could not be read may be there the next time.
            edition = devices == nil ? nil : found
            return state.withLock { state in
                let before = Set(state.devices.keys)
                state.devices = Dictionary((devices ?? []).map { ($0.tokenHash, $0) }) { first, _ in first }
                return (
                    before.subtracting(state.devices.keys),
                    state.clients.values.filter { state.devices[$0.device.tokenHash] == nil }
                )
            }
        }
        for client in clients { client.revoke() }
        // Clients that have gone already left what they asked for.
        guard !gone.isEmpty else { return }
        Task { await sessions.revoke(gone) }
    }

    func issueCode() -> GatewayCode {
        // Six digits of it are always there.
        var code: GatewayCode?
        while code == nil {
            let digits = String(1_000_000 + SecureRandom.number(below: 1_000_000)).dropFirst()
            code = GatewayCode(String(digits))
        }
        return state.withLock { state in
            if let code { state.codes.issue(code, now: .now) }
            return code
        } ?? issueCode()
    }

    /// Pages of browsers have no business here, and a name that is none of ours may lead anywhere.
    private func refusal(_ request: HTTPRequest) -> HTTPResponse? {
        let hosts = request.headers.values("host")
        guard hosts.count == 1, let host = Self.name(of: hosts[0]), isOurs(host) else {
            return Self.refusal(403, "This gateway is not called by this name")
        }
        let origins = request.headers.values("origin")
        let own = "\(configuration.tls == nil ? "http" : "https")://\(hosts[0])"
        guard origins.allSatisfy({ $0.lowercased() == own.lowercased() }) else {
            return Self.refusal(403, "Pages of other origins may not use this gateway")
        }
        return nil
    }

    private func isOurs(_ host: String) -> Bool {
        let isAddress = host.contains(":") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
        return isAddress || configuration.names.contains(host)
    }

    /// The host of a `Host` field, without its port and brackets, in lower case.
    private static func name(of authority: String) -> String? {
        let text = authority.lowercased()
        guard text.hasPrefix("[") else { return text.split(separator: ":").first.map(String.init) }
        return text.firstIndex(of: "]").map { String(text[text.index(after: text.startIndex)..<$0]) }
    }

    /// The device whose token the request shows. A token in an address is never taken: addresses are written to logs.
    private func device(_ request: HTTPRequest) -> GatewayDevice? {
        let fields = request.headers.values("authorization")
        guard request.query.isEmpty, fields.count == 1, fields[0].lowercased().hasPrefix("bearer "),
            let token = GatewayToken(String(fields[0].dropFirst(7)))
        else { return nil }
        let hash = GatewayDevice.hash(token)
        readDevices()
        return state.withLock { $0.devices[hash] }
    }

    // MARK: Requests

    func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {
        if let refusal = refusal(request) { return responder.respond(refusal) }
        switch (request.method, request.path) {
        case ("GET", "/health"):
            responder.respond(
                Self.answer(200, ["status": "ok", "version": .string(configuration.version), "gateway": true]))
        // It writes a file, which must not hold up the others.
        case ("POST", "/pair"): Task { responder.respond(self.pair(request, peer)) }
        default: responder.respond(Self.refusal(404, "Not found"))
        }
    }

    private func pair(_ request: HTTPRequest, _ peer: PeerAddress) -> HTTPResponse {
        let wait = state.withLock { $0.pairings.take(ClientAddress(peer.text), now: Self.milliseconds) }
        if let wait {
            var response = Self.refusal(429, "Too many attempts; wait")
            response.headers["retry-after"] = String(wait)
            return response
        }
        let asked: GatewayPairRequest
        do { asked = try GatewayPairRequest(request.body) } catch {
            return Self.refusal(400, "Invalid JSON: \(error.message)")
        }
        guard state.withLock({ $0.codes.take(asked.code, now: .now) }),
            let token = GatewayToken(
                SecureRandom.bytes(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        else {
            tell(.refusedCode)
            return Self.refusal(401, "Invalid or expired pairing code")
        }
        do {
            let isIn = try configuration.devices.add(
                id: asked.deviceID, name: asked.deviceName, token: token, now: Self.now)
            guard isIn else { return Self.refusal(503, "There are too many devices; revoke one") }
        } catch { return Self.refusal(503, "The device cannot be kept") }
        readDevices()
        tell(.paired(name: asked.deviceName))
        let answer = GatewayPairAnswer(token: token, serverName: "alcove", serverVersion: configuration.version)
        return HTTPResponse(status: 200, headers: Self.headers, body: answer.body)
    }

    private static let headers: HTTPFields = [
        "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff",
    ]

    private static func answer(_ status: Int, _ object: JSONValue) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers, body: Array(object.text.utf8))
    }

    private static func refusal(_ status: Int, _ words: String) -> HTTPResponse {
        answer(status, ["error": .string(words)])
    }

    // MARK: Sockets

    func upgrade(_ request: HTTPRequest, from peer: PeerAddress) -> WebSocketUpgrade {
        if let refusal = refusal(request) { return .refuse(refusal) }
        guard request.path == "/ws" else { return .refuse(Self.refusal(404, "Not found")) }
        guard let device = device(request) else {
            return .refuse(Self.refusal(401, "Missing or invalid token; it stands in the Authorization field only"))
        }
        state.withLock { $0.upgrading = device }
        return .accept
    }

    /// Comes right after ``upgrade(_:from:)`` on the same thread.
    func opened(_ socket: ServerWebSocket) {
        guard let device = state.withLock({ $0.upgrading.take() }) else { return socket.close(.policyViolation) }
        let (tell, devices) = (tell, configuration.devices)
        let client = ServedClient(socket, device, sessions) { [weak self] in self?.readDevices() }
        // It may have been revoked since its request was looked at.
        let isLetIn = state.withLock { state in
            state.clients[socket.id] = client
            return state.devices[device.tokenHash] != nil
        }
        if !isLetIn { client.revoke() }
        tell(.connected(name: device.name))
        Task {
            try? devices.saw(device.id, now: Self.now)
            await client.run()
            tell(.disconnected(name: device.name))
        }
    }

    func received(_ message: WebSocketMessage, on socket: ServerWebSocket) {
        guard case .text(let text) = message, let client = state.withLock({ $0.clients[socket.id] }) else { return }
        client.received(text)
    }

    func closed(_ socket: ServerWebSocket) { state.withLock { $0.clients.removeValue(forKey: socket.id) }?.closed() }
}
