package import Wire

extension ACPUpdate {
    /// An update of our own, for a client.
    package init(_ kind: Kind) {
        var object: JSONObject = ["sessionUpdate": .string(kind.name)]
        for member in kind.members.members { object.append(member.name, member.value) }
        (self.kind, self.object) = (kind, object)
    }
}

extension ACPUpdate.Kind {
    fileprivate var name: String {
        switch self {
        case .userText: "user_message_chunk"
        case .agentText: "agent_message_chunk"
        case .thought: "agent_thought_chunk"
        case .toolCall: "tool_call"
        case .toolCallChanged: "tool_call_update"
        case .plan: "plan"
        case .commands: "available_commands_update"
        case .mode: "current_mode_update"
        case .configOptions: "config_option_update"
        case .info: "session_info_update"
        case .usage: "usage_update"
        case .unknown(let name): name
        }
    }

    fileprivate var members: JSONObject {
        switch self {
        case .userText(let content), .agentText(let content), .thought(let content):
            ["content": .object(content.object)]
        case .toolCall(let call), .toolCallChanged(let call): call.object
        case .plan(let entries): ["entries": .array(entries.map { .object($0.object) })]
        case .commands(let commands): ["availableCommands": .array(commands.map { .object($0) })]
        case .mode(let mode): ["currentModeId": .string(mode)]
        case .configOptions(let options): ["configOptions": .array(options.map { .object($0) })]
        case .info(let title): title.map { ["title": .string($0)] } ?? [:]
        case .usage(let used, let size): ["used": .number(String(used)), "size": .number(String(size))]
        case .unknown: [:]
        }
    }
}

extension ACPPlanEntry {
    package init(content: String, priority: String, status: String) {
        (self.content, self.priority, self.status) = (content, priority, status)
    }

    fileprivate var object: JSONObject {
        ["content": .string(content), "priority": .string(priority), "status": .string(status)]
    }
}

extension ACPToolCall {
    /// As it stands in an update and in a request. What is nil is left out.
    package var object: JSONObject {
        var object: JSONObject = ["toolCallId": .string(id)]
        for (name, text) in [("title", title), ("kind", kind), ("status", status)] {
            if let text { object.append(name, .string(text)) }
        }
        if let content { object.append("content", .array(content.map { .object($0.object) })) }
        if let locations { object.append("locations", .array(locations.map { .object($0.object) })) }
        if let input { object.append("rawInput", input) }
        if let output { object.append("rawOutput", output) }
        return object
    }

    /// With only what is different from how it was; nil if nothing is.
    package func change(since before: ACPToolCall) -> ACPToolCall? {
        var change = ACPToolCall(id: id)
        if title != before.title { change.title = title }
        if kind != before.kind { change.kind = kind }
        if status != before.status { change.status = status }
        if content != before.content { change.content = content }
        if locations != before.locations { change.locations = locations }
        if input != before.input { change.input = input }
        if output != before.output { change.output = output }
        return change == ACPToolCall(id: id) ? nil : change
    }
}

extension ACPToolCall.Content {
    fileprivate var object: JSONObject {
        switch self {
        case .content(let content): ["type": "content", "content": .object(content.object)]
        case .difference(let path, let old, let new):
            [
                "type": "diff", "path": .string(path), "oldText": old.map { .string($0) } ?? .null,
                "newText": .string(new),
            ]
        case .terminal(let id): ["type": "terminal", "terminalId": .string(id)]
        case .unknown(let name): ["type": .string(name)]
        }
    }
}

extension ACPToolCall.Location {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["path": .string(path)]
        if let line { object.append("line", .number(String(line))) }
        return object
    }
}
