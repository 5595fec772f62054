import Testing

@testable import AppCore

/// Sessions that an agent has already: listed when the person wants that, and taken up with all that was said in them.
@Suite struct ThreadTests {
    private static let threads = [
        AgentThread(id: "old", title: "Old", folder: "/project", changedAt: Timestamp(milliseconds: 1)),
        AgentThread(id: "none", title: "", folder: nil, changedAt: nil),
        AgentThread(id: "new", title: "New\u{1B}[2J", folder: "/other", changedAt: Timestamp(milliseconds: 2)),
        AgentThread(id: "old", title: "Twice", folder: "/project", changedAt: nil),
        AgentThread(id: String(repeating: "x", count: 5000), title: "", folder: "/project", changedAt: nil),
        AgentThread(id: "where", title: "", folder: "project", changedAt: nil),
    ]

    private static let told: [AgentRetold] = [
        .asked(text: "hello"), .said(text: "Good day."),
        .called(call: AgentCall(id: "c", title: "Add", status: "completed")), .asked(text: "count"),
        .said(text: "One."),
    ]

    /// The screen that asks an agent.
    private func asking(_ sandbox: AgentSandbox? = nil) throws -> (TestDriver, AgentID, EffectID) {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"], sandbox: sandbox))
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.app(.navigate(to: Screen(.agentSettings, agent: agent)))
        #expect(driver.tree.find("agent_settings.threads")?.isEnabled == false)
        try driver.agents(
            .editAgentForm(name: nil, command: nil, url: nil, model: nil, key: nil, folder: "/project"))
        try driver.tap("agent_settings.threads")
        return (driver, agent, try driver.waiting(\.listsThreads))
    }

