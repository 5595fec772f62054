import AppCore
import Testing

/// The agents that a person has added: what is taken, what is refused, what is left on the disk.
@Suite struct AgentListTests {
    private func problem(_ driver: TestDriver) -> Words? { driver.state.notices.last { $0.kind == .problem }?.text }

    private func only(_ driver: TestDriver) throws -> Agent { try #require(driver.state.agents.inOrder.first) }

    @Test func `a session is offered tools if that was chosen for it, and behind a wall it never is`() throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "careful", command: ["a"], sandbox: AgentSandbox(network: false)))
        try driver.dispatch(.app(.navigate(to: Screen(.agentSettings, agent: only(driver).id))))
        #expect(driver.tree.find("agent_settings.tools") == nil && driver.tree.find("agent_settings.start") != nil)
        try driver.agents(.addAgent(name: "helper", command: ["b"]))
        let helper = try #require(driver.state.agents.inOrder.last).id
        try driver.agents(
            .editAgentForm(name: nil, command: nil, url: nil, model: nil, key: nil, folder: "/project"))
        for isChosen in [true, false] {
            try driver.dispatch(.app(.navigate(to: Screen(.agentSettings, agent: helper))))
            let choice = try #require(driver.tree.find("agent_settings.tools"))
            #expect(!choice.isSelected, "it is off at first, also after a session that had them")
            if isChosen { try driver.dispatch(try #require(choice.offers.first).action) }
            let begin = try #require(driver.tree.find("agent_settings.start")?.offers.first).action
            #expect(begin == .agents(.newAgentSession(agent: helper, folder: "/project", tools: isChosen ? true : nil)))
            try driver.dispatch(begin)
        }
        #expect(Set(driver.state.talks.byID.values.map(\.session.hasTools)) == [true, nil])
    }

    @Test func `what was added is there after a restart, under its name without controls`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addAgent(name: " hel\u{202E}per\n", command: ["opencode", "acp", ""])))
        try driver.dispatch(
            .agents(.addModel(name: "local", url: "http://127.0.0.1:11434/", model: " m ", key: "secret-1")))
        let before = driver.state.agents
        try driver.restart(active: false)
        #expect(driver.state.agents == before)
        #expect(before.inOrder.map(\.name) == ["helper", "local"])
        #expect(
            before.inOrder.map(\.place) == [
                .program(command: ["opencode", "acp", ""]),
                .modelServer(url: "http://127.0.0.1:11434", model: "m", key: "secret-1"),
            ])
        #expect(driver.effects.isEmpty, "nothing is started, and nobody is asked")
    }

    @Test(
        arguments: [
            (AgentAction.addAgent(name: "", command: ["a"]), "notice.agent_name_missing"),
            (.addAgent(name: "\u{200B} ", command: ["a"]), "notice.agent_name_missing"),
            (.addAgent(name: "HELPER", command: ["a"]), "notice.agent_name_taken"),
            (.addAgent(name: "b", command: []), "notice.agent_command_invalid"),
            (.addAgent(name: "b", command: ["", "x"]), "notice.agent_command_invalid"),
            (.addAgent(name: "b", command: ["a\u{0}b"]), "notice.agent_command_invalid"),
            (.addAgent(name: "b", command: Array(repeating: "a", count: 257)), "notice.agent_command_invalid"),
            (.addAgent(name: "b", command: [String(repeating: "a", count: 32 << 10)]), "notice.agent_command_invalid"),
            (.addModel(name: "b", url: "ftp://a", model: nil, key: nil), "notice.agent_server_invalid"),
            (.addModel(name: "b", url: "http://a:b@c", model: nil, key: nil), "notice.agent_server_invalid"),
            (.addGateway(name: "b", url: "nonsense://", fingerprint: nil, token: "t"), "notice.agent_server_invalid"),
            (.addGateway(name: "b", url: "https://a", fingerprint: "ab", token: "t"), "notice.agent_server_invalid"),
            (
                .addModel(name: "b", url: "http://a", model: String(repeating: "m", count: 257), key: nil),
                "notice.agent_server_invalid"
            ),
        ] as [(AgentAction, String)])
    func `what cannot be used is refused with a reason`(action: AgentAction, reason: String) throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addAgent(name: "helper", command: ["a"])))
        try driver.dispatch(.agents(action))
        #expect(driver.state.agents.inOrder.map(\.name) == ["helper"])
        #expect(problem(driver)?.keys.first == reason)
    }

    @Test func `there are not more than the limit`() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        for number in 0...AgentListLimits.agents {
            try driver.dispatch(.agents(.addAgent(name: "a\(number)", command: ["a"])))
        }
        #expect(driver.state.agents.byID.count == AgentListLimits.agents)
        #expect(problem(driver)?.keys.first == "notice.too_many_agents")
    }

    @Test func `a key goes with its agent, and with one that is refused`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addModel(name: "a", url: "nonsense", model: nil, key: "refused")))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["refused"]) })
        try driver.dispatch(.agents(.addModel(name: "a", url: "https://a", model: nil, key: "kept")))
        try driver.dispatch(.agents(.addModel(name: "A", url: "https://b", model: nil, key: "doubled")))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["doubled"]) })
        #expect(!driver.asked { $0 == .forgetSecrets(secrets: ["kept"]) })
        let agent = try only(driver)
        try driver.dispatch(.agents(.removeAgent(agent: agent.id)))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["kept"]) })
        #expect(driver.disk["agent/\(agent.id)"] == nil)
        try driver.dispatch(.agents(.removeAgent(agent: agent.id)))
        #expect(driver.outcome.effects.isEmpty, "only once")
    }

    @Test func `a gateway is kept with its key's fingerprint, and its token goes with it`() throws {
        var driver = try TestDriver()
        let hash = String(repeating: "0a", count: 32)
        try driver.dispatch(.agents(.addGateway(name: "a", url: "nonsense://", fingerprint: nil, token: "refused")))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["refused"]) })
        try driver.dispatch(
            .agents(.addGateway(name: "desk", url: "https://a:7643/", fingerprint: hash, token: "kept")))
        try driver.restart(active: false)
        let agent = try only(driver)
        #expect(agent.place == .gateway(url: "https://a:7643", fingerprint: hash, token: "kept"))
        try driver.dispatch(.agents(.newAgentSession(agent: agent.id, folder: nil)))
        #expect(driver.state.talks.byID.isEmpty, "it works in a folder of the gateway's machine")
        try driver.dispatch(.agents(.newAgentSession(agent: agent.id, folder: "/there")))
        #expect(driver.state.talks.inOrder.first?.session.folder == "/there")
        try driver.dispatch(.agents(.removeAgent(agent: agent.id)))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["kept"]) })
    }

    @Test func `a name is changed, and may be the same in another case`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addAgent(name: "helper", command: ["a"])))
        try driver.dispatch(.agents(.addAgent(name: "other", command: ["a"])))
        let agent = try only(driver)
        try driver.dispatch(.agents(.renameAgent(agent: agent.id, name: "Helper")))
        #expect(try only(driver).name == "Helper")
        try driver.dispatch(.agents(.renameAgent(agent: agent.id, name: "OTHER")))
        #expect(try only(driver).name == "Helper" && problem(driver)?.keys.first == "notice.agent_name_taken")
        try driver.restart(active: false)
        #expect(try only(driver).name == "Helper")
    }

    @Test func `a record under a foreign key is not taken, and a state without agents is read`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addAgent(name: "helper", command: ["a"])))
        let json = try #require(driver.disk["agent/\(only(driver).id)"])
        try driver.event(.started(locked: false, records: [Record(key: .agent("other"), json: json)]))
        #expect(driver.outcome.unreadable == [.agent("other")] && driver.state.agents.byID.isEmpty)
        var state = try JSON.decode(JSONValue.self, from: JSON.encode(driver.state))
        state["agents"] = nil
        #expect(try JSON.decode(AppState.self, from: JSON.encode(state)) == driver.state)
    }

    @Test func `a report names neither agents nor where they are`() throws {
        var driver = try TestDriver()
        let actions: [AgentAction] = [
            .addAgent(name: "sesame one", command: ["sesame", "--sesame"]),
            .addModel(name: "sesame two", url: "https://sesame", model: "sesame", key: "ref"),
            .addGateway(name: "sesame four", url: "https://sesame", fingerprint: nil, token: "ref"),
            .renameAgent(agent: "a", name: "sesame three"),
        ]
        for action in actions {
            try driver.dispatch(.agents(action))
            let input = Input(at: driver.now, fresh: Fresh(1, 2, 3, 4), action: .agents(action))
            #expect(!String(decoding: try JSON.encode(input.redacted), as: UTF8.self).contains("sesame"))
        }
        #expect(!String(decoding: try JSON.encode(driver.state.redacted), as: UTF8.self).contains("sesame"))
    }

    @Test func `a locked core knows none, and erasing removes all`() throws {
        var driver = try TestDriver()
        try driver.dispatch(.agents(.addAgent(name: "helper", command: ["a"])))
        let key = try "agent/\(only(driver).id)"
        try driver.app(.setPassphrase(passphrase: "new", current: nil))
        try driver.event(
            .effectDone(effect: try driver.waiting { if case .setPassphrase = $0 { true } else { false } }))
        try driver.app(.lock)
        #expect(driver.state.agents.byID.isEmpty && driver.disk[key] != nil)
        try driver.dispatch(.agents(.addAgent(name: "other", command: ["a"])))
        #expect(driver.state.agents.byID.isEmpty, "nothing is added while it is locked")
        try driver.app(.unlock(passphrase: "new"))
        let attempt = try driver.waiting { if case .unlock = $0 { true } else { false } }
        try driver.event(.vaultUnlocked(effect: attempt, records: driver.records { _ in true }))
        #expect(driver.state.agents.inOrder.map(\.name) == ["helper"])
        try driver.app(.eraseAll)
        #expect(driver.state.agents.byID.isEmpty && driver.disk[key] == nil)
    }
}
