extension AgentAction {
    var redacted: AgentAction {
        switch self {
        case .addAgent(let name, let command, let sandbox):
            .addAgent(name: name.redacted, command: command.map(\.redacted), sandbox: sandbox?.redacted)
        case .addModel(let name, let url, let model, let key):
            .addModel(name: name.redacted, url: url.redactedURL, model: model?.redacted, key: key)
        case .renameAgent(let agent, let name): .renameAgent(agent: agent, name: name.redacted)
        case .removeAgent: self
        }
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
    var redacted: Agent { Agent(id: id, name: name.redacted, place: place.redacted, addedAt: addedAt) }
}

extension AgentSandbox {
    var redacted: AgentSandbox { AgentSandbox(network: network, readable: readable.map(\.redacted)) }
}

extension Agent.Place {
    fileprivate var redacted: Agent.Place {
        switch self {
        case .program(let command, let sandbox): .program(command: command.map(\.redacted), sandbox: sandbox?.redacted)
        case .modelServer(let url, let model, let key):
            .modelServer(url: url.redactedURL, model: model?.redacted, key: key)
        }
    }
}
