internal import AgentProtocols
internal import Errors
internal import Wire

// What tools want to be given, perhaps a password. It goes once, and is kept nowhere.

extension GatewaySession {
    /// If what a tool wants is refused, the turn ends.
    mutating func asks(_ event: GatewayEvent) -> [Step] {
        let wanted = event.string("request_id")
        guard inputs.count < AgentLimits.openRequests, !inputs.values.contains(wanted), !given.contains(wanted) else {
            return []
        }
        let id = AgentPermission.ID(number: nextPermission)
        nextPermission += 1
        inputs[id] = wanted
        var call = AgentToolCall(id: event.string("tool_call_id"))
        // The question is shown as this call: what is said from here on is behind it.
        tools.name(call.id, at: turn?.shown.end ?? 0)
        call.results = [.text(AgentText(event.string("prompt"), limit: AgentLimits.nameBytes))]
        // What is not said to be no secret may be one.
        let isText = event.object["is_password"] == .bool(false)
        return [
            .tell(
                .permission(AgentPermission(id: id, toolCall: call, options: [], input: isText ? .text : .secret)))
        ]
    }

    /// The only answer without words is that a tool gets nothing, and its turn ends.
    mutating func answer(_ request: AgentPermission.ID) throws(AgentError) -> [Step] {
        guard inputs.removeValue(forKey: request) != nil else {
            throw AgentError(.gone, "the request is not open any more")
        }
        return cancel()
    }

    /// What a tool is given goes once. It is kept nowhere: if the connection breaks now, the gateway asks again.
    mutating func give(_ request: AgentPermission.ID, _ text: String) throws(AgentError) -> [Step] {
        guard isReady, let wanted = inputs.removeValue(forKey: request) else {
            throw AgentError(.gone, "the request is not open any more")
        }
        if given.count >= AgentLimits.openRequests { given = [] }
        given.insert(wanted)
        return [
            .send(
                GatewayRequest(
                    .stdinResponse, id: freshID(), ["request_id": .string(wanted), "input": .string(text)]))
        ]
    }

    mutating func dropInputs() -> [Step] {
        defer { (inputs, given) = ([:], []) }
        return inputs.keys.sorted { $0.number < $1.number }.map { .tell(.permissionGone($0)) }
    }
}
