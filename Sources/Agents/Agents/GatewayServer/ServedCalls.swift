/// The calls of tools in a conversation, by their ids. The oldest go when there are too many.
struct ServedCalls: Sendable, Hashable {
    private var byID: [String: AgentToolCall] = [:]
    /// The ids, in the order in which they came.
    private var ids: [String] = []
    /// What they hold.
    private var bytes = 0

    /// What the call is with what is known of it already.
    func merged(_ call: AgentToolCall) -> AgentToolCall { byID[call.id]?.with(call) ?? call }

    /// Takes what is said of a call. One that is told as a whole replaces what was known; a change of an unknown one is taken as a new one.
    /// - Returns: nil if nothing is new; else the call as it is now, and as it was.
    mutating func take(_ call: AgentToolCall, isWhole: Bool) -> (now: AgentToolCall, before: AgentToolCall?)? {
        let before = byID[call.id]
        let now = isWhole ? call : merged(call)
        guard now != before else { return nil }
        if before == nil { ids.append(call.id) }
        byID[call.id] = now
        bytes += now.bytes - (before?.bytes ?? 0)
        while ids.count > ServedConversationLimits.calls || bytes > ServedConversationLimits.callBytes && ids.count > 1
        {
            bytes -= byID.removeValue(forKey: ids.removeFirst())?.bytes ?? 0
        }
        return (now, before)
    }
}

extension AgentToolCall {
    /// With what has changed about it.
    func with(_ change: AgentToolCall) -> AgentToolCall {
        var call = self
        call.title = change.title ?? title
        call.kind = change.kind ?? kind
        call.status = change.status ?? status
        call.input = change.input ?? input
        call.output = change.output ?? output
        call.results = change.results ?? results
        call.paths = change.paths ?? paths
        return call
    }
}
