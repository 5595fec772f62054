import Testing

@testable import AppCore

/// Questions of agents: bound to what was shown, answered once, never allowed by accident.
@Suite struct ApprovalTests {
    private func only(_ driver: TestDriver, _ id: AgentSessionID) throws -> AgentApproval {
        let approvals = try driver.talk(id).session.approvals
        try #require(approvals.count == 1)
        return approvals[0]
    }

    private func answer(
        _ driver: inout TestDriver, _ id: AgentSessionID, _ choice: AgentChoice, in view: ViewID? = nil
    ) throws {
        let approval = try only(driver, id)
        try driver.agents(.answerAgent(session: id, approval: approval.id, of: approval.of, choice: choice), in: view)
    }

    @Test func `what the agent calls an answer is said beside what the answer is`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.app(.navigate(to: Screen(.agent, session: id)))
        let names = ["allow_once": "Yes, and I go on\u{202E} planning", "reject_once": "No"]
        try driver.asks(id, 1, names: names)
        let approval = try only(driver, id)
        let button = try #require(driver.tree.find("approval.\(approval.id).once"))
        #expect(button.label == "approval.once" && button.detail?.keys == ["approval.in_its_words"])
        #expect(driver.tree.lines.joined().contains("I go on planning"), "nothing turns it around")
        #expect(driver.tree.find("approval.\(approval.id).reject")?.detail == nil, "it says no more")
    }

    @Test func `a question waits for the person, and the first answer counts`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.told(id, .called(call: .change, whole: true))
        try driver.asks(id, 1, AgentCall(id: "t"))
        let approval = try only(driver, id)
        #expect(approval.call == .change, "shown with what was told before")
        #expect(try driver.talk(id).session.status == .waits && approval.choices == [.once, .always, .reject])
        try driver.asks(id, 1)
        #expect(try driver.talk(id).session.approvals.count == 1, "doubled")
        try driver.dispatch(.app(.openView), in: "second")
        try answer(&driver, id, .once)
        #expect(driver.answers.map(\.option) == ["option allow_once"])
        #expect(try driver.talk(id).session.status == .running)
        let again = AgentAction.answerAgent(session: id, approval: approval.id, of: approval.of, choice: .once)
        try driver.agents(again, in: "second")
        #expect(driver.answers.isEmpty && driver.state.notices.last?.text.keys.first == "notice.approval_gone")
        #expect(driver.state.notices.last?.view == "second")
        #expect(driver.state.talks.log.entries.map(\.decision.verdict) == [.once])
        try driver.restart()
        #expect(driver.state.talks.log.entries.map(\.decision.verdict) == [.once])
    }

    @Test func `what was answered at a gateway is in the log`() throws {
        var driver = try TestDriver()
        _ = try driver.session()
        let agent = try #require(driver.state.agents.inOrder.first)
        let long = String(repeating: "é", count: 100_000)
        for (agent, call) in [
            (agent.id, AgentCall.change), ("nobody", .change), (agent.id, AgentCall(id: long, title: long)),
        ] {
            try driver.agents(
                .noteDecision(
                    agent: agent, session: "served", folder: "/a\u{1b}[2J", decision: AgentDecision(.once, call)))
        }
        try driver.restart()
        let entries = driver.state.talks.log.entries
        #expect(entries.map(\.agent) == [agent.name, agent.name] && entries[0].session == "served")
        #expect(!entries[0].decision.of.isEmpty && entries[0].decision.of != entries[1].decision.of)
        #expect(entries.allSatisfy { $0.decision.title.utf8.count <= 512 && $0.folder?.contains("\u{1b}") == false })
    }

    @Test func `an answer is for what was shown and nothing else`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        let approval = try only(driver, id)
        for (number, substance, choice) in [
            (approval.id, "other", AgentChoice.once), (approval.id, "redacted", .once), (99, approval.of, .once),
            (approval.id, approval.of, .lasting),
        ] {
            try driver.agents(.answerAgent(session: id, approval: number, of: substance, choice: choice))
            #expect(driver.answers.isEmpty && driver.state.notices.last?.text.keys.first == "notice.approval_gone")
        }
        #expect(try only(driver, id) == approval)
    }

    @Test(arguments: [
        AgentCall(id: "t", title: "Remove a"), AgentCall(id: "t", kind: "execute"),
        AgentCall(id: "t", input: "{\"x\":1}"),
        AgentCall(id: "t", results: [.difference(path: "/b", old: nil, new: "x")]), AgentCall(id: "t", paths: ["/b"]),
    ])
    func `what becomes something else after it was shown is rejected`(change: AgentCall) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try driver.told(id, .called(call: change, whole: false))
        #expect(driver.answers.map(\.option) == ["option reject_once"])
        #expect(try driver.talk(id).session.approvals.isEmpty && driver.talk(id).session.status == .running)
        #expect(driver.state.talks.log.entries.last?.decision.verdict == .changed)
    }

    @Test func `a call that only goes on stays what was shown`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try driver.told(id, .called(call: AgentCall(id: "t", status: "in_progress"), whole: false))
        try driver.told(id, .called(call: AgentCall(id: "u", title: "x"), whole: true))
        #expect(try driver.talk(id).session.status == .waits && driver.answers.isEmpty)
    }

    @Test(
        arguments: [
            (["allow_once", "reject_once"], [AgentChoice.once, .always, .reject], "option reject_once"),
            (["allow_always"], [.lasting, .reject], nil), (["reject_always"], [.reject], nil),
            (["maybe"], [.reject], nil),
        ] as [([String], [AgentChoice], String?)])
    func `every question can be rejected`(kinds: [String], choices: [AgentChoice], rejection: String?) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1, kinds: kinds)
        #expect(try only(driver, id).choices == choices)
        try answer(&driver, id, .reject)
        #expect(driver.answers.map(\.option) == [rejection])
    }

    @Test func `always is for the very same and nothing else`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try answer(&driver, id, .always)
        var same = AgentCall.change
        same.id = "another"
        try driver.asks(id, 2, same)
        #expect(driver.answers.map(\.option) == ["option allow_once"])
        #expect(driver.state.talks.log.entries.last?.decision.verdict == .before)
        try driver.asks(id, 3, AgentCall(id: "third", title: "Change a", kind: "edit", input: "{ }"))
        #expect(try only(driver, id).request == 3)
    }

    @Test(arguments: ["/a/\u{200B}b", "/a/b\n", "/a/b\u{1}", "/a/b "])
    func `another place is not the same, also where it looks so`(path: String) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        func call(_ id: String, _ path: String) -> AgentCall {
            AgentCall(
                id: id, title: "Change b", kind: "edit", results: [.difference(path: path, old: "a\n", new: "b\n")])
        }
        try driver.asks(id, 1, call("one", "/a/b"))
        try answer(&driver, id, .always)
        try driver.asks(id, 2, call("two", path))
        let asked = try only(driver, id)
        #expect(asked.request == 2 && asked.call.places == [path.agentName] && asked.call.places != ["/a/b"])
        #expect(driver.tree.lines.joined().contains(path.agentName.trimmed), "it is seen")
    }

    @Test func `the log names the places that were to be changed`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        let results: [AgentCall.Result] = [.difference(path: "/project/a", old: "a", new: "b")]
        try driver.asks(id, 1, AgentCall(id: "t", title: "Change", kind: "edit", results: results))
        try answer(&driver, id, .once)
        #expect(driver.state.talks.log.entries.last?.decision.paths == ["/project/a"])
    }

    @Test(arguments: [
        AgentCall(id: "t", title: "x", input: CutText("abc", omitted: 3)), AgentCall(id: "t", title: "Trust me"),
        AgentCall(id: "t", input: "{}", results: [.other(name: "terminal")]),
        AgentCall(id: "t", input: "{}", paths: Array(repeating: "/a", count: AgentTalkLimits.elements)),
        AgentCall(id: "t", title: "a\u{202E}b", input: "{}"), AgentCall(id: "t", input: "{}", paths: ["/a\u{200B}"]),
        AgentCall(id: "t", input: "{}", paths: ["/a\n"]),
        AgentCall(id: "t", results: [.difference(path: "/a\u{1}", old: nil, new: "x")]),
        AgentCall(
            id: "t",
            results: [.difference(path: "/" + String(repeating: "a", count: 5000), old: nil, new: "x")]),
    ])
    func `what is not shown as a whole is never allowed for always, nor by a policy`(call: AgentCall) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        for kind in AgentPolicies.Kind.allCases {
            try driver.agents(.setAgentPolicy(session: id, kind: kind, policy: .allow))
        }
        var call = call
        call.kind = "execute"
        try driver.asks(id, 1, call)
        #expect(try only(driver, id).choices == [.once, .reject])
    }

    @Test(
        arguments: [
            ("/project/a", AgentVerdict.allowedByPolicy), ("/project/../etc/a", nil), ("/projects/a", nil), ("a", nil),
            ("/project\u{200B}/a", nil), ("/project\n/a", nil), ("/project/\u{202E}a", nil),
        ] as [(String, AgentVerdict?)])
    func `a policy allows changes in the folder only`(path: String, verdict: AgentVerdict?) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.agents(.setAgentPolicy(session: id, kind: .edit, policy: .allow))
        let results: [AgentCall.Result] = [.difference(path: path, old: "a", new: "b")]
        try driver.asks(id, 1, AgentCall(id: "t", kind: "edit", results: results, paths: [path]))
        #expect(driver.state.talks.log.entries.last?.decision.verdict == verdict)
        #expect(try driver.talk(id).session.approvals.isEmpty == (verdict != nil))
        try driver.agents(.setAgentPolicy(session: id, kind: .execute, policy: .reject))
        try driver.asks(id, 2, AgentCall(id: "u", kind: "execute", input: "{}"))
        #expect(driver.answers.map(\.option) == ["option reject_once"])
        try driver.asks(id, 3, AgentCall(id: "v", kind: "unheard of", input: "{}"))
        #expect(driver.answers.isEmpty, "what kind it is of nobody knows, so the person is asked")
    }

    @Test func `the next session with an agent in a folder begins with what was set in the newest one there`() throws {
        var driver = try TestDriver()
        let first = try driver.runningSession()
        try driver.agents(.setAgentPolicy(session: first, kind: .edit, policy: .allow))
        try driver.agents(.setAgentPolicy(session: first, kind: .fetch, policy: .reject))
        try driver.pass(seconds: 1)
        let second = try driver.runningSession()
        var policies = try driver.talk(first).session.policies
        #expect(try driver.talk(second).session.policies == policies && policies[.edit] == .allow)
        try driver.agents(.setAgentPolicy(session: second, kind: .edit, policy: .ask))
        try driver.agents(.setAgentPolicy(session: first, kind: .execute, policy: .allow))
        try driver.pass(seconds: 1)
        policies = try driver.talk(second).session.policies
        let third = try driver.session()
        #expect(try driver.talk(third).session.policies == policies, "not of an older one that changed later")
        let elsewhere = try driver.session(folder: "/project/sub")
        #expect(try driver.talk(elsewhere).session.policies[.edit] == .ask)
        try driver.agents(.addAgent(name: "other", command: ["other"]))
        let other = try #require(driver.state.agents.inOrder.first { $0.name == "other" })
        let before = Set(driver.state.talks.byID.keys)
        try driver.agents(.newAgentSession(agent: other.id, folder: "/project"))
        let new = try #require(driver.state.talks.byID.keys.first { !before.contains($0) })
        #expect(try driver.talk(new).session.policies[.edit] == .ask)
    }

    @Test func `a question that nobody answers is rejected in the end`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try driver.pass(seconds: 599)
        #expect(try driver.talk(id).session.status == .waits)
        try driver.pass(seconds: 2)
        #expect(driver.answers.map(\.option) == ["option reject_once"])
        #expect(driver.state.talks.log.entries.last?.decision.verdict == .expired)
    }

    @Test func `questions go with their turn, with the agent, and when they are withdrawn`() throws {
        for (number, end) in ["withdrew", "turn", "agent", "restart"].enumerated() {
            var driver = try TestDriver()
            let id = try driver.runningSession()
            try driver.asks(id, 1)
            switch number {
            case 0: try driver.told(id, .withdrew(request: 1))
            case 1: try driver.turnEnds(id)
            case 2: try driver.event(.effectDone(effect: driver.agentEffect(id)))
            default: try driver.restart()
            }
            #expect(try driver.talk(id).session.approvals.isEmpty, "\(end)")
            #expect(driver.answers.isEmpty && driver.state.talks.log.entries.last?.decision.verdict == .gone)
        }
    }

    @Test func `an answer that comes too late for the agent is told`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try answer(&driver, id, .once)
        let effect = try driver.waiting { if case .answerAgent = $0 { true } else { false } }
        try driver.fail(effect, Failure(.requestGone))
        #expect(driver.state.notices.last?.text.keys.first == "notice.approval_gone")
    }

    @Test func `characters that nobody sees are shown by their numbers`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession()
        try driver.asks(id, 1, AgentCall(id: "t", title: "x", kind: "execute", input: "rm \u{202E}a"))
        let approval = try only(driver, id)
        #expect(driver.tree.find("approval.\(approval.id).input")?.value == .text("rm ⟨U+202E⟩a"))
    }

    @Test func `the log says which command, in which folder and when`() throws {
        var driver = try TestDriver()
        let id = try driver.runningSession(folder: "/project")
        let calls = [
            AgentCall(id: "a", title: "Run the tests", kind: "execute", input: #"{"command":"swift test"}"#),
            AgentCall(id: "b", title: "Words", kind: "execute", input: #"{"command":["swift","build"]}"#),
            AgentCall(id: "c", title: "swift test", kind: "execute", input: #"{"command":"swift test"}"#),
            AgentCall(id: "d", title: "Odd", kind: "execute", input: "swift test"),
        ]
        for (number, call) in calls.enumerated() {
            try driver.asks(id, number + 1, call)
            try answer(&driver, id, .once)
        }
        let entries = driver.state.talks.log.entries
        #expect(entries.map(\.decision.command) == ["swift test", "swift build", nil, nil])
        #expect(entries.allSatisfy { $0.folder == "/project" })
        try driver.app(.navigate(to: Screen(.agentLog)))
        let row = try #require(driver.tree.find("decision.0"))
        #expect(row.at == entries[0].at && row.value == .text("swift test"))
        let folder = Words.key("agent_log.folder", ["folder": .said("/project")])
        #expect(row.detail == .list(["verdict.once", .said("helper"), folder]))
    }

    /// Paths are bytes: one that is equal as a text may be another folder, and a slash may be a part of the character before it.
    @Test(
        arguments: [
            ("/p/B\u{FC}ro", "/p/B\u{FC}ro/a", true), ("/p/B\u{FC}ro", "/p/Bu\u{308}ro/a", false),
            ("/p", "/p/x\u{D4E}/../../etc/passwd", false), ("/p", "/p/x\u{D4E}/a", true),
            // Letters that need joiners in their own folder's name, and what only looks like it.
            ("/p/\u{645}\u{200C}\u{647}", "/p/\u{645}\u{200C}\u{647}/a", true),
            ("/p/\u{645}\u{647}", "/p/\u{645}\u{200C}\u{647}/a", false), ("/p", "/p/\u{645}\u{200C}\u{647}", false),
            ("/p/\u{645}\u{200C}\u{647}", "/p/\u{645}\u{200C}\u{647}/\u{200B}a", false),
        ])
    func `a policy counts in its folder only`(_ folder: String, _ place: String, _ isAllowed: Bool) throws {
        var driver = try TestDriver()
        let id = try driver.runningSession(folder: folder)
        try driver.agents(.setAgentPolicy(session: id, kind: .read, policy: .allow))
        try driver.asks(id, 1, AgentCall(id: "t", title: "Read \(place)", kind: "read", input: "{}", paths: [place]))
        #expect(driver.answers.isEmpty != isAllowed)
    }

    @Test func `all that is kept of calls counts`() {
        let many = AgentCall(
            id: "t", title: String(repeating: "t", count: 1000), kind: "edit",
            results: Array(repeating: .other(name: String(repeating: "n", count: 4000)), count: 64))
        #expect(many.bytes > 64 * 4000 + 1000)
    }

    @Test func `what was allowed unasked takes no place of what the person allowed`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.runningSession()
        try driver.asks(id, 1)
        try answer(&driver, id, .once)
        try driver.agents(.setAgentPolicy(session: id, kind: .execute, policy: .allow))
        let call = AgentCall(id: "x", title: "Run", kind: "execute", input: "{}")
        for number in 2...(AgentTalkLimits.logged + 5) { try driver.asks(id, number, call) }
        #expect(driver.state.talks.log.entries.first?.decision.verdict == .once)
        #expect(driver.state.talks.log.entries.count == AgentTalkLimits.logged + 1)
    }

    @Test func `the log is bounded`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let id = try driver.runningSession()
        try driver.agents(.setAgentPolicy(session: id, kind: .edit, policy: .reject))
        for number in 1...(AgentTalkLimits.logged + 5) { try driver.asks(id, number) }
        #expect(driver.state.talks.log.entries.count == AgentTalkLimits.logged)
    }
}
