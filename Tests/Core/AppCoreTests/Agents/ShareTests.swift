import AppCore
import Testing

/// Agents of this machine that members of the circle use.
@Suite struct ShareTests {
    /// A driver with a member who may use an agent.
    private static func shared(
        readOnly: Bool = false, ownerDecides: Bool = false, sandbox: AgentSandbox? = nil
    ) throws -> (driver: TestDriver, room: RoomID, share: AgentShareID) {
        var driver = try TestDriver()
        let room = try driver.member()
        try driver.agents(.addAgent(name: "helper", command: ["opencode", "acp"], sandbox: sandbox))
        let agent = try #require(driver.state.agents.inOrder.first)
        try driver.agents(
            .shareAgent(agent: agent.id, room: room, folder: "/project", readOnly: readOnly, ownerDecides: ownerDecides)
        )
        let share = try #require(driver.state.agents.byID[agent.id]?.shares.first)
        #expect(driver.offers == [[AgentOffer(share: share.id, name: "helper", readOnly: readOnly)]])
        return (driver, room, share.id)
    }

    private static func asked(
        readOnly: Bool = false, ownerDecides: Bool = false, sandbox: AgentSandbox? = nil
    ) throws -> (driver: TestDriver, room: RoomID, session: AgentSessionID) {
        var (driver, room, share) = try shared(readOnly: readOnly, ownerDecides: ownerDecides, sandbox: sandbox)
        try driver.wants(room, .asks(share: share, turn: 1, text: "go"))
        let session = try #require(driver.state.talks.inOrder.first?.id)
        try driver.event(.agentStarted(effect: try driver.agentEffect(session)))
        return (driver, room, session)
    }

    @Test func `only members are offered agents, and only while they have shown who they are`() throws {
        var driver = try TestDriver()
        let stranger = try driver.roomThatTalks()
        try driver.agents(.addAgent(name: "helper", command: ["opencode"]))
        let agent = try #require(driver.state.agents.inOrder.first).id
        let share = AgentAction.shareAgent(
            agent: agent, room: stranger, folder: "/project", readOnly: false, ownerDecides: false)
        try driver.agents(share)
        #expect(driver.offers.isEmpty && driver.state.agents.byID[agent]?.shares.isEmpty == true)
        #expect(driver.state.notices.last?.text.keys == ["notice.share_needs_member"])
    }

    @Test func `what a member says with an agent its owner does not go on with`() throws {
        var (driver, _, session) = try Self.asked()
        try driver.told(session, .opened(thread: "theirs", goesOn: false))
        let agent = try driver.talk(session).session.agent
        try driver.agents(.takeUpAgentThread(agent: agent, thread: "theirs", folder: "/project", title: nil))
        #expect(driver.state.talks.byID.count == 1 && !driver.state.notices.isEmpty)
        try driver.agents(.editAgentForm(name: nil, command: nil, url: nil, model: nil, key: nil, folder: "/project"))
        try driver.app(.navigate(to: Screen(.agentThreads, agent: agent)))
        let listing = try driver.waiting { if case .listAgentThreads = $0 { true } else { false } }
        let threads = ["theirs", "own"].map { AgentThread(id: $0, title: "", folder: "/project", changedAt: nil) }
        try driver.event(.agentThreadsListed(effect: listing, threads: threads))
        #expect(driver.state.views.main.threads?.threads?.map(\.id) == ["own"])
    }

    @Test func `a break takes the offer back, and the connection brings it again`() throws {
        var (driver, room, share) = try Self.shared()
        let link = try driver.waiting(\.isLink)
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        #expect(driver.offers == [nil])
        try driver.wants(room, .asks(share: share, turn: 1, text: "go"))
        #expect(driver.state.talks.byID.isEmpty, "nobody is there who could want it")
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(driver.offers.count == 1 && driver.offers.first??.map(\.share) == [share])
    }

