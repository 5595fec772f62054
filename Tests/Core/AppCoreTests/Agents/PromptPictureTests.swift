import AppCore
import Testing

/// Pictures that go along with prompts, and what tools want to be given.
@Suite struct PromptPictureTests {
    private static func picture(_ name: String, bytes: Int = 100) -> AgentPicture {
        AgentPicture(id: AgentPictureID(name), name: name, type: "image/png", bytes: bytes)
    }

    /// A person adds a picture, and the host keeps it.
    private static func add(_ picture: AgentPicture, to id: AgentSessionID, _ driver: inout TestDriver) throws {
        try driver.agents(.attachToPrompt(session: id, name: "/home/ann/\(picture.name)", bytes: 100, handle: "/tmp/a"))
        let effect = try driver.waiting {
            if case .keepPicture(id, picture.name, "/tmp/a") = $0 { true } else { false }
        }
        try driver.event(.pictureKept(effect: effect, picture: picture))
    }

    private static func forgotten(_ driver: TestDriver) -> [AgentPictureID] {
        driver.effects.flatMap { effect -> [AgentPictureID] in
            if case .forgetPictures(let pictures) = effect { pictures } else { [] }
        }
    }

    @Test func `they go along with the next prompt, also with one that waits`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        try Self.add(Self.picture("a.png"), to: id, &driver)
        try Self.add(Self.picture("b.png"), to: id, &driver)
        #expect(try driver.talk(id).session.pictures?.map(\.name) == ["a.png", "b.png"])
        try driver.agents(.askAgent(session: id, text: "what is it"))
        let both = [Self.picture("a.png"), Self.picture("b.png")]
        let asked = driver.asked {
            if case .promptAgent(id, 1, "what is it", both) = $0 { true } else { false }
        }
        #expect(asked)
        let talk = try driver.talk(id)
        #expect(talk.items.last?.content == .prompt(text: "what is it", pictures: both) && talk.session.pictures == nil)
        try Self.add(Self.picture("c.png"), to: id, &driver)
        try driver.agents(.askAgent(session: id, text: "and this"))
        try driver.agents(.askAgent(session: id, text: "and that"))
        #expect(try driver.talk(id).session.queue.map { $0.pictures?.count ?? 0 } == [1, 0])
        try driver.event(.agentStarted(effect: driver.agentEffect(id)))
        try driver.turnEnds(id)
        #expect(driver.asked { if case .promptAgent(_, 2, _, [Self.picture("c.png")]) = $0 { true } else { false } })
    }

    @Test func `what nothing shows any more the host forgets`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        for name in ["a", "b", "c", "d"] { try Self.add(Self.picture(name), to: id, &driver) }
        try driver.agents(.detachFromPrompt(session: id, picture: "b"))
        #expect(Self.forgotten(driver) == ["b"])
        try driver.agents(.detachFromPrompt(session: id, picture: "b"))
        #expect(Self.forgotten(driver) == [])
        try driver.agents(.askAgent(session: id, text: "one"))
        try Self.add(Self.picture("e"), to: id, &driver)
        try driver.agents(.askAgent(session: id, text: "two"))
        let waits = try #require(try driver.talk(id).session.queue.first)
        try driver.agents(.withdrawPrompt(session: id, prompt: waits.id))
        #expect(Self.forgotten(driver) == ["e"])
        try driver.agents(.removeAgentSession(session: id))
        #expect(Self.forgotten(driver) == ["a", "c", "d"])
    }

    @Test func `what falls out of a long session goes with its pictures`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.session()
        try Self.add(Self.picture("a"), to: id, &driver)
        try driver.agents(.askAgent(session: id, text: "one"))
        try driver.event(.agentStarted(effect: driver.agentEffect(id)))
        let page = CutText(String(repeating: "x", count: AgentTalkLimits.textBytes))
        var gone: [AgentPictureID] = []
        for _ in 0..<40 {
            try driver.told(id, .text(text: page))
            gone += Self.forgotten(driver)
        }
        #expect(gone == ["a"])
    }

    @Test func `there are no more than fit, and none for an agent that takes none`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        for number in 0..<AgentTalkLimits.pictures { try Self.add(Self.picture("\(number)"), to: id, &driver) }
        try driver.agents(.attachToPrompt(session: id, name: "x", bytes: 1, handle: "/x"))
        #expect(driver.state.notices.last?.text.keys.first == "notice.too_many_pictures")
        let other = try driver.session()
        try driver.agents(
            .attachToPrompt(session: other, name: "x", bytes: Int64(AgentTalkLimits.pictureBytes) + 1, handle: "/x"))
        #expect(!driver.asked { if case .keepPicture = $0 { true } else { false } })
        // The size that a page says may be wrong: what the host has counts.
        try Self.add(Self.picture("m", bytes: AgentTalkLimits.pictureBytes), to: other, &driver)
        try Self.add(Self.picture("n", bytes: 1), to: other, &driver)
        #expect(Self.forgotten(driver) == ["n"] && driver.state.talks[other]?.session.pictures?.count == 1)
        try driver.agents(.askAgent(session: other, text: "one"))
        try driver.event(.agentStarted(effect: driver.agentEffect(other)))
        try driver.told(other, .seesPictures(sees: false))
        try driver.agents(.attachToPrompt(session: other, name: "x", bytes: 1, handle: "/x"))
        #expect(driver.state.notices.last?.text.keys.first == "failure.agent_takes_no_pictures")
        #expect(!driver.asked { if case .keepPicture = $0 { true } else { false } })
        let tree = try driver.tree(in: .main)
        #expect(tree.find("agent.attach")?.isEnabled == false)
    }

    @Test func `a picture that comes late is kept for nobody`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        try driver.agents(.attachToPrompt(session: id, name: "x", bytes: 1, handle: "/x"))
        let effect = try driver.waiting { if case .keepPicture = $0 { true } else { false } }
        try driver.agents(.removeAgentSession(session: id))
        try driver.event(.pictureKept(effect: effect, picture: Self.picture("late")))
        #expect(Self.forgotten(driver) == ["late"])
        try driver.event(.pictureKept(effect: effect, picture: Self.picture("again")))
        #expect(driver.state.talks.byID.isEmpty)
    }

    // MARK: What tools want to be given

    @Test func `what a tool wants goes to it once, and is nowhere`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        let call = AgentCall(id: "t", input: "{}", results: [.text(text: "Password for ann:")])
        try driver.asks(id, 1, call, kinds: [], input: .secret)
        let approval = try #require(try driver.talk(id).session.approvals.first)
        #expect(approval.choices == [.reject] && approval.input == .secret)
        let field = try #require(driver.tree(in: .main).find("approval.\(approval.id).secret"))
        let offer = try #require(field.offers.first)
        let action = try offer.action(filledWith: ["secret": .string("ref1")])
        #expect(action == .agents(.giveAgent(session: id, approval: approval.id, of: approval.of, secret: "ref1")))
        // Nobody gives for something else than what was shown.
        try driver.agents(.giveAgent(session: id, approval: approval.id, of: "other", secret: "ref0"))
        #expect(driver.asked { if case .forgetSecrets(["ref0"]) = $0 { true } else { false } })
        try driver.dispatch(action)
        #expect(driver.asked { if case .giveAgent(id, 1, "ref1") = $0 { true } else { false } })
        let talk = try driver.talk(id)
        #expect(talk.session.approvals.isEmpty && talk.session.status == .running)
        #expect(driver.state.talks.log.entries.last?.decision.verdict == .given)
        // A second answer is too late, and what it has is forgotten.
        try driver.agents(.giveAgent(session: id, approval: approval.id, of: approval.of, secret: "ref2"))
        #expect(driver.asked { if case .forgetSecrets(["ref2"]) = $0 { true } else { false } })
        #expect(driver.state.notices.last?.text.keys.first == "notice.input_gone")
    }

    @Test func `no policy gives, and what is asked for otherwise cannot be given`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        for kind in AgentPolicies.Kind.allCases {
            try driver.agents(.setAgentPolicy(session: id, kind: kind, policy: .allow))
        }
        try driver.asks(id, 1, AgentCall(id: "t", kind: "execute", input: "{}"), input: .text)
        #expect(try driver.talk(id).session.status == .waits && driver.answers.isEmpty)
        try driver.turnEnds(id)
        try driver.agents(.setAgentPolicy(session: id, kind: .edit, policy: .ask))
        try driver.agents(.askAgent(session: id, text: "more"))
        try driver.asks(id, 2)
        let plain = try #require(try driver.talk(id).session.approvals.first)
        try driver.agents(.giveAgent(session: id, approval: plain.id, of: plain.of, secret: "ref"))
        #expect(try driver.talk(id).session.approvals == [plain])
    }
}
