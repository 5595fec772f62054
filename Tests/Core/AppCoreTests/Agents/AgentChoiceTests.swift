import AppCore
import Testing

/// How agents go on with sessions, what a person chooses in them, and what the desktop tells of them.
@Suite struct AgentChoiceTests {
    private static let modes = AgentChooser(
        kind: .mode, current: "ask", options: [.init(id: "ask", name: "Ask"), .init(id: "plan", name: "Plan")])

    @Test func `an agent is told which session to go on with, and what was chosen`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .opened(thread: "thread", goesOn: false), .offers(chooser: Self.modes))
        #expect(!(try driver.talk(id).items.contains { $0.content == .notTakenUp }), "nothing was there to go on with")
        try driver.turnEnds(id)
        try driver.agents(.chooseForAgent(session: id, kind: .mode, option: "plan"))
        #expect(try driver.talk(id).session.choosers?.first?.current == "ask", "the agent has not taken it yet")
        try driver.event(.effectDone(effect: driver.waiting { if case .chooseForAgent = $0 { true } else { false } }))
        #expect(try driver.talk(id).session.choosers?.first?.current == "plan")
        try driver.agents(.closeAgentSession(session: id))
        try driver.restart()
        try driver.agents(.askAgent(session: id, text: "go on"))
        let setup = driver.effects.compactMap { effect -> AgentSetup? in
            if case .startAgentSession(_, _, _, let setup) = effect { setup } else { nil }
        }
        #expect(setup == [AgentSetup(thread: "thread", chosen: [AgentChosen(kind: .mode, option: "plan")])])
        #expect(!(try driver.talk(id).items.contains { $0.content == .begunAnew }))
        try driver.told(id, .opened(thread: "other", goesOn: false))
        #expect(try driver.talk(id).items.last?.content == .notTakenUp)
        #expect(try driver.talk(id).session.thread == "other")
    }

    @Test func `only what is offered can be chosen, and a refusal changes nothing`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.agents(.chooseForAgent(session: id, kind: .mode, option: "plan"))
        #expect(driver.effects.isEmpty && driver.state.notices.last?.text.keys.first == "notice.agent_choice_gone")
        try driver.told(id, .offers(chooser: Self.modes), .chose(kind: .mode, option: "forged"))
        #expect(try driver.talk(id).session.choosers == [Self.modes])
        try driver.agents(.chooseForAgent(session: id, kind: .mode, option: "plan"))
        try driver.fail(driver.waiting { if case .chooseForAgent = $0 { true } else { false } }, Failure(.agentRefused))
        #expect(try driver.talk(id).session.choosers == [Self.modes] && driver.talk(id).session.chosen == nil)
        let long = String(repeating: "x", count: AgentTalkLimits.nameBytes + 1)
        let many = (0...AgentTalkLimits.chooserOptions).map { AgentChooser.Option(id: "\($0)", name: long) }
        let hostile = AgentChooser(kind: .mode, current: "0", options: [.init(id: long, name: "")] + many)
        try driver.told(id, .opened(thread: long, goesOn: true), .offers(chooser: hostile))
        let chooser = try #require(try driver.talk(id).session.choosers?.first)
        #expect(chooser.options.count == AgentTalkLimits.chooserOptions && chooser.options[0].id == "0")
        #expect(chooser.options[0].name.utf8.count <= AgentTalkLimits.titleBytes)
        #expect(try driver.talk(id).session.thread == nil, "a name that is cut is another one")
    }

    @Test func `an agent that is started before anything is asked says what can be chosen`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        try driver.agents(.startAgent(session: id))
        try driver.event(.agentStarted(effect: try driver.agentEffect(id)))
        try driver.told(id, .opened(thread: "thread", goesOn: false), .offers(chooser: Self.modes))
        #expect(try driver.talk(id).session.status == .ready && driver.talk(id).items.isEmpty)
        try driver.agents(.startAgent(session: id))
        #expect(driver.effects.isEmpty, "it runs already")
        try driver.agents(.chooseForAgent(session: id, kind: .mode, option: "plan"))
        try driver.event(.effectDone(effect: driver.waiting { if case .chooseForAgent = $0 { true } else { false } }))
        try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
        #expect(try driver.talk(id).session.status == .ready && driver.state.notices.isEmpty)
        try driver.agents(.askAgent(session: id, text: "go"))
        let setup = driver.effects.compactMap { effect -> AgentSetup? in
            if case .startAgentSession(_, _, _, let setup) = effect { setup } else { nil }
        }
        #expect(setup == [AgentSetup(chosen: [AgentChosen(kind: .mode, option: "plan")])], "it goes on with nothing")
        #expect(driver.prompts == ["go"])
        #expect(!(try driver.talk(id).items.contains { $0.content == .begunAnew }))
    }

    @Test func `agents that nobody has asked leave places for those that are asked`() throws {
        var driver = try TestDriver()
        let sessions = try (0..<AgentTalkLimits.running).map { _ in try driver.session() }
        for id in sessions { try driver.agents(.startAgent(session: id)) }
        let running = driver.state.talks.byID.values.count { $0.live.effect != nil }
        #expect(running == AgentTalkLimits.running / 2 && driver.state.notices.isEmpty)
        try driver.agents(.askAgent(session: try #require(sessions.last), text: "go"))
        #expect(driver.prompts == ["go"])
    }

    @Test func `a session that a program began and never asked in goes with it`() throws {
        var driver = try TestDriver()
        let kept = try driver.session()
        let (asked, unasked) = (try driver.begun(in: "one"), try driver.begun(in: "two"))
        try driver.agents(.askAgent(session: asked, text: "go"), in: "one")
        try driver.dispatch(.app(.closeView), in: "one")
        try driver.dispatch(.app(.closeView), in: "two")
        #expect(Set(driver.state.talks.byID.keys) == [kept, asked])
        #expect(driver.asked { $0 == .closeAgentSession(session: unasked) })
    }

    @Test func `a session that a program began waits for it after a restart`() throws {
        var driver = try TestDriver()
        let kept = try driver.session()
        let (taken, left) = (try driver.begun(in: "one"), try driver.begun(in: "two"))
        // However long ago it was begun: the patience is with the program that comes back.
        try driver.pass(seconds: 3600)
        try driver.restart()
        try driver.dispatch(.app(.openView), in: "three")
        try driver.agents(.startAgent(session: taken), in: "three")
        try driver.dispatch(.app(.openView), in: "four")
        try driver.dispatch(.app(.closeView), in: "four")
        #expect(Set(driver.state.talks.byID.keys) == [kept, taken, left], "the end of another says nothing")
        try driver.pass(seconds: 599)
        #expect(Set(driver.state.talks.byID.keys) == [kept, taken, left])
        try driver.pass(seconds: 2)
        #expect(Set(driver.state.talks.byID.keys) == [kept, taken], "nobody came back to the other one")
        try driver.dispatch(.app(.closeView), in: "three")
        #expect(Set(driver.state.talks.byID.keys) == [kept])
    }

    private func shown(_ driver: TestDriver) -> [(title: Words, text: Words?)] {
        driver.effects.compactMap {
            if case .showAgentNotification(_, let title, let text) = $0 { (title, text) } else { nil }
        }
    }

    private func closes(_ driver: TestDriver) -> Bool {
        driver.asked { if case .closeAgentNotification = $0 { true } else { false } }
    }

    @Test func `the desktop tells of a session that waits or is done, unless somebody looks`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.app(.becameActive))
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        #expect(shown(driver).isEmpty, "the person looks at it")
        try driver.dispatch(.app(.becameInactive))
        try driver.asks(id, 2, AgentCall(id: "u", title: "Secret title", kind: "edit", input: "{}"))
        #expect(shown(driver).map(\.title) == ["notification.title"])
        #expect(shown(driver).map(\.text) == [.key("notification.agent.waits")], "what it wants is hidden")
        try driver.asks(id, 3, AgentCall(id: "v", title: "More", kind: "edit", input: "{}"))
        #expect(shown(driver).isEmpty, "it was told already")
        try driver.turnEnds(id)
        #expect(closes(driver) || shown(driver).map(\.text) == [.key("notification.agent.done")])
        try driver.dispatch(.app(.becameActive))
        #expect(closes(driver))
        #expect(try driver.talk(id).notice == nil)
    }

    @Test func `content is told only where the person wants it, and nothing where they want nothing`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.dispatch(.app(.becameInactive))
        try driver.dispatch(.app(.setNotifications(content: .full)))
        try driver.asks(id, 1, AgentCall(id: "u", title: "Run the tests", kind: "execute", input: "{}"))
        #expect(shown(driver).map(\.text) == [.said("Run the tests")])
        try driver.dispatch(.app(.setNotifications(content: .off)))
        #expect(closes(driver))
        try driver.asks(id, 2, AgentCall(id: "w", title: "Again", kind: "execute", input: "{}"))
        #expect(shown(driver).isEmpty)
    }

    @Test func `a part of a session has what is new and what has changed`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(
            id, .called(call: AgentCall(id: "t", title: "A", status: "pending"), whole: true), .text(text: "one"))
        let known = try driver.talk(id)
        driver.now = driver.now.advanced(bySeconds: 1)
        let since = driver.now
        try driver.told(id, .called(call: AgentCall(id: "t", status: "completed"), whole: false), .text(text: " two"))
        let last = try #require(known.items.last?.id)
        let part = try driver.talk(id).part(from: last, since: since)
        #expect(part.items.map(\.id) == known.items.suffix(2).map(\.id))
        #expect(try driver.talk(id).part(from: last, since: Timestamp(milliseconds: .max)).items.map(\.id) == [last])
        #expect(part.session == (try driver.talk(id).session))
    }
}
