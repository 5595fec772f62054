internal import AgentProtocols
internal import Wire

/// The calls of tools of one turn over a gateway.
struct GatewayTools: Sendable {
    private struct Call: Sendable {
        /// How much of the answer was shown before it.
        let place: Int
        var input = ""
        /// Whether the tool runs, or ran.
        var isBegun = false
        var isDone = false
    }

    /// Calls that are remembered.
    static let limit = 1024

    private var calls: [String: Call] = [:]
    /// The one that began last: pieces of what a tool is given name none.
    private var newest: String?

    /// - Parameter place: how much of the answer was shown before.
    mutating func take(_ kind: GatewayEventKind, _ event: GatewayEvent, at place: Int) -> [AgentEvent] {
        let id = event.string("id")
        switch kind {
        case .toolStart:
            guard calls.count < Self.limit, calls[id] == nil else { return [] }
            calls[id] = Call(place: place)
            newest = id
            return [.toolCall(AgentToolCall(id: id, title: event.string("name"), status: "pending"))]
        case .toolInput:
            guard let newest, calls[newest]?.isDone == false else { return [] }
            let piece = event.string("delta")
            let room = AgentLimits.textBytes - (calls[newest]?.input.utf8.count ?? 0)
            if room > 0 { calls[newest]?.input += AgentText(piece, limit: room).text }
            return [.toolInput(id: newest, AgentText(piece))]
        case .toolExec: return change(id, event.string("name"), status: "in_progress", results: nil, at: place)
        case .toolDone:
            let (output, error) = (event.string("output"), event.object.string("error"))
            // A tool that failed often says why twice.
            let texts = [output, error ?? ""].filter { !$0.isEmpty }
            let results = (texts.first == texts.last ? Array(texts.prefix(1)) : texts).map {
                AgentToolCall.Result.text(AgentText($0))
            }
            let status = error == nil ? "completed" : "failed"
            return change(id, event.string("name"), status: status, results: results, at: place)
        default: return []
        }
    }

    /// A call as the history has it.
    mutating func took(
        _ tool: GatewayHistory.Tool, _ message: GatewayHistory.Message, at place: Int
    ) -> [AgentEvent] {
        guard calls[tool.id]?.isDone != true, calls.count < Self.limit else { return [] }
        calls[tool.id, default: Call(place: place)].input = AgentText(tool.input == .null ? "" : tool.input.text).text
        let results = message.content.isEmpty ? nil : [AgentToolCall.Result.text(AgentText(message.content))]
        return change(tool.id, tool.name, status: "completed", results: results, at: place)
    }

    /// A call that is named by something else than an event of its own.
    mutating func name(_ id: String, at place: Int) {
        if calls.count < Self.limit { calls[id, default: Call(place: place)].isBegun = true }
    }

    // MARK: What does not count any more

    /// Whether a tool is at work.
    var isRunning: Bool { calls.values.contains { $0.isBegun && !$0.isDone } }

    /// The place of the last call.
    var last: Int { calls.values.map(\.place).max() ?? 0 }

    /// Forgets calls that did not begin: the message that they were in is asked for again.
    /// - Returns: the place of the last one that did.
    mutating func rollBack() -> Int {
        calls = calls.filter(\.value.isBegun)
        newest = nil
        return last
    }

    private mutating func change(
        _ id: String, _ name: String, status: String, results: [AgentToolCall.Result]?, at place: Int
    ) -> [AgentEvent] {
        guard calls[id]?.isDone != true, calls[id] != nil || calls.count < Self.limit else { return [] }
        var call = AgentToolCall(id: id, title: name, status: status)
        let input = calls[id, default: Call(place: place)].input
        if !input.isEmpty { call.input = AgentText(input) }
        call.results = results
        calls[id, default: Call(place: place)].isBegun = true
        calls[id]?.isDone = status != "in_progress"
        return [.toolCallChanged(call)]
    }
}
