import AgentProtocols
import Agents
import AppCore
import Foundation
import Networking
import Peers
import Testing

@testable import Agents
@testable import Host

/// An agent whose tool wants a password, and that says how long it was.
private final class AskingAgent: AgentProvider {
    let events = AgentEvents()

    func start() async throws(AgentError) {}
    func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        var call = AgentToolCall(id: "t")
        call.results = [.text("Password for ann:")]
        await events.send(
            .permission(AgentPermission(id: .init(number: 1), toolCall: call, options: [], input: .secret)))
    }
    func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        await events.send(.text(AgentText("\(text.count) letters")))
        await events.send(.turnEnded(.done))
    }
    func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {}
    func cancel() async { await events.send(.turnEnded(.cancelled)) }
    func stop() async { events.finish(nil) }
}

/// Sessions of the core with an agent behind a gateway: ours, in front of an agent by the reference library of the protocol.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostedGatewayTests {
    /// A host with a session over a gateway of ours.
    private static func run(
        _ agent: @escaping @Sendable (String) -> any AgentProvider,
        _ body: (ProfilePlace, AgentSessionID) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "gateway-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let root = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let server = GatewayServer(
            .init(
                port: 0, tls: nil, folder: root, version: "1", devices: GatewayDevices(folder: folder + "/Gateway"),
                agent: agent))
        let address = ServerURL(host: "127.0.0.1", port: try await server.start())
        let token = try await GatewayPairing.pair(
            with: address, trust: .system, code: server.issueCode(), deviceID: "d", deviceName: "n")
        let profile = ProfilePlace()
        let host = try await profile.start()
        let kept = try await host.keep(secret: token.text)
        await host.dispatch(
            .agents(.addGateway(name: "desk", url: address.description, fingerprint: nil, token: kept)))
        let known = try await profile.expect("the agent") { $0.agents.inOrder.first?.id }
        await host.dispatch(.agents(.newAgentSession(agent: known, folder: root)))
        let id = try await profile.expect("the session") { $0.talks.inOrder.first?.id }
        try await body(profile, id)
        await profile.stop()
        await server.stop()
    }

    /// What a person gives a tool is in no file of the profile, and in nothing that the core knows.
    @Test func `a password goes to the tool that wants it, and stays nowhere`() async throws {
        let password = "Sesam-öffne-dich-\(UInt32.random(in: 0 ... .max))"
        try await Self.run({ _ in AskingAgent() }) { profile, id in
            let host = try #require(profile.host)
            await host.dispatch(.agents(.askAgent(session: id, text: "go")))
            let approval = try await profile.expect("the question") { $0.talks[id]?.session.approvals.first }
            #expect(approval.input == .secret && approval.call.results == [.text(text: "Password for ann:")])
            let secret = try await host.hold(secret: password)
            await host.dispatch(
                .agents(.giveAgent(session: id, approval: approval.id, of: approval.of, secret: secret)))
            let talk = try await profile.expect("the answer") { state in
                state.talks[id].flatMap { $0.session.status == .done ? $0 : nil }
            }
            #expect(talk.items.last?.content == .text(text: CutText("\(password.count) letters")))
            try await profile.until("the disk") { await host.isSaved }
            #expect(
                await host.read { String(decoding: (try? JSON.encode($0.talks)) ?? [], as: UTF8.self) }.contains(
                    "given"))
            #expect(
                await host.read {
                    !String(decoding: (try? JSON.encode($0.talks)) ?? [], as: UTF8.self).contains(password)
                })
            // It is held no more: the same reference gives nothing.
            #expect(await host.profile.takePassed(secret) == nil)
            for case let file as String in FileManager.default.enumerator(atPath: profile.folder) ?? .init() {
                let bytes = FileManager.default.contents(atPath: profile.folder + "/" + file) ?? Data()
                #expect(bytes.range(of: Data(password.utf8)) == nil, "\(file) has it")
            }
        }
    }
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
