import AppCore
import Testing

/// What waits is said in the middle of a turn, to agents that take it.
@Suite struct InterjectionTests {
    /// A turn with two prompts that wait.
    private func waiting(takes: Bool = true) throws -> (TestDriver, AgentSessionID, [Int]) {
        var driver = try TestDriver()
        let session = try driver.runningSession()
        if takes { try tell([.takesInterjections], session, &driver) }
        for text in ["also b", "then c"] { try driver.agents(.askAgent(session: session, text: text)) }
        return (driver, session, try driver.talk(session).session.queue.map(\.id))
    }

    private func tell(_ deltas: [AgentDelta], _ session: AgentSessionID, _ driver: inout TestDriver) throws {
        let heard = try driver.talk(session).live.heard
        try driver.event(.agentTold(effect: driver.agentEffect(session), first: heard, deltas: deltas))
    }

    private func asked(_ driver: TestDriver, _ session: AgentSessionID) throws -> [String] {
        try driver.talk(session).items.compactMap { if case .prompt(let text, _) = $0.content { text } else { nil } }
    }

    @Test func `it stands where the agent has read it`() throws {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        #expect(driver.asked { $0 == .interject(session: session, prompt: ids[0], text: "also b") })
        #expect(driver.tree.find("queued.\(ids[1]).interject") == nil, "one at a time")
        try driver.agents(.interjectPrompt(session: session, prompt: ids[1]))
        #expect(try driver.talk(session).session.queue.count == 2)
        try tell(
            [.text(text: "first"), .interjected(prompt: ids[0], isRead: true), .text(text: "second")], session, &driver)
        #expect(try asked(driver, session) == ["go", "also b"])
        #expect(try driver.talk(session).session.queue.map(\.id) == [ids[1]])
        #expect(try driver.talk(session).session.turn == 1, "it is the same turn")
        try tell([.interjected(prompt: ids[0], isRead: true)], session, &driver)
        #expect(try asked(driver, session).count == 2)
        // It can be said after a restart what was said.
        try driver.restart()
        #expect(try asked(driver, session) == ["go", "also b"])
    }

    @Test func `what is taken back waits for the end again`() throws {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        try driver.tap("queued.\(ids[0]).wait")
        #expect(driver.asked { $0 == .takeBackInterjection(session: session, prompt: ids[0]) })
        #expect(driver.tree.find("queued.\(ids[0]).wait")?.isEnabled == false)
        try tell([.interjected(prompt: ids[0], isRead: false)], session, &driver)
        #expect(driver.tree.find("queued.\(ids[0]).interject") != nil)
        try tell([.turnEnded(turn: 1, end: AgentTurnEnd(.done))], session, &driver)
        #expect(try asked(driver, session) == ["go", "also b"] && driver.talk(session).session.turn == 2)
    }

    @Test func `an agent that does not take it is asked at the end`() throws {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        try driver.fail(
            driver.waiting { if case .interject = $0 { true } else { false } }, Failure(.requestGone))
        #expect(driver.state.notices.last?.text == "notice.agent_not_interjected")
        #expect(try driver.talk(session).session.queue.count == 2)
        let (other, _, others) = try waiting(takes: false)
        #expect(other.tree.find("queued.\(others[0]).interject") == nil)
    }

    @Test(arguments: [true, false]) func `what is withdrawn is not asked, if it was not read before`(isRead: Bool)
        throws
    {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        try driver.tap("queued.\(ids[0]).withdraw")
        #expect(driver.asked { $0 == .takeBackInterjection(session: session, prompt: ids[0]) })
        #expect(driver.tree.find("queued.\(ids[0]).withdraw")?.isEnabled == false)
        #expect(try driver.talk(session).session.queue.count == 2, "it may have been read")
        try tell([.interjected(prompt: ids[0], isRead: isRead)], session, &driver)
        #expect(try driver.talk(session).session.queue.map(\.id) == [ids[1]])
        #expect(try asked(driver, session) == (isRead ? ["go", "also b"] : ["go"]))
    }

    @Test func `of a turn that was stopped what was read is heard after its end, too`() throws {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        try driver.agents(.stopAgent(session: session))
        let end: [AgentDelta] = [
            .interjected(prompt: ids[0], isRead: false), .turnEnded(turn: 1, end: AgentTurnEnd(.stopped)),
        ]
        try tell(end, session, &driver)
        #expect(try driver.talk(session).session.queue.map(\.isHeld) == [true, true])
        try tell([.interjected(prompt: ids[0], isRead: true)], session, &driver)
        #expect(try asked(driver, session) == ["go", "also b"])
        #expect(try driver.talk(session).session.queue.map(\.id) == [ids[1]])
    }

    @Test func `what nobody knows is not asked by itself`() throws {
        var (driver, session, ids) = try waiting()
        try driver.tap("queued.\(ids[0]).interject")
        var other = driver
        try other.restart()
        #expect(try other.talk(session).session.queue.first?.isUnsure == true)
        #expect(try other.talk(session).session.queue.first?.isHeld == true)
        try tell([.turnEnded(turn: 1, end: AgentTurnEnd(.done))], session, &driver)
        #expect(try asked(driver, session) == ["go", "then c"])
        let held = try #require(driver.talk(session).session.queue.first)
        #expect(held.id == ids[0] && held.isHeld && held.isUnsure == true)
        #expect(driver.tree.lines.joined().contains("Nobody knows whether the agent read it"))
        try driver.agents(.withdrawPrompt(session: session, prompt: ids[0]))
        #expect(try driver.talk(session).session.queue.isEmpty)
    }

    @Test func `a tool that runs is sent into the background`() throws {
        var (driver, session, _) = try waiting()
        #expect(driver.tree.find("agent.background") == nil)
        try tell(
            [.called(call: AgentCall(id: "t", title: "Build", status: "in_progress"), whole: true)], session, &driver)
        try driver.tap("agent.background")
        #expect(driver.asked { $0 == .sendToolToBackground(session: session) })
        try driver.fail(
            driver.waiting { $0 == .sendToolToBackground(session: session) }, Failure(.requestGone))
        #expect(driver.state.notices.last?.text == "notice.agent_not_in_background")
        try tell([.called(call: AgentCall(id: "t", status: "completed"), whole: false)], session, &driver)
        #expect(driver.tree.find("agent.background") == nil)
    }
}
