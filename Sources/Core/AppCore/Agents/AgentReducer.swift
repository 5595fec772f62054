extension AppState {
    mutating func reduce(_ action: AgentAction, _ context: inout DispatchContext) {
        switch action {
        case .addAgent(let name, let command, let sandbox, let variables):
            addProgram(name, .program(command: command, sandbox: sandbox, variables: variables), &context)
        case .proposeAgent(let name, let command, let sandbox):
            proposeAgent(AgentProposal(name: name, command: command, sandbox: sandbox), &context)
        case .addModel(let name, let url, let model, let key): addModel(name, url, model, key, &context)
        case .addGateway(let name, let url, let fingerprint, let token):
            addGateway(name, url, fingerprint, token, &context)
        case .pairAgent(let name, let gateway, let code, let plain):
            pairAgent(name, PairingAddress(gateway: gateway, code: code, plain: plain), &context)
        case .renameAgent(let id, let name): renameAgent(id, name, &context)
        case .removeAgent(let id): removeAgent(id, &context)
        case .shareAgent(let id, let room, let folder, let readOnly, let ownerDecides):
            shareAgent(id, room, folder, readOnly: readOnly, ownerDecides: ownerDecides, &context)
        case .proposeShare(let id, let room, let folder, let readOnly, let ownerDecides):
            proposeShare(
                ShareProposal(agent: id, room: room, folder: folder, readOnly: readOnly, ownerDecides: ownerDecides),
                &context)
        case .editSharingForm(let id, let readOnly, let ownerDecides):
            editSharingForm(id, readOnly: readOnly, ownerDecides: ownerDecides, context)
        case .unshareAgent(let id, let room): unshareAgent(id, room, &context)
        case .revokeDevice(let device): readDevices(revoking: device, &context)
        case .retryDevices: readDevices(&context)
        case .editAgentForm(let name, let command, let url, let model, let key, let folder, let tools):
            editAgentForm(
                name: name, command: command, url: url, model: model, key: key, folder: folder, tools: tools, &context)
        case .editAgentWall(let isConfined, let network):
            views.update(context.view ?? .main) { view in
                if let isConfined { view.agents.isConfined = isConfined ? true : nil }
                if let network { view.agents.hasNetwork = network ? true : nil }
            }
        case .editPairingForm(let gateway, let code, let plain):
            editPairingForm(gateway: gateway, code: code, plain: plain, context)
        case .newAgentSession(let agent, let folder, let tools): newAgentSession(agent, folder, tools: tools, &context)
        case .takeUpAgentThread(let agent, let thread, let folder, let title):
            takeUpThread(agent, thread, folder, title: title, &context)
        case .retryAgentThreads: retryThreads(&context)
        case .retrySummary: retrySummary(&context)
        case .chooseSummaryModel(let agent): chooseSummaryModel(agent, context)
        case .sendSummary(let agent, let effect): sendSummary(agent, of: effect, &context)
        case .renameAgentSession(let id, let title): renameAgentSession(id, title, &context)
        case .closeAgentSession(let id): closeAgentSession(id, &context)
        case .removeAgentSession(let id): removeAgentSession(id, &context)
        case .startAgent(let id): startAgent(id, &context)
        case .noteToolUse(let id, let tool, let isAllowed):
            guard talks[id] != nil else { return }
            let name = tool.withoutControls.limited(to: AgentTalkLimits.toolBytes)
            add(.usedTool(name: name, isAllowed: isAllowed), to: id, &context)
        case .noteDecision(let agent, let session, let folder, let decision):
            noteDecision(agent, session, folder, decision, &context)
        case .setPrompt(let id, let text): setPrompt(id, text, &context)
        case .askAgent(let id, let text, let pictures): askAgent(id, text, pictures, &context)
        case .attachToPrompt(let id, let name, let bytes, let handle):
            attachToPrompt(id, name, bytes: bytes, handle, &context)
        case .detachFromPrompt(let id, let picture): detachFromPrompt(id, picture, &context)
        case .withdrawPrompt(let id, let prompt): withdrawPrompt(id, prompt, &context)
        case .askQueued(let id, let prompt): askQueued(id, prompt, &context)
        case .interjectPrompt(let id, let prompt): interjectPrompt(id, prompt, &context)
        case .takeBackPrompt(let id, let prompt): takeBackPrompt(id, prompt, &context)
        case .sendToolToBackground(let id): sendToolToBackground(id, &context)
        case .stopAgent(let id): stopAgent(id, &context)
        case .answerAgent(let id, let approval, let substance, let choice):
            answerAgent(id, approval, of: substance, choice, &context)
        case .giveAgent(let id, let approval, let substance, let secret):
            giveAgent(id, approval, of: substance, secret, &context)
        case .chooseForAgent(let id, let kind, let option): chooseForAgent(id, kind, option, &context)
        case .setAgentPolicy(let id, let kind, let policy): setAgentPolicy(id, kind, policy, &context)
        }
    }

    mutating func addProgram(_ name: String, _ place: Agent.Place, _ context: inout DispatchContext) {
        guard case .program(let command, let sandbox, let variables) = place else { return }
        guard isPossible(command, sandbox, context), addAgent(name, place, &context) else {
            return forget([variables].compactMap(\.self), &context)
        }
    }

    /// Whether it can be a program; if not, that was told.
    mutating func isPossible(_ command: [String], _ sandbox: AgentSandbox?, _ context: DispatchContext) -> Bool {
        let isPossible = Self.isCommand(command) && sandbox.map(Self.isPossible) ?? true
        if !isPossible { notify(.problem, Wording.agentCommandInvalid, context) }
        return isPossible
    }

    /// A word may be anything that a program can be given.
    private static func isCommand(_ words: [String]) -> Bool {
        guard let program = words.first, !program.isEmpty, words.count <= AgentListLimits.commandWords else {
            return false
        }
        let bytes = words.reduce(0) { $0 + $1.utf8.count + 1 }
        return bytes <= AgentListLimits.commandBytes && !words.contains { $0.utf8.contains(0) }
    }

    private static func isPossible(_ sandbox: AgentSandbox) -> Bool {
        sandbox.readable.count <= AgentListLimits.readable
            && sandbox.readable.allSatisfy { path in
                path.utf8.first == UInt8(ascii: "/") && path.utf8.count <= RoomLimits.pathBytes
                    && !path.utf8.contains(0)
            }
    }

    private mutating func addModel(
        _ name: String, _ url: String, _ model: String?, _ key: SecretRef?, _ context: inout DispatchContext
    ) {
        // The form never holds a key that is forgotten.
        views.update(context.view ?? .main) { if $0.agents.key == key { $0.agents.key = nil } }
        let model = model.map { $0.withoutControls.trimmed }.flatMap { $0.isEmpty ? nil : $0 }
        guard let url = Self.server(from: url), model?.utf8.count ?? 0 <= AgentListLimits.modelBytes else {
            forget([key].compactMap(\.self), &context)
            return notify(.problem, Wording.agentServerInvalid, context)
        }
        let isAdded = addAgent(name, .modelServer(url: url, model: model, key: key), &context)
        if !isAdded { forget([key].compactMap(\.self), &context) }
    }

    mutating func addGateway(
        _ name: String, _ url: String, _ fingerprint: String?, _ token: SecretRef, _ context: inout DispatchContext
    ) {
        let isPossible = fingerprint.map { $0.utf8.count == 64 && $0.utf8.allSatisfy(\.isHexDigit) } ?? true
        guard isPossible, let url = Self.server(from: url) else {
            forget([token], &context)
            return notify(.problem, Wording.agentServerInvalid, context)
        }
        let isAdded = addAgent(name, .gateway(url: url, fingerprint: fingerprint, token: token), &context)
        if !isAdded { forget([token], &context) }
    }

    /// - Returns: false if it was refused, and why was told.
    mutating func addAgent(_ name: String, _ place: Agent.Place, _ context: inout DispatchContext) -> Bool {
        guard let name = nameForAnother(name, context) else { return false }
        let id = AgentID(context.fresh.first)
        // A step that a client sends twice happens once.
        guard agents.byID[id] == nil else { return true }
        agents.byID[id] = Agent(id: id, name: name, place: place, addedAt: context.now)
        context.changed(.agent(id))
        leaveAgentForm(place, name, &context)
        return true
    }

    /// The name of another agent as it is kept; `nil` if there cannot be one, and why was told.
    mutating func nameForAnother(_ name: String, _ context: DispatchContext) -> String? {
        guard canKeepMore(context), let name = freeName(name, for: nil, context) else { return nil }
        guard agents.byID.count < AgentListLimits.agents else {
            notify(.problem, Wording.tooManyAgents, context)
            return nil
        }
        return name
    }

    private mutating func renameAgent(_ id: AgentID, _ name: String, _ context: inout DispatchContext) {
        guard let known = agents.byID[id], let name = freeName(name, for: id, context), name != known.name else {
            return
        }
        agents.byID[id]?.name = name
        context.changed(.agent(id))
        issue(.moveToolGrants(from: known.name, to: name), &context)
        for share in known.shares { offerAgents(to: share.room, &context) }
    }

    private mutating func removeAgent(_ id: AgentID, _ context: inout DispatchContext) {
        guard let agent = agents.byID.removeValue(forKey: id) else { return }
        context.changed(.agent(id))
        issue(.moveToolGrants(from: agent.name, to: nil), &context)
        endShares(agent.shares, &context)
        for talk in talks.inOrder where talk.session.agent == id { closeAgentSession(talk.id, &context) }
        views.updateAll { $0.hide { $0.agent == id } }
        forget([agent.secret].compactMap(\.self), &context)
    }

    /// The name as it is kept; `nil` if it cannot be, and why was told.
    private mutating func freeName(_ name: String, for id: AgentID?, _ context: DispatchContext) -> String? {
        let name = name.withoutControls.trimmed.limited(to: AgentListLimits.nameBytes).trimmed
        guard !name.isEmpty else {
            notify(.problem, Wording.agentNameMissing, context)
            return nil
        }
        if let other = agents.named(name), other.id != id {
            notify(.problem, Wording.agentNameTaken(other.name), context)
            return nil
        }
        return name
    }
}

extension UInt8 {
    /// Whether it is the character of a hexadecimal digit in lower case.
    fileprivate var isHexDigit: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self
    }
}
