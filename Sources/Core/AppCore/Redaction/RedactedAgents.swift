extension AgentAction {
    var redacted: AgentAction {
        switch self {
        case .addAgent(let name, let command, let sandbox, let variables):
            .addAgent(
                name: name.redacted, command: command.map(\.redacted), sandbox: sandbox?.redacted, variables: variables)
        case .addModel(let name, let url, let model, let key):
            .addModel(name: name.redacted, url: url.redactedModelURL, model: model?.redacted, key: key)
        case .addGateway(let name, let url, let fingerprint, let token):
            .addGateway(name: name.redacted, url: url.redactedURL, fingerprint: fingerprint, token: token)
        case .proposeAgent(let name, let command, let sandbox):
            .proposeAgent(name: name.redacted, command: command.map(\.redacted), sandbox: sandbox?.redacted)
        case .pairAgent(let name, _, let code, let plain):
            .pairAgent(name: name.redacted, gateway: "•", code: code.map { _ in "•" }, plain: plain)
        case .editPairingForm(let gateway, let code, let plain):
            .editPairingForm(gateway: gateway.map { _ in "•" }, code: code.map { _ in "•" }, plain: plain)
        case .renameAgent(let agent, let name): .renameAgent(agent: agent, name: name.redacted)
        case .editAgentForm(let name, let command, let url, let model, let key, let folder, let tools):
            .editAgentForm(
                name: name?.redacted, command: command?.redacted, url: url.map { $0.isEmpty ? "" : $0.redactedURL },
                model: model?.redacted, key: key, folder: folder?.redactedPath, tools: tools)
        case .newAgentSession(let agent, let folder, let tools):
            .newAgentSession(agent: agent, folder: folder?.redactedPath, tools: tools)
        case .chooseForAgent(let session, let kind, let option):
            .chooseForAgent(session: session, kind: kind, option: option.redactedName)
        case .renameAgentSession(let session, let title):
            .renameAgentSession(session: session, title: title.redacted)
        case .setPrompt(let session, let text): .setPrompt(session: session, text: text.shape)
        case .answerAgent(let session, let approval, _, let choice):
            .answerAgent(session: session, approval: approval, of: AgentApproval.redactedName, choice: choice)
        case .attachToPrompt(let session, let name, let bytes, let handle):
            .attachToPrompt(session: session, name: name.redacted, bytes: bytes, handle: handle.redacted)
        case .giveAgent(let session, let approval, _, let secret):
            .giveAgent(session: session, approval: approval, of: AgentApproval.redactedName, secret: secret)
        case .askAgent(let session, let text, let pictures):
            .askAgent(session: session, text: text.shape, pictures: pictures)
        case .noteToolUse(let session, let tool, let isAllowed):
            .noteToolUse(session: session, tool: tool.redacted, isAllowed: isAllowed)
        case .noteDecision(let agent, let session, let folder, let decision):
            .noteDecision(
                agent: agent, session: session, folder: folder?.redactedPath, decision: decision.redacted)
        case .takeUpAgentThread(let agent, let thread, let folder, let title):
            .takeUpAgentThread(
                agent: agent, thread: thread.redactedName, folder: folder?.redactedPath, title: title?.redacted)
        case .shareAgent(let agent, let room, let folder, let readOnly, let ownerDecides):
            .shareAgent(
                agent: agent, room: room, folder: folder?.redactedPath, readOnly: readOnly, ownerDecides: ownerDecides)
        case .proposeShare(let agent, let room, let folder, let readOnly, let ownerDecides):
            .proposeShare(
                agent: agent, room: room, folder: folder?.redactedPath, readOnly: readOnly, ownerDecides: ownerDecides)
        case .revokeDevice(let device): .revokeDevice(device: device.redactedName)
        case .removeAgent, .unshareAgent, .closeAgentSession, .removeAgentSession, .withdrawPrompt, .askQueued,
            .startAgent, .stopAgent, .detachFromPrompt,
            .interjectPrompt, .takeBackPrompt, .sendToolToBackground, .editAgentWall, .setAgentPolicy,
            .retryAgentThreads, .retryDevices, .editSharingForm, .retrySummary, .chooseSummaryModel, .sendSummary:
            self
        }
    }
}

extension AgentProposal {
    var redacted: AgentProposal {
        var proposal = AgentProposal(
            name: name.redacted, command: command.map(\.redacted), sandbox: sandbox?.redacted)
        (proposal.effect, proposal.failure) = (effect, failure?.redacted)
        return proposal
    }
}

extension PairingAddress {
    /// The code in it may still count.
    var redacted: PairingAddress {
        PairingAddress(gateway: gateway.isEmpty ? "" : "•", code: code.map { _ in "•" }, plain: plain)
    }
}

extension AgentThread {
    var redacted: AgentThread {
        AgentThread(id: id.redactedName, title: title.redacted, folder: folder?.redactedPath, changedAt: changedAt)
    }
}

extension AgentThreadList {
    var redacted: AgentThreadList {
        var list = AgentThreadList(agent: agent, folder: folder?.redactedPath, effect: effect)
        (list.threads, list.failure) = (threads?.map(\.redacted), failure?.redacted)
        list.isUnlisted = isUnlisted
        return list
    }
}

extension AgentList {
    var redacted: AgentList {
        var list = self
        list.byID = byID.mapValues(\.redacted)
        return list
    }
}

extension Agent {
    var redacted: Agent {
        var agent = Agent(id: id, name: name.redacted, place: place.redacted, addedAt: addedAt)
        agent.shares = shares.map(\.redacted)
        return agent
    }
}

extension AgentShare {
    fileprivate var redacted: AgentShare {
        AgentShare(
            id: id, room: room, folder: folder?.redactedPath, readOnly: readOnly, ownerDecides: ownerDecides,
            sharedAt: sharedAt)
    }
}

extension AgentOffer {
    var redacted: AgentOffer { AgentOffer(share: share, name: name.redacted, readOnly: readOnly) }
}

extension MemberWish {
    var redacted: MemberWish {
        switch self {
        case .asks(let share, let turn, let text, let pictures):
            .asks(share: share, turn: turn, text: text.shape, pictures: pictures?.map(\.redacted))
        case .answers(let request, let option): .answers(request: request, option: option?.redacted)
        case .stops, .closes: self
        }
    }
}

extension AgentSandbox {
    var redacted: AgentSandbox {
        AgentSandbox(network: network, readable: readable.map(\.redacted), readOnly: readOnly)
    }
}

extension String {
    /// Models of this machine come first, so it stays known which are.
    fileprivate var redactedModelURL: String { isAddressOfThisMachine ? "http://localhost" : redactedURL }
}

extension Agent.Place {
    var redacted: Agent.Place {
        switch self {
        case .program(let command, let sandbox, let variables):
            .program(command: command.map(\.redacted), sandbox: sandbox?.redacted, variables: variables)
        case .modelServer(let url, let model, let key):
            .modelServer(url: url.redactedModelURL, model: model?.redacted, key: key)
        case .gateway(let url, let fingerprint, let token):
            .gateway(url: url.redactedURL, fingerprint: fingerprint, token: token)
        case .member: self
        }
    }
}
