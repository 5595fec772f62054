import AppCore
import Foundation
import Host
import Rendezvous
import Rooms
import Synchronization

/// An agent that one person shares with another, over a real link on loopback: what the way to the other person adds, and how soon it goes on after a cut.
enum SharedAgents {
    private struct Failed: Error { let what: String }

    /// Deltas of one turn, so far apart that each goes alone.
    static let deltas = 300
    static let pause = 0.04

    static func record(_ recorder: Recorder, program: String) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/shared-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = RendezvousConfiguration()
        configuration.limits = .unlimited
        let server = try RendezvousServer(configuration)
        let url = "http://127.0.0.1:\(try await server.start())"
        let ada = try await host("ada", in: folder, url)
        let ben = try await host("ben", in: folder, url)
        try await meet(ada, ben)
        try await share(from: ada, to: ben, program, folder)
        let session = try await begin(ben)

        await ben.dispatch(.agents(.askAgent(session: session, text: "go")))
        async let there = arrivals(at: ben)
        async let here = arrivals(at: ada)
        let (sent, arrived) = try await (here, there)
        let added = zip(sent, arrived).map { seconds($1 - $0) * 1000 }.sorted()
        guard added.count > deltas / 2 else { throw Failed(what: "few deltas came alone") }
        await recorder.record(
            "shared: added to each delta on its way to the member, p50", added[added.count / 2], unit: "ms",
            better: .lower, aim: 1)
        await recorder.record(
            "shared: the same, p99", added[added.count * 99 / 100], unit: "ms", better: .lower)

        var cuts: [Double] = []
        for _ in 0..<5 {
            await ben.dispatch(.agents(.askAgent(session: session, text: "go")))
            try await until(ben, "a turn") { $0.talks[session]?.session.shownStatus == .running }
            guard let room = await ada.read({ $0.rooms.first?.id }) else { throw Failed(what: "no room") }
            let cut = ContinuousClock.now
            await ada.sever(room)
            try await until(ben, "the loss") { $0.talks[session]?.session.shownStatus == .unknown }
            try await until(ben, "the way back") { $0.talks[session]?.session.shownStatus == .running }
            cuts.append(seconds(.now - cut))
            await ben.dispatch(.agents(.stopAgent(session: session)))
            try await until(ben, "the end") { $0.talks[session]?.session.isInTurn == false }
        }
        await recorder.record("shared: from a cut until it goes on", cuts, unit: "s", better: .lower)
        await ada.stop()
        await ben.stop()
        await server.stop()
    }

    private static func host(_ name: String, in folder: String, _ url: String) async throws -> AppHost {
        let profile = folder + "/" + name
        try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: true)
        let host = try AppHost(
            HostConfiguration(profile: profile, network: RoomsNetwork(bindAddresses: ["127.0.0.1"])))
        await host.start()
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.app(.setServer(url: url)))
        return host
    }

    @discardableResult
    private static func find<Value: Sendable>(
        _ host: AppHost, _ what: String, _ look: @escaping @Sendable (AppState) -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now + .seconds(60)
        for await _ in await host.changes() {
            if let found = await host.read(look) { return found }
            if .now > deadline { break }
        }
        throw Failed(what: what)
    }

    private static func until(
        _ host: AppHost, _ what: String, _ condition: @escaping @Sendable (AppState) -> Bool
    ) async throws {
        try await find(host, what) { condition($0) ? true : nil }
    }

    private static func meet(_ ada: AppHost, _ ben: AppHost) async throws {
        await ada.dispatch(.rooms(.createRoom(name: "Ben", expiresIn: 300)))
        let room = try await find(ada, "a code") { $0.rooms.first.flatMap { $0.status == .pending ? $0 : nil } }
        let words = try await ben.keep(secret: await ada.secret(room.words ?? "none") ?? "")
        await ben.dispatch(.rooms(.joinRoom(code: room.code ?? "", words: words, name: "Ada")))
        for host in [ada, ben] {
            let id = try await find(host, "the room") {
                $0.rooms.first.flatMap { $0.status == .accepted ? $0.id : nil }
            }
            await host.dispatch(.rooms(.openRoom(room: id)))
        }
        for host in [ada, ben] {
            let id = try await find(host, "an identity") { state in state.rooms.first { $0.canTrust }?.id }
            await host.dispatch(.circle(.trustPeer(room: id, name: nil)))
        }
        for host in [ada, ben] { try await until(host, "the member") { $0.rooms.first?.isMember == true } }
    }

    private static func share(from ada: AppHost, to ben: AppHost, _ program: String, _ folder: String) async throws {
        await ada.dispatch(.agents(.addAgent(name: "helper", command: [program, "--flood-as-agent", "paced"])))
        let agent = try await find(ada, "the agent") { $0.agents.inOrder.first?.id }
        let room = try await find(ada, "the room") { $0.rooms.first?.id }
        await ada.dispatch(
            .agents(.shareAgent(agent: agent, room: room, folder: folder, readOnly: false, ownerDecides: false)))
    }

    private static func begin(_ ben: AppHost) async throws -> AgentSessionID {
        let agent = try await find(ben, "the offer") { $0.agents.inOrder.first?.id }
        await ben.dispatch(.agents(.newAgentSession(agent: agent, folder: nil)))
        return try await find(ben, "the session") { $0.talks.inOrder.first?.id }
    }

    /// When each delta of the first turn was in the core.
    private static func arrivals(at host: AppHost) async throws -> [ContinuousClock.Instant] {
        var times: [ContinuousClock.Instant] = []
        for await _ in await host.changes() {
            let now = ContinuousClock.now
            let (count, isOver) = await host.read { state in
                let talk = state.talks.inOrder.first
                let said = talk?.items.reduce(0) { sum, item in
                    if case .text(let text) = item.content { sum + text.text.utf8.count } else { sum }
                }
                return (said ?? 0, talk?.session.turn == 1 && talk?.session.isInTurn == false)
            }
            while times.count < count { times.append(now) }
            if isOver || count >= deltas { return times }
        }
        throw Failed(what: "the turn")
    }
}