    @Test func `a member's prompt begins a session, once, in the shared folder`() throws {
        var (driver, room, share) = try Self.shared()
        let wish = MemberWish.asks(share: share, turn: 1, text: "go")
        try driver.wants(room, wish)
        let session = try #require(driver.state.talks.inOrder.first?.session)
        #expect(session.folder == "/project" && session.guest?.room == room && session.turn == 1)
        #expect(driver.prompts == ["go"])
        #expect(
            driver.effects.contains {
                if case .startAgentSession(_, .program(_, nil, _), "/project", let setup?) = $0 {
                    setup.guest != nil && setup.after == nil
                } else {
                    false
                }
            })
        for _ in 0..<3 { try driver.wants(room, wish) }
        #expect(driver.prompts.isEmpty && driver.refusals.isEmpty && driver.state.talks.byID.count == 1)
        // The next turn waits for the end of this one, which the member may hear of first; it is begun once. No other one waits.
        for _ in 0..<2 { try driver.wants(room, .asks(share: share, turn: 2, text: "on")) }
        #expect(driver.prompts.isEmpty && driver.refusals.isEmpty)
        try driver.wants(room, .asks(share: share, turn: 3, text: "further"))
        #expect(driver.refusals == [.busy])
        try driver.event(.agentStarted(effect: try driver.agentEffect(session.id)))
        try driver.turnEnds(session.id)
        #expect(driver.prompts == ["on"])
        try driver.wants(room, .asks(share: share, turn: 2, text: "on"))
        #expect(driver.prompts.isEmpty && driver.state.talks[session.id]?.session.turn == 2)
        // The owner does not ask in it.
        try driver.agents(.askAgent(session: session.id, text: "mine"))
        #expect(driver.prompts.isEmpty && driver.state.talks[session.id]?.session.queue.isEmpty == true)
    }

    @Test func `what is not shared, not any more, or is nothing is refused`() throws {
        var (driver, room, share) = try Self.shared()
        try driver.wants(room, .asks(share: "other", turn: 1, text: "go"))
        #expect(driver.refusals == [.notShared])
        try driver.wants(room, .asks(share: share, turn: 0, text: "go"))
        #expect(driver.refusals == [.tooLarge])
        try driver.wants(room, .asks(share: share, turn: 1, text: String(repeating: "x", count: 300_000)))
        #expect(driver.refusals == [.tooLarge])
        for number in 0..<AgentShareLimits.sessions + 1 {
            try driver.wants(room, .asks(share: share, turn: 1, text: "go"), session: AgentSessionID("s\(number)"))
            for talk in driver.state.talks.inOrder where talk.live.effect != nil {
                try driver.agents(.closeAgentSession(session: talk.id))
            }
        }
        #expect(driver.state.talks.byID.count == AgentShareLimits.sessions)
        let agent = try #require(driver.state.agents.inOrder.first).id
        try driver.agents(.unshareAgent(agent: agent, room: room))
        #expect(driver.offers == [[]])
        try driver.wants(room, .asks(share: share, turn: 9, text: "go"), session: "s1")
        #expect(driver.refusals == [.notShared])
    }

    @Test func `another member's session cannot be named`() throws {
        var (driver, room, session) = try Self.asked()
        try driver.asks(session, 1)
        let other = try driver.roomThatKnows()
        for wish: MemberWish in [.answers(request: 1, option: "option allow_once"), .stops(turn: 1), .closes] {
            try driver.wants(other, wish)
            try driver.wants(room, wish, session: "forged")
        }
        let talk = try driver.talk(session)
        #expect(talk.session.status == .waits && talk.live.effect != nil && !talk.live.isStopping)
    }

    // MARK: Answers

    private static let inside = AgentCall(
        id: "t", title: "Change a", kind: "edit", input: "{}", paths: ["/project/a"])

    @Test func `the first answer counts, the member's or the owner's`() throws {
        var (driver, room, session) = try Self.asked()
        try driver.asks(session, 1, Self.inside)
        try driver.wants(room, .answers(request: 1, option: "option allow_once"))
        #expect(driver.answers.map(\.option) == ["option allow_once"])
        try driver.wants(room, .answers(request: 1, option: nil))
        #expect(driver.answers.isEmpty && driver.refusals == [.gone])
        try driver.asks(session, 2, Self.inside)
        let approval = try #require(driver.talk(session).session.approvals.first)
        try driver.agents(
            .answerAgent(session: session, approval: approval.id, of: approval.of, choice: .reject))
        try driver.wants(room, .answers(request: 2, option: "option allow_once"))
        #expect(driver.answers.isEmpty && driver.refusals == [.gone])
        #expect(driver.state.talks.log.entries.map(\.decision.verdict) == [.onceByMember, .reject])
    }

    @Test(arguments: [
        AgentCall(id: "t", title: "Change b", kind: "edit", input: "{}", paths: ["/project/a", "/etc/passwd"]),
        AgentCall(id: "t", title: "Change b", kind: "edit", input: "{}", paths: ["/project/../etc/passwd"]),
        AgentCall(id: "t", title: "Run", kind: "execute", input: "{}", paths: ["/"]),
        AgentCall(id: "t", title: "Read", kind: "read", results: [.difference(path: "/x", old: nil, new: "y")]),
        AgentCall(id: "t", title: "Change a", kind: "edit", input: "{}"),
        AgentCall(id: "t", title: "Change a", kind: "edit", paths: ["/project/a"]),
        AgentCall(id: "t", title: "rm a", kind: "execute", input: "{}", paths: ["/project/a"]),
        AgentCall(id: "t", title: "Fetch", kind: "fetch", input: "{}", paths: ["/project/a"]),
        AgentCall(id: "t", title: "Dance", kind: "dance", input: "{}", paths: ["/project/a"]),
        AgentCall(id: "t", title: "Dance", input: "{}", paths: ["/project/a"]),
    ]) func `a member does not allow what leaves the folder, but rejects it`(call: AgentCall) throws {
        var (driver, room, session) = try Self.asked()
        try driver.asks(session, 1, call)
        try driver.wants(room, .answers(request: 1, option: "option allow_once"))
        #expect(driver.answers.isEmpty && driver.refusals == [.gone])
        #expect(try driver.talk(session).session.status == .waits)
        try driver.wants(room, .answers(request: 1, option: nil))
        #expect(driver.answers.map(\.option) == ["option reject_once"])
    }

    /// There the sandbox holds whatever was allowed.
    @Test(arguments: ["execute", "fetch", "edit", nil], [[], ["/project/a"], ["/etc/passwd"]])
    func `of an agent in a sandbox a member allows commands, too`(kind: String?, paths: [String]) throws {
        var (driver, room, session) = try Self.asked(sandbox: AgentSandbox(network: false))
        try driver.asks(session, 1, AgentCall(id: "t", title: "make", kind: kind, input: "{}", paths: paths))
        try driver.wants(room, .answers(request: 1, option: "option allow_once"))
        #expect(driver.answers.map(\.option) == (paths == ["/etc/passwd"] ? [] : ["option allow_once"]))
    }

    @Test func `a member does not allow for good, nor what was never offered`() throws {
        var (driver, room, session) = try Self.asked()
        try driver.asks(session, 1, Self.inside, kinds: ["allow_always", "reject_once"])
        for option in ["option allow_always", "option allow_once", "forged"] {
            try driver.wants(room, .answers(request: 1, option: option))
            #expect(driver.answers.isEmpty && driver.refusals == [.gone])
        }
    }

    @Test func `where the owner decides, the member's answer does not count`() throws {
        var (driver, room, session) = try Self.asked(ownerDecides: true)
        try driver.asks(session, 1, Self.inside)
        for option in ["option allow_once", nil] {
            try driver.wants(room, .answers(request: 1, option: option))
            #expect(driver.answers.isEmpty && driver.refusals == [.gone])
        }
    }

    @Test(arguments: ["edit", "delete", "move", "execute", "other", "dance", nil])
    func `with a read-only share every change is rejected, whatever the policies say`(kind: String?) throws {
        var (driver, _, session) = try Self.asked(readOnly: true)
        for policy in AgentPolicies.Kind.allCases {
            try driver.agents(.setAgentPolicy(session: session, kind: policy, policy: .allow))
        }
        try driver.asks(session, 1, AgentCall(id: "t", title: "x", kind: kind, input: "{}", paths: ["/project/a"]))
        #expect(driver.answers.map(\.option) == ["option reject_once"])
        #expect(driver.state.talks.log.entries.last?.decision.verdict == .rejectedByPolicy)
    }

    @Test(arguments: [nil, AgentSandbox(network: true, readable: ["/opt/x"])])
    func `with a read-only share a program is confined to reading`(sandbox: AgentSandbox?) throws {
        var (driver, room, share) = try Self.shared(readOnly: true, sandbox: sandbox)
        try driver.wants(room, .asks(share: share, turn: 1, text: "go"))
        let walls = driver.effects.compactMap { kind -> AgentSandbox? in
            if case .startAgentSession(_, .program(_, let wall, _), _, _) = kind { wall } else { nil }
        }
        #expect(
            walls == [
                AgentSandbox(network: sandbox?.network ?? false, readable: sandbox?.readable ?? [], readOnly: true)
            ])
    }

    // MARK: Ends

    @Test func `unsharing, removing and revoking end the sessions and what was kept`() throws {
        for end in 0..<3 {
            var (driver, room, session) = try Self.asked()
            let share = try #require(driver.talk(session).session.guest?.share)
            let agent = try #require(driver.state.agents.inOrder.first).id
            switch end {
            case 0: try driver.agents(.unshareAgent(agent: agent, room: nil))
            case 1: try driver.agents(.removeAgent(agent: agent))
            default: try driver.circle(.revokeTrust(room: room, reason: nil))
            }
            #expect(driver.effects.contains(.forgetShare(share: share)))
            #expect(driver.effects.contains(.closeAgentSession(session: session)))
            #expect(try driver.talk(session).live.effect == nil)
        }
    }

    @Test func `an agent that cannot be started is told to the member`() throws {
        var (driver, room, share) = try Self.shared()
        try driver.wants(room, .asks(share: share, turn: 1, text: "go"))
        let session = try #require(driver.state.talks.inOrder.first?.id)
        try driver.event(
            .effectFailed(effect: try driver.agentEffect(session), failure: Failure(.agentUnavailable)))
        #expect(driver.refusals == [.unavailable])
        // The refusal may be lost on its way.
        try driver.wants(room, .asks(share: share, turn: 1, text: "go"))
        #expect(driver.refusals == [.lost] && driver.prompts.isEmpty)
    }
}

extension TestDriver {
    mutating func wants(_ room: RoomID, _ wish: MemberWish, session: AgentSessionID = "theirs") throws {
        try event(.memberWants(room: room, session: session, wish: wish))
    }

    /// What the last input offers members.
    var offers: [[AgentOffer]?] {
        effects.compactMap { kind -> [AgentOffer]?? in
            if case .offerAgents(_, let agents) = kind { .some(agents) } else { nil }
        }
    }

    /// What the last input refuses members.
    var refusals: [MemberRefusal] {
        effects.compactMap { if case .refuseMember(_, _, _, _, let why) = $0 { why } else { nil } }
    }
}
