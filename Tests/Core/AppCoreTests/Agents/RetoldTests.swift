import AppCore
import Testing

/// What an agent tells of its session after it was started anew is merged with what is known: nothing stands there twice, nothing is lost, and what
/// is on the screen stays what it is.
@Suite struct RetoldTests {
    /// A session whose agent was lost in the middle of its second turn, and is asked again.
    private static func lost(_ told: AgentDelta..., turnEnds: Bool = false) throws -> (TestDriver, AgentSessionID) {
        var driver = try TestDriver()
        let id = try driver.session()
        try driver.agents(.askAgent(session: id, text: "hello"))
        try driver.told(id, .opened(thread: "t", goesOn: false), .text(text: "Good day."))
        try driver.turnEnds(id)
        try driver.agents(.askAgent(session: id, text: "count"))
        for delta in told { try driver.told(id, delta) }
        if turnEnds {
            try driver.turnEnds(id)
            try driver.agents(.closeAgentSession(session: id))
        } else {
            try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
            #expect(try driver.talk(id).session.status == .unknown)
        }
        try driver.agents(.askAgent(session: id, text: "and now"))
        guard case .startAgentSession(_, _, _, let setup) = driver.state.pendingEffects[try driver.agentEffect(id)]
        else {
            Issue.record("nothing starts")
            return (driver, id)
        }
        #expect(setup?.retells == (turnEnds ? nil : true))
        return (driver, id)
    }

    private static let beginning: [AgentRetold] = [
        .asked(text: "hello"), .said(text: "Good day."), .asked(text: "count"),
    ]

    private static func contents(_ talk: AgentTalk) -> [AgentItem.Content] { talk.items.map(\.content) }

    @Test func `what it did after it was lost stands behind what is known, before the next prompt`() throws {
        var (driver, id) = try Self.lost(
            .text(text: "One, "), .called(call: AgentCall(id: "c", title: "Add", status: "in_progress"), whole: true))
        let before = try driver.talk(id).items
        let parts =
            Self.beginning + [
                .said(text: "One, "), .called(call: AgentCall(id: "c", title: "Add", status: "completed", output: "2")),
                .said(text: "two"), .called(call: AgentCall(id: "d", title: "Add more", status: "failed")),
                .said(text: "three."),
            ]
        try driver.told(id, .opened(thread: "t", goesOn: true), .retold(parts: parts))
        let talk = try driver.talk(id)
        #expect(
            Self.contents(talk) == [
                .prompt(text: "hello"), .text(text: "Good day."), .prompt(text: "count"), .text(text: "One, "),
                .called(call: AgentCall(id: "c", title: "Add", status: "completed", output: "2")), .text(text: "two"),
                .called(call: AgentCall(id: "d", title: "Add more", status: "failed")), .text(text: "three."),
                .prompt(text: "and now"),
            ])
        for item in before { #expect(talk[item: item.id]?.at == item.at, "an item keeps its number") }
        #expect(zip(talk.items, talk.items.dropFirst()).allSatisfy { $0.id < $1.id && $0.turn <= $1.turn })
        // Told again, and in part: nothing changes.
        try driver.told(
            id, .retold(parts: parts), .retold(parts: Array(parts.prefix(5))), .retold(parts: parts))
        #expect(try driver.talk(id).items == talk.items)
        try driver.told(id, .text(text: "Done."))
        #expect(try driver.talk(id).items.last?.content == .text(text: "Done."))
    }

    @Test func `an answer that was cut in the middle of a word goes on where it stopped`() throws {
        var (driver, id) = try Self.lost(.text(text: "One, tw"))
        try driver.told(id, .retold(parts: Self.beginning + [.said(text: "One,\n two, three.")]))
        #expect(try Self.contents(driver.talk(id))[3] == .text(text: "One, two, three."))
        #expect(try driver.talk(id).items.count == 5)
    }

    @Test func `a turn that another program began is added as a whole`() throws {
        var (driver, id) = try Self.lost(.text(text: "One."), turnEnds: true)
        let others: [AgentRetold] = [.asked(text: "from elsewhere"), .thought(text: "hm"), .said(text: "Yes.")]
        try driver.told(id, .retold(parts: Self.beginning + [.said(text: "One, in other words.")] + others))
        #expect(
            try Self.contents(driver.talk(id)) == [
                .prompt(text: "hello"), .text(text: "Good day."), .prompt(text: "count"), .text(text: "One."),
                .prompt(text: "from elsewhere"), .thought(text: "hm"), .text(text: "Yes."), .prompt(text: "and now"),
            ], "a turn that ended stays what it was")
        let talk = try driver.talk(id)
        try driver.told(id, .retold(parts: Self.beginning + [.said(text: "One.")] + others))
        #expect(try driver.talk(id).items == talk.items)
    }

    @Test func `one that knows nothing, or something else, adds nothing`() throws {
        var (driver, id) = try Self.lost(.text(text: "One."))
        let before = try driver.talk(id).items
        for parts: [AgentRetold] in [
            [], [.said(text: "x")], [.asked(text: "other"), .said(text: "y")], [.asked(text: "hello")],
        ] {
            try driver.told(id, .retold(parts: parts))
        }
        #expect(try driver.talk(id).items == before)
    }

    @Test func `of equal prompts each keeps its answer`() throws {
        var driver = try TestDriver()
        let id = try driver.session()
        for word in ["first", "second"] {
            try driver.agents(.askAgent(session: id, text: "go on"))
            try driver.told(id, .opened(thread: "t", goesOn: true), .text(text: CutText(word)))
            if word == "first" { try driver.turnEnds(id) }
        }
        try driver.fail(driver.agentEffect(id), Failure(.agentEnded))
        try driver.agents(.askAgent(session: id, text: "go on"))
        let parts: [AgentRetold] = [
            .asked(text: "go on"), .said(text: "first"), .asked(text: "go on"), .said(text: "second, and more"),
        ]
        try driver.told(id, .retold(parts: parts), .retold(parts: parts))
        #expect(
            try Self.contents(driver.talk(id)) == [
                .prompt(text: "go on"), .text(text: "first"), .prompt(text: "go on"), .text(text: "second, and more"),
                .prompt(text: "go on"),
            ])
    }

    @Test func `what is told cannot fill more than a session holds`() throws {
        var (driver, id) = try Self.lost(.text(text: "One."))
        driver.keepsStates = false
        let page = CutText(String(repeating: "x", count: 60_000))
        let many = (0..<3000).map { AgentRetold.said(text: CutText("\($0) ")) }
        let turns = (0..<100).flatMap { number -> [AgentRetold] in
            [.asked(text: CutText("\(number)")), .said(text: page)]
        }
        let parts: [AgentRetold] = Self.beginning + [.said(text: "One.")] + turns + many
        try driver.told(id, .retold(parts: parts))
        let talk = try driver.talk(id)
        #expect(talk.items.count <= AgentTalkLimits.items)
        #expect(talk.items.reduce(0) { $0 + $1.bytes } <= AgentTalkLimits.sessionBytes)
        #expect(talk.items.last?.content == .prompt(text: "and now") && talk.session.forgotten > 0)
        #expect(zip(talk.items, talk.items.dropFirst()).allSatisfy { $0.id < $1.id })
    }
}
