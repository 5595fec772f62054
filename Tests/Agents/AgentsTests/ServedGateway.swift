import AgentProtocols
import Foundation
import Networking
import Peers
import Storage
import Synchronization
import Testing

@testable import Agents

/// A gateway of ours over scripted agents, in a folder of its own.
final class ServedGateway: Sendable {
    let folder: String
    let server: GatewayServer
    let devices: GatewayDevices
    let port: Int
    private let isSecure: Bool
    /// Every report so far.
    private let seen = Mutex<[GatewayReport]>([])

    private final class Agents: Sendable { let all = Mutex<[ScriptedAgent]>([]) }
    private let made: Agents

    init(_ script: [ScriptedAgent.Line], tls: TLSIdentity? = nil, watch: Duration = .milliseconds(10)) async throws {
        folder = NSTemporaryDirectory() + "gateway-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/project/sub", withIntermediateDirectories: true)
        devices = GatewayDevices(folder: folder + "/Gateway")
        let made = Agents()
        self.made = made
        isSecure = tls != nil
        let root = URL(fileURLWithPath: folder + "/project").resolvingSymlinksInPath().path
        var configuration = GatewayServer.Configuration(
            port: 0, tls: tls, folder: root, version: "1", devices: devices
        ) { folder in
            let agent = ScriptedAgent(script, folder: folder)
            made.all.withLock { $0.append(agent) }
            return agent
        }
        configuration.watch = watch
        server = GatewayServer(configuration)
        port = try await server.start()
        let (reports, seen) = (server.reports, self)
        Task { for await report in reports { seen.seen.withLock { $0.append(report) } } }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The agent of the first session.
    var first: ScriptedAgent? { made.all.withLock { $0.first } }
    /// How many agents were made.
    var count: Int { made.all.withLock { $0.count } }
    var reports: [GatewayReport] { seen.withLock { $0 } }
    var url: ServerURL { ServerURL(host: "127.0.0.1", port: port, isSecure: isSecure) }

    static func run(
        _ script: [ScriptedAgent.Line] = [], tls: TLSIdentity? = nil, watch: Duration = .milliseconds(10),
        _ body: (ServedGateway) async throws -> Void
    ) async throws {
        let gateway = try await ServedGateway(script, tls: tls, watch: watch)
        do {
            try await body(gateway)
        } catch {
            await gateway.server.stop()
            throw error
        }
        await gateway.server.stop()
    }

    /// Waits until something is so; a machine may be slow.
    static func until(_ isSo: () async -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while await !isSo() {
            try #require(.now < end, "it never happened")
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    func pair(_ name: String = "A phone", trust: TLSTrust = .system) async throws -> GatewayToken {
        try await GatewayPairing.pair(
            with: url, trust: trust, code: server.issueCode(), deviceID: "id of \(name)", deviceName: name)
    }

    /// A client of ours, at the gateway or at a port that leads to it.
    func agent(
        _ token: GatewayToken, port: Int? = nil, fingerprint: GatewayFingerprint? = nil, thread: String? = nil
    ) -> GatewayAgent {
        var options = GatewayAgent.Configuration(
            server: ServerURL(host: "127.0.0.1", port: port ?? self.port, isSecure: url.isSecure), token: token,
            fingerprint: fingerprint, folder: folder + "/project/sub", thread: thread)
        options.pause = .milliseconds(2)
        return GatewayAgent(options)
    }

    func post(_ path: String, _ body: String, headers: HTTPFields = [:]) async throws -> HTTPResponse {
        try await HTTPClient().send(
            HTTPRequest(method: "POST", path: path, headers: headers, body: Array(body.utf8)), to: url)
    }

    /// A plain WebSocket, as a client without rules has one.
    func socket(
        _ token: String?, target: String = "/ws", headers: HTTPFields = [:]
    ) async throws -> WebSocketConnection {
        var options = WebSocketClientConfiguration()
        options.headers = headers
        if let token { options.headers["authorization"] = "Bearer \(token)" }
        options.verbatimTarget = target
        return try await WebSocketClient.connect(to: url, configuration: options)
    }
}

extension WebSocketConnection {
    /// What comes up to the event of this kind, or the end.
    func events(upTo kind: GatewayEventKind?) async throws -> [GatewayEvent] {
        var all: [GatewayEvent] = []
        for await event in events {
            guard case .text(let text) = event else { continue }
            let read = try GatewayEvent(text.utf8)
            all.append(read)
            if kind != nil, read.kind == kind { return all }
        }
        return all
    }

    /// The code with which it was closed.
    func closed() async -> UInt16? {
        for await event in events { if case .closed(let code, _) = event { return code.rawValue } }
        return nil
    }
}

extension GatewayAgent {
    /// The first thing that it tells: in which session it is.
    func expectOpened() async {
        guard case .opened(.some, goesOn: false)? = await events.next() else {
            Issue.record("it was not said in which session it is")
            return
        }
    }
}
