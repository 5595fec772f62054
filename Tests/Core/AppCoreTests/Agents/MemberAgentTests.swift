import AppCore
import Testing

/// Agents of somebody in the circle, as this person uses them.
@Suite struct MemberAgentTests {
    private static let offer = AgentOffer(share: "share1", name: "helper", readOnly: false)

    private static func offered() throws -> (driver: TestDriver, room: RoomID, agent: Agent) {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.event(.agentsOffered(room: room, agents: [offer]))
        let title = try #require(driver.state.rooms[room]?.title)
        let agent = try #require(driver.state.agents.inOrder.first)
        #expect(agent.name == "helper@\(title)")
        #expect(agent.place == .member(room: room, share: "share1", readOnly: false))
        return (driver, room, agent)
    }

    private static func running() throws -> (driver: TestDriver, room: RoomID, session: AgentSessionID) {
        var (driver, room, agent) = try offered()
        try driver.agents(.newAgentSession(agent: agent.id, folder: nil))
        let session = try #require(driver.state.talks.inOrder.first?.id)
        try driver.agents(.askAgent(session: session, text: "go"))
        try driver.event(.agentStarted(effect: try driver.agentEffect(session)))
        return (driver, room, session)
    }

    @Test func `a list replaces the one before, and strangers have none`() throws {
        var (driver, room, agent) = try Self.offered()
        try driver.agents(.renameAgent(agent: agent.id, name: "bens"))
        try driver.event(.agentsOffered(room: room, agents: [.init(share: "share1", name: "other", readOnly: true)]))
        let now = try #require(driver.state.agents.byID[agent.id])
        #expect(now.name == "bens" && now.place == .member(room: room, share: "share1", readOnly: true))
        try driver.event(.agentsOffered(room: room, agents: []))
        #expect(driver.state.agents.byID.isEmpty)
        let stranger = try driver.roomThatTalks()
        try driver.event(.agentsOffered(room: stranger, agents: [Self.offer]))
        #expect(driver.state.agents.byID.isEmpty)
    }

    @Test func `nobody takes the place of an agent of ours, or its name`() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.agents(.addAgent(name: "helper", command: ["opencode"]))
        let ours = try #require(driver.state.agents.inOrder.first)
        let forged = AgentOffer(share: AgentShareID(ours.id.text), name: "helper", readOnly: false)
        let odd = AgentOffer(share: "x", name: "\u{202E}\n", readOnly: false)
        try driver.event(.agentsOffered(room: room, agents: [forged, odd, odd]))
        #expect(driver.state.agents.byID[ours.id] == ours)
        #expect(driver.state.agents.byID.count == 2)
        try driver.event(.agentsOffered(room: room, agents: []))
        #expect(driver.state.agents.byID == [ours.id: ours])
        let many = (0..<200).map { AgentOffer(share: AgentShareID("s\($0)"), name: "same", readOnly: false) }
        try driver.event(.agentsOffered(room: room, agents: many))
        let names = driver.state.agents.inOrder.map(\.name)
        #expect(names.count == AgentShareLimits.shares + 1 && Set(names).count == names.count)
    }

    @Test func `while the connection is down the session says that nothing is known, and then goes on`() throws {
        var (driver, _, session) = try Self.running()
        try driver.told(session, .text(text: "one "), .position(position: 2))
        try driver.told(session, .away)
        let away = try driver.talk(session)
        #expect(away.session.isInTurn && away.session.shownStatus == .unknown && away.session.unknownSince != nil)
        guard case .key("agent.unknown", _) = away.statusWords else { return #expect(Bool(false)) }
        try driver.told(session, .text(text: "two"), .position(position: 3), .back)
        let back = try driver.talk(session)
        #expect(back.session.shownStatus == .running && back.session.link?.position == 3)
        try driver.turnEnds(session)
        #expect(try driver.talk(session).session.status == .done)
    }

    @Test func `after a restart the turn goes on where it was, and what was answered is said again`() throws {
        var (driver, _, session) = try Self.running()
        try driver.told(session, .text(text: "one"), .position(position: 4))
        try driver.asks(session, 1)
        let approval = try #require(driver.talk(session).session.approvals.first)
        try driver.agents(
            .answerAgent(session: session, approval: approval.id, of: approval.of, choice: .once))
        try driver.asks(session, 2)
        try driver.restart(active: false)
        let talk = try driver.talk(session)
        #expect(talk.session.isInTurn && talk.session.shownStatus == .unknown && talk.session.approvals.count == 1)
        #expect(
            driver.effects.contains {
                if case .startAgentSession(session, .member, nil, AgentSetup(after: 4)) = $0 { true } else { false }
            })
        #expect(driver.prompts == ["go"])
        #expect(driver.answers.map(\.request) == [1])
        #expect(driver.answers.map(\.option) == ["option allow_once"])
        // What the owner decided on is not said again.
        try driver.told(session, .withdrew(request: 1), .back, .position(position: 5))
        #expect(try driver.talk(session).session.link?.answers.isEmpty == true)
        #expect(try driver.talk(session).session.shownStatus == .waits)
    }

    @Test func `an answer that came too late is told, and another life of the agent is`() throws {
        var (driver, _, session) = try Self.running()
        try driver.told(session, .tooLate(request: 1), .anew)
        #expect(driver.state.notices.last?.text.keys == ["notice.answer_too_late"])
        #expect(try driver.talk(session).items.last?.content == .begunAnew)
        // It does not begin anew only because it was closed here.
        try driver.turnEnds(session)
        let count = try driver.talk(session).items.count
        try driver.agents(.closeAgentSession(session: session))
        try driver.agents(.askAgent(session: session, text: "on"))
        #expect(try driver.talk(session).items.count == count + 1)
    }

    @Test func `another life of the agent asks from its first question on`() throws {
        var (driver, _, session) = try Self.running()
        for request in 1...3 { try driver.asks(session, request) }
        try driver.told(session, .anew)
        #expect(try driver.talk(session).session.approvals.isEmpty, "nobody waits for these any more")
        try driver.asks(session, 1)
        #expect(try driver.talk(session).session.approvals.map(\.request) == [1])
    }

    @Test func `what was allowed to an earlier life of the agent is never said to the next one`() throws {
        var (driver, _, session) = try Self.running()
        try driver.asks(session, 1)
        let approval = try #require(driver.talk(session).session.approvals.first)
        try driver.agents(.answerAgent(session: session, approval: approval.id, of: approval.of, choice: .once))
        try driver.told(session, .anew)
        try driver.asks(session, 1)
        try driver.restart(active: false)
        #expect(driver.answers.isEmpty)
        #expect(try driver.talk(session).session.approvals.count == 1)
    }

    @Test func `what its owner shares no longer is gone, and a turn is lost`() throws {
        var (driver, room, session) = try Self.running()
        try driver.event(.agentsOffered(room: room, agents: []))
        let talk = try driver.talk(session)
        #expect(talk.session.status == .unknown && talk.live.effect == nil)
        #expect(driver.effects.contains(.closeAgentSession(session: session)))
        var (other, member, id) = try Self.running()
        try other.event(.trustRevoked(room: member))
        #expect(other.state.agents.byID.isEmpty)
        #expect(try other.talk(id).live.effect == nil)
    }
}
