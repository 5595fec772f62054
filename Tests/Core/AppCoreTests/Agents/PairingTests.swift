import Testing

@testable import AppCore

/// Agents behind a gateway: a code counts once, so what would be refused is refused before it is shown.
@Suite struct PairingTests {
    private static let uri = "jcode://pair?host=workstation&port=7643&code=123456"
    private static let print = String(repeating: "9c", count: 32)

    private func pairing(name: String = "desk", _ address: String = uri) throws -> (TestDriver, EffectID) {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.addAgent)))
        try driver.agents(.editAgentForm(name: name, command: nil, url: nil, model: nil, key: nil, folder: nil))
        try driver.agents(.editPairingForm(gateway: address))
        try driver.tap("add_agent.pair")
        return (driver, try driver.waiting(\.pairs))
    }

    private func problem(_ driver: TestDriver) -> Words? { driver.state.notices.last { $0.kind == .problem }?.text }

    @Test func `a gateway that takes the code becomes an agent, and the form is empty again`() throws {
        var (driver, effect) = try pairing()
        #expect(driver.tree.find("add_agent.pair")?.isEnabled == false, "one at a time")
        try driver.event(
            .gatewayPaired(effect: effect, url: "https://workstation:7643", fingerprint: Self.print, token: "token-1"))
        let agent = try #require(driver.state.agents.inOrder.first)
        #expect(agent.name == "desk")
        #expect(
            agent.place == .gateway(url: "https://workstation:7643", fingerprint: Self.print, token: "token-1"))
        #expect(driver.tree.id == "rooms" && driver.state.views.main.agents == AgentForm())
        // An answer that comes again takes nothing away.
        try driver.event(
            .gatewayPaired(effect: effect, url: "https://workstation:7643", fingerprint: Self.print, token: "token-1"))
        #expect(!driver.asked(\.forgetsSecrets) && driver.state.agents.byID.count == 1)
    }

    @Test func `what is asked is what stands in the form`() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.addAgent)))
        try driver.agents(.editAgentForm(name: "desk", command: nil, url: nil, model: nil, key: nil, folder: nil))
        try driver.agents(.editPairingForm(gateway: " workstation:80\n", code: "123 456"))
        #expect(driver.tree.find("add_agent.plain")?.isSelected == false)
        try driver.tap("add_agent.plain")
        #expect(driver.tree.find("add_agent.plain")?.isSelected == true)
        try driver.tap("add_agent.pair")
        guard case .pairGateway(let name, let address) = driver.state.pendingEffects[try driver.waiting(\.pairs)] else {
            Issue.record("nothing is asked")
            return
        }
        #expect(name == "desk" && address.gateway == "workstation:80" && address.code == "123456")
        #expect(address.plain == true)
        try driver.agents(.pairAgent(name: "other", gateway: "other", code: nil))
        #expect(driver.open.filter(\.kind.pairs).count == 1)
    }

    @Test(
        arguments: [
            (Failure(.gatewayCodeRefused), "failure.gateway_code_refused"),
            (Failure(.gatewayReadable), "failure.gateway_readable"),
            (Failure(.gatewayAddressInvalid), "failure.gateway_address_invalid"),
            (Failure(.gatewayUnreachable, place: "https://a"), "failure.gateway_unreachable.at"),
        ])
    func `what goes wrong is said, and what was written stays`(failure: Failure, said: String) throws {
        var (driver, effect) = try pairing()
        try driver.fail(effect, failure)
        #expect(problem(driver)?.keys.first == said)
        #expect(driver.tree.find("add_agent.gateway")?.value == .text(Self.uri))
        #expect(driver.tree.find("add_agent.pair")?.isEnabled == true && driver.state.agents.byID.isEmpty)
    }

    @Test func `no code is used up for an agent that could not be kept`() throws {
        var driver = try TestDriver()
        try driver.agents(.addAgent(name: "desk", command: ["a"]))
        for (name, gateway, said) in [
            ("Desk", Self.uri, "notice.agent_name_taken"), (" ", Self.uri, "notice.agent_name_missing"),
            ("other", " ", "failure.gateway_address_invalid"),
            ("other", String(repeating: "a", count: 1025), "failure.gateway_address_invalid"),
        ] {
            try driver.agents(.pairAgent(name: name, gateway: gateway, code: nil))
            #expect(problem(driver)?.keys.first == said && driver.open.allSatisfy { !$0.kind.pairs })
        }
        // Somebody else takes the name while the code is shown.
        try driver.agents(.pairAgent(name: "other", gateway: Self.uri, code: nil))
        let effect = try driver.waiting(\.pairs)
        try driver.agents(.addAgent(name: "other", command: ["a"]))
        try driver.event(.gatewayPaired(effect: effect, url: "https://a", fingerprint: nil, token: "token-2"))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["token-2"]) }, "nothing refers to it")
        #expect(driver.state.agents.byID.count == 2)
    }

    @Test func `what else stands in the form stays, and so does the screen while something is asked`() throws {
        var (driver, effect) = try pairing()
        try driver.agents(
            .editAgentForm(name: "local", command: nil, url: "http://a", model: nil, key: "key-1", folder: nil))
        try driver.agents(.proposeAgent(name: "helper", command: ["sh"]))
        try driver.event(.gatewayPaired(effect: effect, url: "https://a", fingerprint: nil, token: "token-1"))
        let form = driver.state.views.main.agents
        #expect(form.name == "local" && form.url == "http://a" && form.key == "key-1" && form.proposal?.effect != nil)
        #expect(driver.tree.id == "add_agent" && driver.state.agents.inOrder.map(\.name) == ["desk"])
    }

    @Test func `a token that comes when nobody waits for it is forgotten`() throws {
        var driver = try TestDriver()
        try driver.event(.gatewayPaired(effect: EffectID(77), url: "https://a", fingerprint: nil, token: "token-3"))
        #expect(driver.asked { $0 == .forgetSecrets(secrets: ["token-3"]) } && driver.state.agents.byID.isEmpty)
    }

    @Test func `neither address nor code is in a report`() throws {
        let (driver, effect) = try pairing()
        let kind = try #require(driver.state.pendingEffects[effect])
        let shown = "\(Effect.Kind.redacted(kind)) \(driver.state.views.main.agents.redacted)"
        #expect(!shown.contains("123456") && !shown.contains("workstation"))
    }
}

