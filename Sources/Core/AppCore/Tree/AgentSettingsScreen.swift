extension Presentation {
    /// One agent: where it is, the way to a session with it, who else uses it.
    func agentSettingsScreen(_ agent: Agent) -> SemanticNode {
        let owner = agent.place.member.map { rooms[$0]?.title ?? "" }
        var nodes: [SemanticNode] = [
            SemanticNode(.text, "agent_settings.place", agent.kindWords, value: .text(owner ?? agent.placeText))
        ]
        var folder: String?
        if agent.worksInFolder {
            // Where the last session with it was, until somebody says something else.
            let last = talks.inOrder.first { $0.session.agent == agent.id }?.session.folder ?? ""
            let written = view.agents.folder.isEmpty ? last : view.agents.folder
            folder = written
            nodes.append(
                .field("agent_settings.folder", text: written, .agents(.form(folder: "")), input: "folder", kind: .path)
            )
        }
        // Behind a wall the program that offers them cannot be started.
        let offersTools = if case .program(_, nil, _) = agent.place { true } else { false }
        let hasTools = offersTools && view.agents.tools == true
        if offersTools {
            var tools = SemanticNode.toggle("agent_settings.tools", isOn: hasTools, .agents(.form(tools: !hasTools)))
            tools.detail = "agent_settings.tools.detail"
            nodes.append(tools)
        }
        nodes += [
            .button(
                "agent_settings.start",
                .agents(.newAgentSession(agent: agent.id, folder: folder, tools: hasTools ? true : nil)),
                isEnabled: folder != "" && storageFailure == nil)
        ]
        if agent.keepsThreads {
            nodes.append(
                .button(
                    "agent_settings.threads", .app(.navigate(to: Screen(.agentThreads, agent: agent.id))),
                    isEnabled: folder?.isAgentFolder == true))
        }
        nodes += [
            .field(
                "agent_settings.name", text: agent.name, .agents(.renameAgent(agent: agent.id, name: "")),
                input: "name")
        ]
        nodes += agent.shares.map { share(agent, $0) }
        if agent.canBeShared { nodes.append(sharing(agent, in: folder)) }
        if owner == nil {
            nodes.append(.button("agent_settings.devices", .app(.navigate(to: Screen(.agentDevices)))))
        }
        // One of somebody else goes when its owner shares it no longer.
        if owner == nil { nodes.append(.button("agent_settings.remove", .agents(.removeAgent(agent: agent.id)))) }
        return page("agent_settings", .said(agent.name), nodes)
    }

    /// That a member of the circle uses it, and the way to end that.
    private func share(_ agent: Agent, _ share: AgentShare) -> SemanticNode {
        let id = "share.\(share.id)"
        let name = Words.Arg.said(rooms[share.room]?.title ?? "")
        let details: [Words?] = [
            share.folder.map { .said($0) }, share.readOnly ? "agent_settings.share.reading" : nil,
            share.ownerDecides ? "agent_settings.share.owner" : nil,
        ]
        let end = SemanticNode.button(
            "\(id).end", .key("agent_settings.unshare"), .agents(.unshareAgent(agent: agent.id, room: share.room)))
        return SemanticNode(
            .section, id, .key("agent_settings.share", ["name": name]), detail: Words(listing: details), [end])
    }

    /// The way to let members of the circle use it.
    private func sharing(_ agent: Agent, in folder: String?) -> SemanticNode {
        let form = view.agents.sharing.flatMap { $0.agent == agent.id ? $0 : nil } ?? SharingForm(agent: agent.id)
        let known = Set(agent.shares.map(\.room))
        let members = rooms.filter { $0.isMember && !known.contains($0.id) }
        guard !members.isEmpty else {
            return SemanticNode(
                .section, "agent_settings.sharing",
                [
                    SemanticNode(
                        .text, known.isEmpty ? "agent_settings.sharing.nobody" : "agent_settings.sharing.everybody")
                ])
        }
        // A model server changes nothing, and asks nothing.
        let hasBounds = agent.worksInFolder
        let (readOnly, ownerDecides) = (hasBounds && form.canChange != true, hasBounds && form.ownerDecides == true)
        let isPossible = folder != "" && storageFailure == nil && form.proposal?.effect == nil
        let bounds: [SemanticNode] =
            !hasBounds
            ? []
            : [
                .toggle(
                    "agent_settings.sharing.reading", isOn: readOnly,
                    .agents(.editSharingForm(agent: agent.id, readOnly: !readOnly))),
                .toggle(
                    "agent_settings.sharing.owner", isOn: ownerDecides,
                    .agents(.editSharingForm(agent: agent.id, ownerDecides: !ownerDecides))),
            ]
        let ways = members.map { room in
            SemanticNode.button(
                "share_with.\(room.id)", .key("agent_settings.sharing.with", ["name": .said(room.title)]),
                .agents(
                    .shareAgent(
                        agent: agent.id, room: room.id, folder: folder, readOnly: readOnly, ownerDecides: ownerDecides)),
                isEnabled: isPossible, isBusy: form.proposal?.effect != nil && form.proposal?.room == room.id)
        }
        let asked = form.proposal.flatMap { known.contains($0.room) || $0.name != agent.name ? nil : status(of: $0) }
        var node = SemanticNode(.section, "agent_settings.sharing", bounds + ways + [asked].compactMap(\.self))
        node.detail = agent.worksInFolder ? "agent_settings.sharing.detail" : nil
        return node
    }

    private func status(of proposal: ShareProposal) -> SemanticNode {
        let isAsked = proposal.effect != nil
        let why: Words =
            isAsked
            ? "agent_settings.sharing.asked"
            : proposal.failure?.code == .tooMuchToShow
                ? "agent_settings.sharing.unshown" : "agent_settings.sharing.unasked"
        return SemanticNode(
            .status, "agent_settings.sharing.proposal", why,
            value: isAsked ? nil : .text(proposal.terminalCommand))
    }
}
