import AppCore
import Testing

/// Agents that do not end with the host process: the next one goes on with their turns.
@Suite struct SupervisedAgentTests {
    private static func asking() throws -> (driver: TestDriver, session: AgentSessionID) {
        var driver = try TestDriver()
        let session = try driver.runningSession()
        try driver.told(session, .supervised(by: "a"), .text(text: "one"), .position(position: 3))
        try driver.asks(session, 4)
        try driver.told(session, .position(position: 5))
        return (driver, session)
    }

    @Test func `after a restart the question is there, and is answered once`() throws {
        var (driver, session) = try Self.asking()
        let before = try #require(driver.talk(session).session.approvals.first)
        try driver.restart(active: false)
        #expect(
            driver.effects.contains {
                guard case .startAgentSession(session, .program, "/project", let setup) = $0 else { return false }
                return setup?.supervisor == "a" && setup?.after == 5
            })
        #expect(driver.prompts == ["go"])
        let away = try driver.talk(session).session
        #expect(away.isInTurn && away.shownStatus == .unknown && away.approvals == [before])
        try driver.told(session, .back)
        #expect(try driver.talk(session).session.shownStatus == .waits)
        try driver.agents(.answerAgent(session: session, approval: before.id, of: before.of, choice: .once))
        #expect(driver.answers.map(\.request) == [4])
        try driver.told(session, .withdrew(request: 4), .text(text: " two"))
        try driver.turnEnds(session)
        let talk = try driver.talk(session)
        #expect(talk.session.status == .done && !talk.items.contains { $0.content == .begunAnew })
    }

    @Test func `an answer that was on its way is said again, to the same supervisor only`() throws {
        var (driver, session) = try Self.asking()
        let approval = try #require(driver.talk(session).session.approvals.first)
        try driver.agents(.answerAgent(session: session, approval: approval.id, of: approval.of, choice: .once))
        try driver.restart(active: false)
        #expect(driver.answers.map(\.request) == [4])
        // It is gone: what it did is not known, and the next agent hears nothing of the answer.
        try driver.event(
            .effectFailed(effect: try driver.agentEffect(session), failure: Failure(.agentEnded)))
        #expect(try driver.talk(session).session.status == .unknown)
        try driver.agents(.askAgent(session: session, text: "on"))
        #expect(driver.answers.isEmpty && driver.prompts == ["on"])
        #expect(
            driver.effects.contains {
                guard case .startAgentSession(session, _, _, let setup) = $0 else { return false }
                return setup?.supervisor == nil && setup?.after == nil
            })
        try driver.restart(active: false)
        #expect(try driver.talk(session).session.status == .unknown, "nothing is known yet of a supervisor")
    }

    @Test func `an agent that never got ready has failed, and is not unknown`() throws {
        var driver = try TestDriver()
        let session = try driver.session()
        try driver.agents(.askAgent(session: session, text: "go"))
        try driver.told(session, .supervised(by: "a"), .position(position: 1))
        try driver.event(
            .effectFailed(effect: try driver.agentEffect(session), failure: Failure(.agentUnauthorized)))
        let talk = try driver.talk(session).session
        #expect(talk.status == .done && talk.end?.failure?.code == .agentUnauthorized)
        // The supervisor may still be there.
        try driver.agents(.askAgent(session: session, text: "again"))
        #expect(
            driver.effects.contains {
                guard case .startAgentSession(session, _, _, let setup) = $0 else { return false }
                return setup?.former == "a" && setup?.supervisor == nil
            })
    }

    @Test func `locking ends the agent, and unlocking does not look for it`() throws {
        var driver = try TestDriver.withPassphrase()
        let session = try driver.runningSession()
        try driver.told(session, .supervised(by: "a"), .position(position: 3))
        try driver.app(.lock)
        try driver.unlock()
        #expect(driver.effects.allSatisfy { if case .startAgentSession = $0 { false } else { true } })
        #expect(try driver.talk(session).session.status == .unknown)
    }

    @Test func `a stop outlives the process, and so does the time that a question has`() throws {
        var (driver, session) = try Self.asking()
        let expiry = try #require(driver.talk(session).session.approvals.first?.expiresAt)
        try driver.restart(active: false)
        #expect(driver.asked { if case .schedule(at: expiry) = $0 { true } else { false } })
        try driver.agents(.stopAgent(session: session))
        try driver.restart(active: false)
        #expect(driver.effects.contains { if case .cancelAgentTurn(session) = $0 { true } else { false } })
        try driver.told(session, .back)
        try driver.turnEnds(session, .stopped)
        try driver.agents(.askAgent(session: session, text: "on"))
        try driver.restart(active: false)
        #expect(!driver.effects.contains { if case .cancelAgentTurn = $0 { true } else { false } })
    }

    @Test func `in a long turn what was asked has given way, and the turn goes on all the same`() throws {
        var (driver, session) = try Self.asking()
        let calls = (0..<2100).map { number in
            AgentDelta.called(call: AgentCall(id: "c\(number)", title: "x", kind: "read"), whole: true)
        }
        try driver.event(
            .agentTold(
                effect: try driver.agentEffect(session), first: try driver.talk(session).live.heard, deltas: calls))
        #expect(try driver.talk(session).items.first?.content != .prompt(text: "go", pictures: nil))
        try driver.restart(active: false)
        #expect(try driver.talk(session).session.isInTurn && driver.prompts == [""])
    }

    @Test func `only an agent of this machine has a supervisor`() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        let offer = AgentOffer(share: "share1", name: "helper", readOnly: false)
        try driver.event(.agentsOffered(room: room, agents: [offer]))
        try driver.agents(.newAgentSession(agent: try #require(driver.state.agents.inOrder.first).id, folder: nil))
        let session = try #require(driver.state.talks.inOrder.first?.id)
        try driver.agents(.askAgent(session: session, text: "go"))
        try driver.told(session, .supervised(by: "a"))
        #expect(try driver.talk(session).session.link?.supervisor == nil)
    }

    @Test func `a session that is closed or whose turn is over is not gone on with`() throws {
        var (driver, session) = try Self.asking()
        try driver.turnEnds(session)
        try driver.restart(active: false)
        #expect(driver.effects.allSatisfy { if case .startAgentSession = $0 { false } else { true } })
        #expect(try driver.talk(session).session.status == .done)
    }
}