    /// A session that was just taken up; the agent has told nothing of it.
    private func takenUp() throws -> (TestDriver, AgentSessionID) {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"]))
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "t", folder: "/project", title: "Known"))
        let id = try #require(driver.state.talks.inOrder.first).id
        return (driver, id)
    }

    private func items(_ driver: TestDriver) -> [Words] {
        driver.tree.find("agent_threads.list")?.children.map(\.label) ?? []
    }

    @Test func `they are asked for again where they were, also when nothing else says where that is`() throws {
        var (driver, _, effect) = try asking()
        try driver.event(.agentThreadsListed(effect: effect, threads: []))
        try driver.agents(.editAgentForm(name: nil, command: nil, url: nil, model: nil, key: nil, folder: ""))
        try driver.tap("agent_threads.retry")
        #expect(try driver.waiting(\.listsThreads) != effect)
    }

    @Test func `they are shown, those that changed last first, without what cannot be gone on with`() throws {
        var (driver, agent, effect) = try asking()
        #expect(driver.tree.find("agent_threads.reading") != nil)
        try driver.event(.agentThreadsListed(effect: effect, threads: Self.threads))
        #expect(items(driver) == [.said("New[2J"), .said("Old"), .said("none")])
        // An answer that comes again, or late, changes nothing.
        try driver.event(.agentThreadsListed(effect: effect, threads: []))
        #expect(items(driver).count == 3)
        try driver.tap("agent_threads.retry")
        let second = try driver.waiting(\.listsThreads)
        try driver.app(.back)
        #expect(driver.state.views.main.threads == nil && driver.state.pendingEffects[second] == nil)
        try driver.event(.agentThreadsListed(effect: second, threads: Self.threads))
        #expect(driver.tree.id == "agent_settings" && driver.state.views.main.threads == nil)
        try driver.agents(.removeAgent(agent: agent))
    }

    @Test func `an agent that does not say is said to be one, and can be asked again`() throws {
        var (driver, _, effect) = try asking()
        try driver.event(.agentThreadsListed(effect: effect, threads: nil))
        #expect(driver.tree.lines.joined().contains("does not say which sessions it has"))
        try driver.tap("agent_threads.retry")
        try driver.fail(driver.waiting(\.listsThreads), Failure(.agentUnavailable, place: "opencode"))
        #expect(driver.tree.find("agent_threads.problem") != nil)
    }

    @Test func `a confined agent does not say itself where it may write`() throws {
        var (driver, _, effect) = try asking(AgentSandbox(network: false))
        try driver.event(.agentThreadsListed(effect: effect, threads: Self.threads))
        #expect(items(driver) == [.said("Old")])
    }

    @Test func `one that is taken up tells what was said in it, and goes on`() throws {
        var (driver, _, effect) = try asking()
        try driver.event(.agentThreadsListed(effect: effect, threads: Self.threads))
        try driver.tap("thread.\(effect.number).1")
        let talk = try #require(driver.state.talks.inOrder.first)
        #expect(talk.session.title == "Old" && talk.session.folder == "/project" && driver.tree.id == "agent")
        guard case .startAgentSession(_, _, _, let setup) = driver.state.pendingEffects[try driver.agentEffect(talk.id)]
        else {
            Issue.record("nothing starts")
            return
        }
        #expect(setup?.thread == "old" && setup?.retells == true)
        try driver.event(.agentStarted(effect: try driver.agentEffect(talk.id)))
        try driver.told(talk.id, .opened(thread: "old", goesOn: true), .retold(parts: Self.told))
        let contents = try driver.talk(talk.id).items.map(\.content)
        let expected: [AgentItem.Content] = [
            .prompt(text: "hello"), .text(text: "Good day."),
            .called(call: AgentCall(id: "c", title: "Add", status: "completed")), .prompt(text: "count"),
            .text(text: "One."),
        ]
        #expect(contents == expected)
        // Told again, nothing stands there twice.
        try driver.told(talk.id, .retold(parts: Self.told))
        #expect(try driver.talk(talk.id).items.map(\.content) == expected)
        try driver.agents(.askAgent(session: talk.id, text: "go on"))
        #expect(driver.prompts == ["go on"])
        try driver.turnEnds(talk.id)
        // It is there already, and not begun once more.
        try driver.agents(.takeUpAgentThread(agent: talk.session.agent, thread: "old", folder: "/else", title: nil))
        #expect(driver.state.talks.byID.count == 1 && driver.tree.id == "agent")
        try driver.agents(.closeAgentSession(session: talk.id))
        try driver.agents(.askAgent(session: talk.id, text: "more"))
        guard case .startAgentSession(_, _, _, let later) = driver.state.pendingEffects[try driver.agentEffect(talk.id)]
        else { return }
        #expect(later?.thread == "old" && later?.retells == nil)
    }

    @Test func `what was said before stands above what is asked before it is told`() throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"]))
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "t", folder: "/project", title: nil))
        let id = try #require(driver.state.talks.inOrder.first).id
        try driver.agents(.askAgent(session: id, text: "and now"))
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: Self.told), .text(text: "Two."))
        let talk = try driver.talk(id)
        #expect(talk.items.map(\.content).first == .prompt(text: "hello"))
        #expect(talk.items.map(\.content).suffix(2) == [.prompt(text: "and now"), .text(text: "Two.")])
        #expect(talk.items.count == 7 && zip(talk.items, talk.items.dropFirst()).allSatisfy { $0.id < $1.id })
        #expect(talk.items.prefix(5).allSatisfy { $0.turn == 0 } && talk.session.title == "and now")
    }

    @Test func `what an agent tells for the first time after it was asked here stands there once`() throws {
        var (driver, id) = try takenUp()
        try driver.agents(.askAgent(session: id, text: "and now"))
        try driver.told(id, .opened(thread: "t", goesOn: true), .text(text: "Two."))
        try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
        try driver.agents(.askAgent(session: id, text: "again"))
        let told = Self.told + [.asked(text: "and now"), .said(text: "Two. And three.")]
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: told))
        let contents = try driver.talk(id).items.map(\.content)
        #expect(contents.count == 8 && contents.first == .prompt(text: "hello"))
        #expect(
            contents.suffix(3) == [.prompt(text: "and now"), .text(text: "Two. And three."), .prompt(text: "again")])
    }

    @Test func `what failed starts were asked is no turn of the agent's`() throws {
        var (driver, id) = try takenUp()
        for _ in 0..<2 {
            try driver.agents(.askAgent(session: id, text: "continue"))
            try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
        }
        try driver.agents(.askAgent(session: id, text: "go"))
        let told: [AgentRetold] = [
            .asked(text: "first"), .said(text: "A"), .asked(text: "continue"), .said(text: "C1"),
            .asked(text: "second"), .said(text: "B"), .asked(text: "continue"), .said(text: "C2"),
        ]
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: told))
        let said = try driver.talk(id).items.compactMap {
            if case .text(let text) = $0.content { text.text } else { nil }
        }
        #expect(said == ["A", "C1", "B", "C2"])
    }

    @Test func `a turn that was under way when it was taken up is told to its end`() throws {
        var (driver, id) = try takenUp()
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: Array(Self.told)))
        try driver.agents(.closeAgentSession(session: id))
        try driver.agents(.startAgent(session: id))
        guard case .startAgentSession(_, _, _, let setup) = driver.state.pendingEffects[try driver.agentEffect(id)]
        else {
            Issue.record("nothing starts")
            return
        }
        #expect(setup?.retells == true)
        let more = Self.told.dropLast() + [.said(text: "One. Two."), .asked(text: "by another"), .said(text: "Three.")]
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: Array(more)))
        let contents = try driver.talk(id).items.map(\.content)
        #expect(contents.count == 7 && contents[4] == .text(text: "One. Two.") && contents[6] == .text(text: "Three."))
    }

    @Test func `why one cannot be taken up is said`() throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"]))
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "t", folder: "/gone", title: "Known"))
        let id = try #require(driver.state.talks.inOrder.first).id
        try driver.fail(driver.agentEffect(id), Failure(.agentUnavailable, place: "opencode"))
        #expect(driver.state.notices.count == 1)
    }

    @Test func `one that the agent has no more is said to be so, and is kept`() throws {
        var (driver, id) = try takenUp()
        try driver.told(id, .opened(thread: "other", goesOn: false))
        #expect(try driver.talk(id).items.map(\.content) == [.notTakenUp])
        #expect(try !driver.talk(id).session.isUnasked)
    }

    @Test(arguments: ["", "project", "/a\u{0}b"]) func `no session begins where an agent cannot work`(
        folder: String
    ) throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"]))
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "t", folder: folder, title: nil))
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "", folder: "/project", title: nil))
        #expect(driver.state.talks.byID.isEmpty && driver.state.notices.count == 2)
    }
}

extension Effect.Kind {
    fileprivate var listsThreads: Bool { if case .listAgentThreads = self { true } else { false } }
}
