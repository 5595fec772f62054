import AgentProtocols
import Agents
import AppCore
import Foundation
import Networking
import Peers
import Testing

@testable import Host

/// Sessions of the core with an agent behind a gateway: ours, in front of an agent by the reference library of the protocol.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedGatewayTests {
    @Test func `a session goes on over a break, and says meanwhile that nobody knows`() async throws {
        let folder = NSTemporaryDirectory() + "gateway-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let command = [try Programs.python().path, Programs.script("acp_agent.py")]
        let server = GatewayServer(
            .init(
                port: 0, tls: nil, folder: root, version: "1",
                devices: GatewayDevices(folder: folder + "/Gateway")
            ) { ACPAgent(AgentProgram(command, folder: $0)) })
        let gate = try TCPGate(to: UInt16(try await server.start()))
        let address = ServerURL(host: "127.0.0.1", port: Int(gate.port))
        let token = try await GatewayPairing.pair(
            with: address, trust: .system, code: server.issueCode(), deviceID: "d", deviceName: "n")

        let profile = ProfilePlace()
        let host = try await profile.start()
        let kept = try await host.keep(secret: token.text)
        await host.dispatch(
            .agents(.addGateway(name: "desk", url: address.description, fingerprint: nil, token: kept)))
        let agent = try await profile.expect("the agent") { $0.agents.inOrder.first?.id }
        await host.dispatch(.agents(.newAgentSession(agent: agent, folder: root)))
        let id = try await profile.expect("the session") { $0.talks.inOrder.first?.id }
        func talk(_ what: String, _ look: @escaping @Sendable (AgentTalk) -> Bool) async throws -> AgentTalk {
            try await profile.expect(what) { state in state.talks[id].flatMap { look($0) ? $0 : nil } }
        }

        await host.dispatch(.agents(.askAgent(session: id, text: "wait")))
        _ = try await talk("the text") { $0.items.last?.content == .text(text: "waiting") }
        gate.shut()
        gate.cut()
        let lost = try await talk("the loss") { $0.session.shownStatus == .unknown }
        #expect(lost.session.isInTurn && lost.statusWords.keys.first == "agent.unknown")
        gate.open()
        _ = try await talk("the way back") { $0.session.shownStatus == .running }
        await host.dispatch(.agents(.stopAgent(session: id)))
        _ = try await talk("the end") { $0.session.status == .stopped }
        await host.dispatch(.agents(.askAgent(session: id, text: "say one two")))
        let done = try await talk("the next turn") { $0.session.status == .done }
        #expect(done.items.last?.content == .text(text: "onetwo"))
        #expect(done.items.count { $0.content == .text(text: "waiting") } == 1)
        #expect(!done.items.contains { $0.content == .begunAnew }, "it is one session all the time")
        await profile.stop()
        gate.end()
        await server.stop()
    }
}
