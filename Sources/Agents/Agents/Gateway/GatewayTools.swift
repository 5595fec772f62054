internal import AgentProtocols
internal import Wire

/// The calls of tools of one turn over a gateway.
struct GatewayTools: Sendable {
    private struct Call: Sendable {
        /// How much of the answer was shown before it.
        let place: Int
        /// What was told of what it is given; nothing any more when it is over.
        var input = ""
        /// How often it was told again with that.
        var retold = 0
        /// Whether that was told as a whole, so that pieces of it say nothing more.
        var isWhole = false
        /// Whether the tool runs, or ran.
        var isBegun = false
        /// How it ended; nil as long as it did not.
        var end: End?
    }

    /// What is remembered of an end, to know another one from it: what a tool returned may be long.
    private struct End: Sendable, Hashable {
        let status: String
        let results: Int
        let isEmpty: Bool
    }

    /// Calls that are remembered.
    static let limit = 1024
    /// Bytes of what they all are given that are remembered.
    private static let inputBytes = 8 << 20
    /// How often one that runs is told again because a piece of what it is given came late: each time with all of it.
    private static let retellings = 16

    private var calls: [String: Call] = [:]
    /// The one that began last: pieces of what a tool is given name none.
    private var newest: String?

    /// - Parameter place: how much of the answer was shown before.
    mutating func take(_ kind: GatewayEventKind, _ event: GatewayEvent, at place: Int) -> [AgentEvent] {
        let id = AgentText.name(event.string("id"))
        switch kind {
        case .toolStart:
            guard calls.count < Self.limit, calls[id] == nil else { return [] }
            calls[id] = Call(place: place)
            newest = id
            return [.toolCall(AgentToolCall(id: id, title: event.string("name"), status: "pending"))]
        case .toolInput: return given(event.string("delta"))
        case .toolExec:
            return change(
                id, event.string("name"), status: "in_progress", results: nil, input: event.object["input"], at: place)
        case .toolDone:
            let (output, error) = (event.string("output"), event.object.string("error"))
            // A tool that failed often says why twice.
            let texts = [output, error ?? ""].filter { !$0.isEmpty }
            let results = (texts.first == texts.last ? Array(texts.prefix(1)) : texts).map {
                AgentToolCall.Result.text(AgentText($0))
            }
            return change(
                id, event.string("name"), status: error == nil ? "completed" : "failed", results: results,
                input: event.object["input"], at: place)
        default: return []
        }
    }

    /// A piece of what the newest call is given.
    private mutating func given(_ piece: String) -> [AgentEvent] {
        guard let newest, calls[newest] != nil, calls[newest]?.end == nil else { return [] }
        let told = AgentEvent.toolInput(id: newest, AgentText(piece))
        guard calls[newest]?.isWhole == false else { return [told] }
        let size = calls[newest]?.input.utf8.count ?? 0
        let all = calls.values.reduce(0) { $0 + $1.input.utf8.count }
        let room = min(AgentLimits.textBytes - size, Self.inputBytes - all)
        // In its place: there may be many pieces.
        if room > 0 { calls[newest]?.input += AgentText(piece, limit: room).text }
        // A person should see what a tool was given while it runs.
        guard calls[newest]?.isBegun == true, calls[newest]?.retold ?? 0 < Self.retellings else { return [told] }
        calls[newest]?.retold += 1
        var call = AgentToolCall(id: newest, status: "in_progress")
        call.input = AgentText(calls[newest]?.input ?? "")
        return [told, .toolCallChanged(call)]
    }

    /// A call as the history has it.
    mutating func took(
        _ tool: GatewayHistory.Tool, _ message: GatewayHistory.Message, at place: Int
    ) -> [AgentEvent] {
        let id = AgentText.name(tool.id)
        let results = message.content.isEmpty ? nil : [AgentToolCall.Result.text(AgentText(message.content))]
        guard let end = calls[id]?.end else {
            return change(id, tool.name, status: "completed", results: results, input: tool.input, at: place)
        }
        // What was told of its end says more than the history, unless it said nothing.
        guard end.isEmpty, results != nil else { return [] }
        return change(id, tool.name, status: end.status, results: results, input: tool.input, at: place)
    }

    /// A call that is named by something else than an event of its own.
    mutating func name(_ id: String, at place: Int) {
        if calls.count < Self.limit { calls[id, default: Call(place: place)].isBegun = true }
    }

    // MARK: What does not count any more

    /// Whether a tool is at work.
    var isRunning: Bool { calls.values.contains { $0.isBegun && $0.end == nil } }

    /// The place of the last call.
    var last: Int { calls.values.map(\.place).max() ?? 0 }

    /// Forgets calls that did not begin: the message that they were in is asked for again.
    /// - Returns: the place of the last one that did.
    mutating func rollBack() -> Int {
        calls = calls.filter(\.value.isBegun)
        newest = nil
        return last
    }

    /// A call that is over does not run again. What came of it may be told otherwise: the last that is told counts, and the same is told once.
    /// - Parameter input: what it is given, where that is told as a whole.
    private mutating func change(
        _ id: String, _ name: String, status: String, results: [AgentToolCall.Result]?, input: JSONValue?, at place: Int
    ) -> [AgentEvent] {
        guard calls[id] != nil || calls.count < Self.limit else { return [] }
        var known = calls[id] ?? Call(place: place)
        let shown = results ?? []
        let end =
            status == "in_progress" ? nil : End(status: status, results: shown.hashValue, isEmpty: shown.isEmpty)
        if let past = known.end {
            guard let end, end != past else { return [] }
        }
        var call = AgentToolCall(id: id, title: name, status: status)
        let whole = input?.givenText ?? ""
        if !whole.isEmpty { (known.input, known.isWhole) = ("", true) }
        if !whole.isEmpty || !known.input.isEmpty { call.input = AgentText(whole.isEmpty ? known.input : whole) }
        call.results = results
        known.isBegun = true
        if let end { (known.end, known.input) = (end, "") }
        calls[id] = known
        return [.toolCallChanged(call)]
    }
}
