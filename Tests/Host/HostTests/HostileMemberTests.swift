import AgentProtocols
import Agents
import AppCore
import Rooms
import Testing
import Wire

@testable import Host

/// A member of the circle who sends whatever they like over the channel of agents.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileMemberTests {
    private static let offer = AgentOffer(share: "share1", name: "helper", readOnly: false)

    private static func send(_ frame: SharingFrame.Content, to sharing: AgentSharing, in room: String = "room") async {
        for message in SharingParts.messages(of: SharingFrame(frame).bytes) {
            await sharing.take(.agentMessage(room: room, bytes: message))
        }
    }

    private static func sharing(
        _ body: (AgentSharing, AppHost) async throws -> Void
    ) async throws {
        let place = ProfilePlace()
        let host = try await place.start()
        await host.agentSharing.take(.agentChannel(room: "room", isOpen: true))
        try await body(host.agentSharing, host)
        await place.stop()
    }

    /// Time gives back one frame that cannot be read each second. Uses up the next one, so that for the rest of that second nothing is read.
    private static func useUp(_ sharing: AgentSharing) async throws {
        while await sharing.places["room"]?.unreadable.isUsedUp == true {
            try await Task.sleep(for: .milliseconds(10))
        }
        for _ in 0..<10 { await sharing.take(.agentMessage(room: "room", bytes: [7])) }
    }

    @Test func `what is no frame is passed over, and after a hundred nothing is read any more`() async throws {
        try await Self.sharing { sharing, _ in
            await sharing.offer([Self.offer], in: "room")
            for junk: [UInt8] in [[], [7], [0], [0, 1, 2, 3], Array("\u{0}{}".utf8)] {
                for _ in 0..<30 { await sharing.take(.agentMessage(room: "room", bytes: junk)) }
            }
            try await Self.useUp(sharing)
            await Self.send(.resume(session: "s", agent: "share1", after: 0), to: sharing)
            #expect(await sharing.journals.isEmpty)
            // Another connection gives nothing back, but time does.
            await sharing.take(.agentChannel(room: "room", isOpen: false))
            await sharing.take(.agentChannel(room: "room", isOpen: true))
            try await Self.useUp(sharing)
            await Self.send(.resume(session: "s", agent: "share1", after: 0), to: sharing)
            #expect(await sharing.journals.isEmpty)
            while await sharing.places["room"]?.unreadable.isUsedUp == true {
                try await Task.sleep(for: .milliseconds(50))
            }
            await Self.send(.resume(session: "s", agent: "share1", after: 0), to: sharing)
            #expect(await sharing.journals.count == 1)
        }
    }

    @Test func `without an offer nothing is followed, and wishes come to nothing`() async throws {
        try await Self.sharing { sharing, host in
            for number in 0..<200 {
                await Self.send(.resume(session: "s\(number)", agent: "share1", after: 0), to: sharing)
                await Self.send(.prompt(session: "s\(number)", turn: 1, text: "go"), to: sharing)
            }
            #expect(await sharing.journals.isEmpty)
            #expect(await sharing.places["room"]?.early.count ?? 0 <= SharingLimits.sessions)
            await sharing.offer([], in: "room")
            #expect(await sharing.journals.isEmpty)
            #expect(await host.read { $0.talks.byID.isEmpty })
        }
    }

    @Test func `a flood of sessions and wishes takes a bounded amount`() async throws {
        try await Self.sharing { sharing, host in
            await sharing.offer([Self.offer], in: "room")
            for number in 0..<3000 {
                await Self.send(.resume(session: "s\(number)", agent: "share1", after: number), to: sharing)
                await Self.send(.answer(session: "s\(number)", request: number, option: "x"), to: sharing)
                await Self.send(.received(session: "s\(number)", through: 1 << 50), to: sharing)
            }
            #expect(await sharing.journals.count <= SharingLimits.sessions)
            #expect(await sharing.places["room"]?.followed.count ?? 0 <= 1100)
            // A new connection gives nothing back.
            let followed = await sharing.places["room"]?.follows.isUsedUp
            await sharing.take(.agentChannel(room: "room", isOpen: true))
            #expect(await sharing.places["room"]?.follows.isUsedUp == followed)
            // None of it is a member of this core's, so it begins nothing.
            #expect(await host.read { $0.talks.byID.isEmpty })
        }
    }

    @Test func `a log is of one share and of one room`() async throws {
        try await Self.sharing { sharing, host in
            let other = AgentOffer(share: "share2", name: "other", readOnly: true)
            await sharing.offer([Self.offer, other], in: "room")
            await Self.send(.resume(session: "s", agent: "share1", after: 0), to: sharing)
            let key = Profile.SharedLogKey(room: "room", session: "s")
            let journal = try #require(await sharing.journal(of: key))
            journal.add([SharedEvent(.text, ["text": "secret"])])
            await Self.send(.resume(session: "s", agent: "share2", after: 0), to: sharing)
            #expect(await sharing.share(of: key) == "share1")
            await sharing.take(.agentChannel(room: "other", isOpen: true))
            await sharing.offer([Self.offer], in: "other")
            await Self.send(.resume(session: "s", agent: "share1", after: 0), to: sharing, in: "other")
            #expect(await sharing.journal(of: .init(room: "other", session: "s"))?.count == 0)
            // What was kept is sealed, comes back, and goes with the share.
            await sharing.take(.agentChannel(room: "room", isOpen: false))
            #expect(await !sharing.journals.keys.contains(key))
            let profile = await host.profile
            let stored = try #require(try profile.sharedLog(key))
            #expect(stored.share == "share1" && stored.log.count == 1)
            try await sharing.forget(share: "share1")
            let left = try profile.sharedLog(key)
            #expect(left == nil)
        }
    }

    @Test func `an owner who says more than was agreed is not listened to any more`() async throws {
        let agent = SharedAgent(session: "s", agent: "a", heard: 0, send: { _ in }, asked: { _ in }, ended: {})
        try await agent.prompt(AgentPrompt("go", turn: 1))
        agent.linked()
        agent.receive(.state(session: "s", first: 1, last: 0, turn: 0))
        let text = JSONText.long
        for number in 1...1000 {
            agent.receive(.event(session: "s", sequence: number, SharedEvent(.text, ["text": .string(text)])))
        }
        #expect(agent.events.heldBytes < 8 << 20)
        var last: AgentEvent?
        while let event = await agent.events.next() { last = event }
        guard case .ended(let error?)? = last else { return #expect(Bool(false)) }
        #expect(error.code == .notUnderstood)
    }

    private enum JSONText { static let long = String(repeating: "x", count: 30_000) }
}

extension AgentSharing {
    func journal(of key: Profile.SharedLogKey) -> SharedJournal? { journals[key]?.journal }
    func share(of key: Profile.SharedLogKey) -> String? { journals[key]?.share }
}
