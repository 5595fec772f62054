internal import AgentProtocols
internal import Wire

extension AgentEvent {
    /// What an update of the protocol comes to, bounded.
    init(_ update: ACPUpdate) {
        self =
            switch update.kind {
            case .userText(let content): .userText(AgentText(content))
            case .agentText(let content): .text(AgentText(content))
            case .thought(let content): .reasoning(AgentText(content))
            case .toolCall(let call): .toolCall(AgentToolCall(call))
            case .toolCallChanged(let call): .toolCallChanged(AgentToolCall(call))
            case .plan(let entries):
                .plan(
                    entries.prefix(AgentLimits.elements).map {
                        AgentPlanEntry(
                            content: AgentText.name($0.content), priority: AgentText.name($0.priority),
                            status: AgentText.name($0.status))
                    })
            case .mode(let mode): .mode(AgentText.name(mode))
            case .info(let title?): .title(AgentText.name(title))
            case .usage(let used, let size): .usage(AgentUsage(used: used, size: size))
            case .commands, .configOptions, .info(nil), .unknown:
                .other(AgentText.name(update.object.string("sessionUpdate") ?? ""))
            }
    }
}

extension AgentEvent {
    /// Whether it is part of what is said and done in a turn.
    var isOfTurn: Bool {
        switch self {
        case .text, .reasoning, .userText, .toolCall, .toolCallChanged, .toolInput, .plan: true
        default: false
        }
    }
}

extension AgentText {
    /// What can be shown of a piece of content. Pictures and links are named and never fetched.
    init(_ content: ACPContent) {
        switch content.kind {
        case .text(let text): self.init(text)
        case .image(let type, _), .audio(let type, _): self.init("[\(AgentText.name(type))]")
        case .link(_, let name): self.init("[\(AgentText.name(name))]")
        case .resource(let uri, let text): self.init(text ?? "[\(AgentText.name(uri))]")
        case .unknown(let name): self.init("[\(AgentText.name(name))]")
        }
    }
}

extension AgentToolCall {
    init(_ call: ACPToolCall) {
        self.init(id: call.id, title: call.title, status: call.status.map(AgentText.name))
        kind = call.kind.map(AgentText.name)
        input = call.input.map { AgentText($0.text) }
        output = call.output.map { AgentText($0.text) }
        paths = call.locations?.prefix(AgentLimits.elements).map { AgentText.name($0.path) }
        results = call.content?.prefix(AgentLimits.elements).map { content in
            switch content {
            case .content(let content): .text(AgentText(content))
            case .difference(let path, let old, let new):
                .difference(path: AgentText.name(path), old: old.map { AgentText($0) }, new: AgentText(new))
            case .terminal(let id): .other(AgentText.name(id))
            case .unknown(let name): .other(AgentText.name(name))
            }
        }
    }
}

extension AgentPermission {
    init(id: ID, _ request: ACPPermissionRequest) {
        self.init(
            id: id, toolCall: AgentToolCall(request.toolCall),
            options: request.options.map {
                Option(id: $0.id, name: AgentText.name($0.name), kind: AgentText.name($0.kind))
            })
    }
}