/// Programs that a page adds: the person says so on the desktop.
@Suite struct ProposalTests {
    private func proposed(_ command: [String] = ["opencode", "acp"], _ sandbox: AgentSandbox? = nil) throws
        -> TestDriver
    {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.addAgent)))
        try driver.agents(.proposeAgent(name: "helper", command: command, sandbox: sandbox))
        return driver
    }

    @Test(arguments: [nil, AgentSandbox(network: false), AgentSandbox(network: true)])
    func `it is added when the person agrees, and as it was asked about`(sandbox: AgentSandbox?) throws {
        var driver = try proposed(["opencode", "acp"], sandbox)
        #expect(driver.tree.lines.joined().contains("asks you on your desktop"))
        #expect(driver.tree.find("add_agent.program")?.isEnabled == false && driver.state.agents.byID.isEmpty)
        let effect = try driver.waiting(\.asksOnDesktop)
        guard case .askOnDesktop(.agent(let proposal)) = driver.state.pendingEffects[effect] else { return }
        let way = sandbox == nil ? "free" : sandbox?.network == true ? "network" : "confined"
        #expect(proposal.detail.keys.first == "desktop.add_agent.\(way)")
        try driver.event(.desktopAnswered(effect: effect, isAccepted: true))
        #expect(driver.state.agents.inOrder.map(\.place) == [.program(command: ["opencode", "acp"], sandbox: sandbox)])
        try driver.event(.desktopAnswered(effect: effect, isAccepted: true))
        #expect(driver.state.agents.byID.count == 1)
    }

    @Test func `it is not added when the person does not agree, or cannot be asked`() throws {
        var driver = try proposed()
        try driver.event(.desktopAnswered(effect: driver.waiting(\.asksOnDesktop), isAccepted: false))
        #expect(driver.state.notices.last?.text.keys.first == "notice.agent_not_added")
        #expect(driver.tree.find("add_agent.proposal") == nil && driver.state.agents.byID.isEmpty)
        try driver.agents(
            .proposeAgent(name: "hel per", command: ["sh", "-c", "it's"], sandbox: AgentSandbox(network: true)))
        try driver.fail(driver.waiting(\.asksOnDesktop), Failure(.desktopUnavailable))
        let shown = try #require(driver.tree.find("add_agent.proposal"))
        #expect(shown.value == .text(#"alcove agent add 'hel per' --sandbox --network on -- sh -c 'it'\''s'"#))
        #expect(driver.state.agents.byID.isEmpty)
    }

    @Test func `one question is asked at a time, and none that the desktop would cut`() throws {
        var driver = try proposed()
        try driver.dispatch(.app(.openView), in: "page")
        for view: ViewID in [.main, "page"] {
            try driver.agents(.proposeAgent(name: "other", command: ["sh"]), in: view)
        }
        #expect(driver.open.filter(\.kind.asksOnDesktop).count == 1)
        try driver.event(.desktopAnswered(effect: driver.waiting(\.asksOnDesktop), isAccepted: false))
        #expect(driver.state.notices.contains { $0.text == "notice.agent_being_asked" })
        for (name, command) in [
            ("a", ["sh", String(repeating: "a", count: 200)]),
            ("a", ["sh", "a" + String(repeating: "\u{301}", count: 200)]),
            (String(repeating: "n", count: 50), ["sh"]), ("a", ["./run"]), ("a", ["bin/run"]),
        ] {
            try driver.agents(.proposeAgent(name: name, command: command))
            #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop })
            #expect(driver.state.views.main.agents.proposal?.failure?.code == .tooMuchToShow)
        }
        for sandbox in [
            AgentSandbox(network: false, readable: ["/home"]), AgentSandbox(network: false, readOnly: true),
        ] {
            try driver.agents(.proposeAgent(name: "a", command: ["sh"], sandbox: sandbox))
            #expect(driver.open.allSatisfy { !$0.kind.asksOnDesktop }, "what is not shown is not asked about")
        }
        try driver.agents(.editAgentForm(name: nil, command: "sh", url: nil, model: nil, key: nil, folder: nil))
        #expect(driver.state.views.main.agents.proposal == nil, "it was for another program")
        for command in [[], [""], ["a\u{0}"]] {
            try driver.agents(.proposeAgent(name: "b", command: command))
            #expect(driver.state.notices.last?.text.keys.first == "notice.agent_command_invalid")
        }
    }

    @Test func `after a no the next question waits, and that is said`() throws {
        var driver = try proposed()
        try driver.fail(
            driver.waiting(\.asksOnDesktop), Failure(.tooManyAttempts, retryable: true, retryAfter: 5000))
        #expect(driver.state.notices.last?.text.keys.first == "failure.too_many_attempts.wait")
        #expect(driver.state.views.main.agents.proposal == nil)
        try driver.agents(.proposeAgent(name: "helper", command: ["sh"]))
        #expect(driver.open.contains { $0.kind.asksOnDesktop })
    }

    @Test func `the question shows controls and what turns the line around`() throws {
        var driver = try proposed(
            ["sh", "a\u{202E}b\u{1B}[2J\n\n\tc"])
        let effect = try driver.waiting(\.asksOnDesktop)
        guard case .askOnDesktop(.agent(let proposal)) = driver.state.pendingEffects[effect] else { return }
        guard case .key(_, let arguments) = proposal.detail, case .said(let said)? = arguments["command"] else {
            Issue.record("it says no command")
            return
        }
        #expect(!said.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{1B}" || $0 == "\n" || $0 == "\t" })
        try driver.event(.desktopAnswered(effect: effect, isAccepted: false))
    }
}

extension Effect.Kind {
    fileprivate var pairs: Bool { if case .pairGateway = self { true } else { false } }
    fileprivate var asksOnDesktop: Bool { if case .askOnDesktop = self { true } else { false } }
    fileprivate var forgetsSecrets: Bool { if case .forgetSecrets = self { true } else { false } }
}
