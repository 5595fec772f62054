extension Presentation {
    /// The sessions with agents, the agents, and the way to more of them.
    var agentsScreen: SemanticNode { page("agents", agentsContent) }

    /// The same for a window that has space for it beside another screen.
    var agentsBeside: SemanticNode { SemanticNode(.section, "agents.beside", agentsContent).within(.list) }

    private var agentsContent: [SemanticNode] {
        var nodes: [SemanticNode] = [.button("agents.add", .app(.navigate(to: Screen(.addAgent))))]
        let sessions = talks.inOrder.map(item)
        if !sessions.isEmpty { nodes.append(SemanticNode(.list, "agents.sessions", sessions)) }
        let known = agents.inOrder.map(item)
        if !known.isEmpty { nodes.append(SemanticNode(.list, "agents.list", known)) }
        if known.isEmpty, sessions.isEmpty { nodes.append(SemanticNode(.text, "agents.empty")) }
        if !talks.log.entries.isEmpty {
            nodes.append(.button("agents.log", .app(.navigate(to: Screen(.agentLog)))))
        }
        return nodes
    }

    private func item(_ talk: AgentTalk) -> SemanticNode {
        let session = talk.session
        var facts = Facts()
        facts.session = session.shownStatus
        facts.unread = session.approvals.isEmpty ? nil : session.approvals.count
        let details: [Words?] = [
            talk.statusWords, .said(agents.byID[session.agent]?.name ?? session.agentName),
            session.folder.map { .said($0.lastPlace) }, guestWords(session),
        ]
        return SemanticNode(
            .item, "session.\(session.id)", session.titleWords, detail: Words(listing: details), at: session.changedAt,
            isSelected: screen.session == session.id, isBusy: session.shownStatus == .running,
            offers: [.tap(.app(.navigate(to: Screen(.agent, session: session.id))))]
        ).with(session.approvals.isEmpty ? [] : .unread).with(facts)
    }

    /// For which member of the circle it is.
    func guestWords(_ session: AgentSession) -> Words? {
        session.guest.map { guest in .key("agent.guest", ["name": .said(rooms[guest.room]?.title ?? "")]) }
    }

    /// Where it is, or whose.
    private func placeWords(_ agent: Agent) -> Words? {
        guard let room = agent.place.member else {
            let names = agent.shares.compactMap { rooms[$0.room]?.title }
            let shared =
                names.isEmpty ? nil : Words.key("agents.shared", ["names": .said(names.joined(separator: ", "))])
            return Words(listing: [.said(agent.placeText), shared])
        }
        return .key("agents.member", ["name": .said(rooms[room]?.title ?? "")])
    }

    private func item(_ agent: Agent) -> SemanticNode {
        SemanticNode(
            .item, "agent.\(agent.id)", .said(agent.name), detail: placeWords(agent),
            isSelected: screen.agent == agent.id,
            offers: [.tap(.app(.navigate(to: Screen(.agentSettings, agent: agent.id))))])
    }

    // MARK: - Another agent

    var addAgentScreen: SemanticNode {
        let form = view.agents
        let name = SemanticNode.field(
            "add_agent.name", text: form.name, .agents(.form(name: "")), input: "name", isFocused: true)
        let words = form.words
        let isAsked = form.proposal?.effect != nil
        let program = [
            .field(
                "add_agent.command", text: form.command, .agents(.form(command: "")), input: "command"
            ).invalid(words == nil ? Wording.agentQuoteOpen : nil),
            .toggle(
                "add_agent.sandbox", isOn: form.isConfined == true,
                .agents(.editAgentWall(sandbox: form.isConfined != true))),
            form.isConfined == true
                ? .toggle(
                    "add_agent.network", isOn: form.hasNetwork == true,
                    .agents(.editAgentWall(network: form.hasNetwork != true))) : nil,
            .button(
                "add_agent.program", .agents(.addAgent(name: form.name, command: words ?? [], sandbox: form.sandbox)),
                isEnabled: !form.name.isEmpty && words?.isEmpty == false && storageFailure == nil && !isAsked,
                isBusy: isAsked),
            form.proposal.map { proposal in
                SemanticNode(
                    .status, "add_agent.proposal",
                    isAsked
                        ? "add_agent.asked"
                        : proposal.failure?.code == .tooMuchToShow ? "add_agent.unshown" : "add_agent.unasked",
                    value: isAsked ? nil : .text(proposal.terminalCommand))
            },
        ].compactMap(\.self)
        let model: [SemanticNode] = [
            .field("add_agent.url", text: form.url, .agents(.form(url: "")), input: "url", kind: .address),
            .field("add_agent.model", text: form.model, .agents(.form(model: "")), input: "model"),
            SemanticNode(
                .secretField, "add_agent.key", value: form.key.map { .secret($0) }, detail: "add_agent.key.detail",
                offers: [Offer(.setSecret, .agents(.form(key: "-")), inputs: ["key": .secret])]),
            .button(
                "add_agent.server",
                .agents(
                    .addModel(
                        name: form.name, url: form.url, model: form.model.isEmpty ? nil : form.model, key: form.key)),
                isEnabled: !form.name.isEmpty && !form.url.isEmpty && storageFailure == nil),
        ]
        return page(
            "add_agent",
            [
                name, SemanticNode(.section, "add_agent.as_program", program),
                SemanticNode(.section, "add_agent.as_server", model),
                SemanticNode(.section, "add_agent.as_gateway", pairing),
            ])
    }

    private var pairing: [SemanticNode] {
        let form = view.agents.pairing ?? PairingForm()
        let (name, address, isBusy) = (view.agents.name, form.address, form.effect != nil)
        return [
            .field(
                "add_agent.gateway", text: address.gateway, .agents(.editPairingForm(gateway: "")), input: "gateway",
                kind: .address),
            .field("add_agent.code", text: address.code ?? "", .agents(.editPairingForm(code: "")), input: "code"),
            .toggle(
                "add_agent.plain", isOn: address.plain == true, .agents(.editPairingForm(plain: address.plain != true))),
            .button(
                "add_agent.pair",
                .agents(
                    .pairAgent(name: name, gateway: address.gateway, code: address.code, plain: address.plain)),
                isEnabled: !name.isEmpty && !address.gateway.isEmpty && !isBusy && storageFailure == nil,
                isBusy: isBusy),
        ]
    }

    // MARK: - What was decided

    var agentLogScreen: SemanticNode {
        let rows = talks.log.entries.enumerated().reversed().map { place, entry in
            let decision = entry.decision
            let details: [Words?] = [
                decision.verdict.words, .said(entry.agent),
                entry.folder.map { .key("agent_log.folder", ["folder": .said($0)]) },
            ]
            let lines = [decision.command].compactMap(\.self) + decision.paths
            return SemanticNode(
                .text, "decision.\(place)", .said(decision.title),
                value: lines.isEmpty ? nil : .text(lines.joined(separator: "\n").withControlsShown),
                detail: Words(listing: details), at: entry.at)
        }
        let none = SemanticNode(.text, "agent_log.empty")
        return page("agent_log", rows.isEmpty ? [none] : [SemanticNode(.section, "agent_log.entries", rows)])
    }
}

extension AgentAction {
    /// A change of one field of the form.
    static func form(
        name: String? = nil, command: String? = nil, url: String? = nil, model: String? = nil, key: SecretRef? = nil,
        folder: String? = nil, tools: Bool? = nil
    ) -> AgentAction {
        .editAgentForm(name: name, command: command, url: url, model: model, key: key, folder: folder, tools: tools)
    }
}
