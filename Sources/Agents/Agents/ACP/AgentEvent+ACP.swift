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
        // What a link is called says nothing of where it leads.
        case .link(let uri, let name): self.init("[\(name)] \(uri)")
        case .resource(let uri, let text?): self.init("[\(uri)]\n\(text)")
        case .image, .audio, .resource, .unknown: self.init("[\(content.hiddenName ?? "")]")
        }
    }
}

extension ACPContent {
    /// What is not shown is called so; nil for what is shown.
    fileprivate var hiddenName: String? {
        switch kind {
        case .image(let type, _), .audio(let type, _): AgentText.name(type)
        case .resource(let uri, nil): AgentText.name(uri)
        case .unknown(let name): AgentText.name(name)
        case .text, .link, .resource: nil
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
            case .content(let content): content.hiddenName.map { .other($0) } ?? .text(AgentText(content))
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
