import AppCore
import Testing

/// Sessions with agents: turns, what is said in them, and how they end. Events that are late, doubled or in another order harm nothing.
@Suite struct TurnTests {
    @Test func `prompts wait for the turn and go out in order`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        #expect(try driver.talk(id).session.status == .ready)
        try driver.agents(.askAgent(session: id, text: " one\n"))
        #expect(driver.prompts == [" one"] && driver.asked { if case .startAgentSession = $0 { true } else { false } })
        try driver.agents(.askAgent(session: id, text: "two"))
        try driver.agents(.askAgent(session: id, text: "three"))
        #expect(driver.prompts.isEmpty)
        #expect(try driver.talk(id).session.queue.map(\.text) == ["two", "three"])
        try driver.turnEnds(id)
        #expect(driver.prompts == ["two"])
        try driver.event(
            .agentTold(
                effect: driver.agentEffect(id), first: 1, deltas: [.turnEnded(turn: 1, end: AgentTurnEnd(.done))]))
        #expect(driver.prompts.isEmpty, "the end of an earlier turn, doubled")
        try driver.turnEnds(id)
        #expect(driver.prompts == ["three"])
        try driver.turnEnds(id)
        #expect(try driver.talk(id).session.status == .done)
        #expect(try driver.talk(id).session.title == "one")
    }

    @Test(arguments: [AgentTurnEnd.Reason.stopped, .refused, .tokenLimit, .requestLimit, .other, .failed])
    func `after a turn that did not end well what waits is held`(reason: AgentTurnEnd.Reason) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.agents(.askAgent(session: id, text: "two"))
        try driver.turnEnds(id, reason)
        #expect(driver.prompts.isEmpty)
        let held = try #require(try driver.talk(id).session.queue.first)
        #expect(held.isHeld && held.text == "two")
        #expect(try driver.talk(id).session.status == (reason == .stopped ? .stopped : .done))
        try driver.agents(.askQueued(session: id, prompt: held.id))
        #expect(try driver.prompts == ["two"] && driver.talk(id).session.queue.isEmpty)
    }

    @Test func `what waits can be withdrawn, and is bounded`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.runningSession()
        for number in 0...AgentTalkLimits.queued { try driver.agents(.askAgent(session: id, text: "\(number)")) }
        #expect(try driver.talk(id).session.queue.count == AgentTalkLimits.queued)
        #expect(driver.state.notices.last?.text.keys.first == "notice.too_many_prompts")
        let first = try #require(try driver.talk(id).session.queue.first)
        try driver.agents(.withdrawPrompt(session: id, prompt: first.id))
        #expect(try driver.talk(id).session.queue.first?.text == "1")
        let long = String(repeating: "x", count: AgentTalkLimits.promptBytes + 1)
        try driver.agents(.askAgent(session: id, text: long))
        #expect(driver.state.notices.last?.text.keys.first == "notice.agent_prompt_too_long")
    }

    @Test func `while an agent is not heard, a turn says so, and goes on`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        func words() throws -> String? { try driver.talk(id).statusWords.keys.first }
        try driver.told(id, .back)
        #expect(try words() == "agent.running", "it was never lost")
        try driver.told(id, .away)
        #expect(try words() == "agent.unknown")
        let since = try driver.talk(id).session.unknownSince
        try driver.told(id, .away)
        #expect(try driver.talk(id).session.unknownSince == since && driver.talk(id).session.isInTurn)
        try driver.agents(.askAgent(session: id, text: "two"))
        #expect(driver.prompts.isEmpty, "the turn is not over")
        try driver.told(id, .back, .text(text: "here"))
        #expect(try words() == "agent.running")
        try driver.turnEnds(id)
        #expect(driver.prompts == ["two"])
        try driver.turnEnds(id)
        try driver.told(id, .away)
        #expect(try words() == "agent.done", "without a turn nothing is unknown")
    }

    @Test func `pieces of an answer become one text, and none counts twice`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        let effect = try driver.agentEffect(id)
        let batches: [(Int, [AgentDelta])] = [
            (0, [.text(text: "a"), .text(text: "b")]), (0, [.text(text: "a"), .text(text: "b")]),
            (1, [.text(text: "b"), .text(text: "c")]), (0, [.text(text: "late")]),
        ]
        for (first, deltas) in batches { try driver.event(.agentTold(effect: effect, first: first, deltas: deltas)) }
        let items = try driver.talk(id).items
        #expect(items.map(\.content) == [.prompt(text: "go"), .text(text: "abc")])
        try driver.told(id, .thought(text: "hm"), .text(text: "d"))
        #expect(try driver.talk(id).items.count == 4)
        try driver.restart()
        #expect(try driver.talk(id).items.map(\.id) == items.map(\.id) + [items.last!.id + 1, items.last!.id + 2])
    }

    @Test func `calls are merged by their ids, within their turn`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .called(call: AgentCall(id: "t", title: "Read a", status: "pending"), whole: true))
        let item = try #require(try driver.talk(id).items.last)
        try driver.told(id, .called(call: AgentCall(id: "t", status: "completed", output: "1"), whole: false))
        let now = try #require(try driver.talk(id).items.last)
        #expect(now.id == item.id, "what is on the screen stays what it is")
        #expect(now.content == .called(call: AgentCall(id: "t", title: "Read a", status: "completed", output: "1")))
        try driver.turnEnds(id)
        try driver.agents(.askAgent(session: id, text: "again"))
        try driver.told(id, .called(call: AgentCall(id: "t", title: "Another"), whole: true))
        #expect(try driver.talk(id)[item: item.id] == now, "a call of an earlier turn is not written anew")
        #expect(try driver.talk(id).items.count == 4)
    }

    @Test func `a flood leaves the newest`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.runningSession()
        let page = CutText(String(repeating: "x", count: 50_000))
        for _ in 0..<100 { try driver.told(id, .text(text: page)) }
        let talk = try driver.talk(id)
        #expect(talk.items.count < 60 && talk.session.forgotten > 40)
        #expect(driver.disk.keys.count { $0.hasPrefix("agent_item/") } == talk.items.count)
        try driver.told(id, .called(call: AgentCall(id: "t", output: page), whole: true))
        guard case .called(let call)? = try driver.talk(id).items.last?.content else {
            Issue.record("no call")
            return
        }
        #expect(call.output?.omitted == 50_000 - AgentTalkLimits.outputBytes)
    }

    @Test func `who asks for what is new misses nothing when the clock goes back`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .called(call: AgentCall(id: "t", title: "x", status: "pending"), whole: true))
        try driver.told(id, .text(text: "a"))
        let seen = try driver.talk(id)
        let (next, since) = (try #require(seen.items.last).id + 1, try #require(seen.items.map(\.changedAt).max()))
        driver.now = driver.now.advanced(bySeconds: -7200)
        try driver.told(id, .called(call: AgentCall(id: "t", status: "completed"), whole: false))
        try driver.told(id, .text(text: "b"))
        let part = try driver.talk(id).part(from: next, since: since)
        #expect(
            part.items.contains { if case .called(let call) = $0.content { call.status == "completed" } else { false } }
        )
        #expect(part.items.last?.content == .text(text: "ab"))
        // Times rise with the items, also after the next start.
        try driver.restart()
        try driver.agents(.askAgent(session: id, text: "more"))
        let times = try driver.talk(id).items.map(\.changedAt)
        #expect(try #require(times.last) >= since)
    }

    @Test func `after a day of sleep nothing was allowed, and the turn goes on`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"))
        try driver.asks(id, 1)
        try driver.pass(seconds: 86_400)
        #expect(driver.answers.map(\.option) == ["option reject_once"])
        #expect(driver.state.talks.log.entries.map(\.decision.verdict) == [.expired])
        #expect(try driver.talk(id).session.status == .running)
        try driver.told(id, .text(text: "b"))
        try driver.turnEnds(id)
        let talk = try driver.talk(id)
        #expect(talk.session.status == .done && talk.items.contains { $0.content == .text(text: "b") })
    }

    @Test func `after the end of the agent in a turn it is not known what happened`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"))
        try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
        var session = try driver.talk(id).session
        #expect(session.status == .unknown && session.unknownSince == driver.now)
        try driver.agents(.askAgent(session: id, text: "and now?"))
        session = try driver.talk(id).session
        #expect(session.status == .running && session.unknownSince == nil)
        #expect(try driver.talk(id).items.contains { $0.content == .begunAnew })
    }

    @Test func `an agent that was over before it was asked is begun anew with the question, once`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.turnEnds(id)
        let former = try driver.agentEffect(id)
        try driver.agents(.askAgent(session: id, text: "more"))
        let over = Failure(.agentEnded, retryable: true)
        try driver.fail(driver.promptEffect(id), over)
        #expect(try driver.prompts == ["more"] && driver.agentEffect(id) != former)
        #expect(try driver.talk(id).items.map(\.content).suffix(2) == [.prompt(text: "more"), .begunAnew])
        try driver.fail(former, Failure(.agentEnded))
        #expect(try driver.talk(id).session.status == .running, "the news of its end comes after that")

        try driver.event(.agentStarted(effect: driver.agentEffect(id)))
        try driver.fail(driver.promptEffect(id), over)
        #expect(driver.prompts.isEmpty, "a second one that is over at once is not followed by a third")
        #expect(try driver.talk(id).session.end?.failure?.code == .agentEnded)
    }

    @Test func `what was stopped is not asked anew`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.turnEnds(id)
        try driver.agents(.askAgent(session: id, text: "more"))
        try driver.agents(.stopAgent(session: id))
        try driver.fail(driver.promptEffect(id), Failure(.agentEnded, retryable: true))
        #expect(try driver.prompts.isEmpty && driver.talk(id).session.status == .stopped)
    }

    @Test func `an agent that begins anew with the first question forgets nothing`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        try driver.agents(.startAgent(session: id))
        try driver.event(.agentStarted(effect: driver.agentEffect(id)))
        try driver.agents(.askAgent(session: id, text: "first"))
        try driver.fail(driver.promptEffect(id), Failure(.agentEnded, retryable: true))
        #expect(try driver.prompts == ["first"] && !driver.talk(id).items.contains { $0.content == .begunAnew })
    }

    @Test(arguments: [Failure(.agentEnded), Failure(.agentBusy, retryable: true)])
    func `an agent that may have taken the question is not asked again`(failure: Failure) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.turnEnds(id)
        try driver.agents(.askAgent(session: id, text: "more"))
        try driver.fail(driver.promptEffect(id), failure)
        #expect(driver.prompts.isEmpty)
        #expect(try driver.talk(id).session.end?.reason == .failed)
    }

    @Test func `what a process before this one may have asked is not asked again`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .supervised(by: "abc"))
        try driver.restart()
        try driver.fail(driver.promptEffect(id), Failure(.agentEnded, retryable: true))
        #expect(driver.prompts.isEmpty)
        #expect(try driver.talk(id).session.end?.reason == .failed)
    }

    @Test(arguments: [false, true]) func `when its turn is over a call waits for nothing any more`(isLost: Bool) throws
    {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.app(.navigate(to: Screen(.agent, session: id)))
        try driver.told(id, .called(call: AgentCall(id: "t", title: "Look", status: "in_progress"), whole: true))
        func call() throws -> SemanticNode { try #require(driver.tree.all.first { $0.facts.tool != nil }) }
        #expect(try call().isBusy && call().detail == "agent.call.in_progress")
        if isLost { try driver.fail(driver.agentEffect(id), Failure(.agentEnded)) } else { try driver.turnEnds(id) }
        #expect(try !call().isBusy && call().detail == "agent.call.left")
    }

    @Test func `after a restart in a turn it is not known since the last word`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"))
        let heard = driver.now
        try driver.agents(.askAgent(session: id, text: "two"))
        driver.now = driver.now.advanced(bySeconds: 3600)
        try driver.restart()
        let session = try driver.talk(id).session
        #expect(session.status == .unknown && session.unknownSince == heard)
        #expect(session.queue.map(\.isHeld) == [true])
        #expect(!driver.asked { if case .startAgentSession = $0 { true } else { false } }, "nothing begins by itself")
    }

    @Test func `an agent that does not start has done nothing`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        try driver.agents(.askAgent(session: id, text: "go"))
        try driver.fail(driver.agentEffect(id), Failure(.agentUnavailable, place: "opencode"))
        let session = try driver.talk(id).session
        #expect(session.status == .done && session.end?.failure?.code == .agentUnavailable)
        #expect(driver.open.isEmpty)
    }

    @Test func `stopping is asked once, and the end of the turn comes from the agent`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.agents(.stopAgent(session: id))
        #expect(driver.asked { $0 == .cancelAgentTurn(session: id) })
        try driver.agents(.stopAgent(session: id))
        #expect(driver.effects.isEmpty)
        try driver.asks(id, 1)
        #expect(driver.answers.map(\.option) == [nil], "after that nobody is asked")
        try driver.turnEnds(id, .stopped)
        #expect(try driver.talk(id).session.status == .stopped)
    }

    @Test func `a session goes with everything in it`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .text(text: "a"))
        try driver.agents(.removeAgentSession(session: id))
        #expect(driver.asked { $0 == .closeAgentSession(session: id) })
        #expect(!driver.disk.keys.contains { $0.hasPrefix("agent_session/") || $0.hasPrefix("agent_item/") })
        #expect(driver.tree.id == "agents" || driver.tree.id == "rooms")
    }

    @Test func `locking ends the agents, and unlocking does not know what they did`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.app(.setPassphrase(passphrase: "new", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.asked { $0 == .closeAgentSession(session: id) } && driver.state.talks.byID.isEmpty)
        try driver.app(.unlock(passphrase: "new"))
        let attempt = try driver.waiting { if case .unlock = $0 { true } else { false } }
        try driver.event(.vaultUnlocked(effect: attempt, records: driver.records { _ in true }))
        #expect(try driver.talk(id).session.status == .unknown)
    }
}
