internal import AgentProtocols
internal import Wire

/// What the clients of a session were told of the calls of its turn.
///
/// However often and in whatever order an agent tells of a call, for them it begins once, runs once, and has one message in the history. It ends when
/// there is something to show, or when the agent goes on without; after that it is told again only if something else came of it.
struct ServedTools: Sendable {
    private struct Told: Sendable {
        var isRun = false
        /// What it is given, as it was told, by its hash.
        var input: Int?
        /// Whether a client came since, which may have missed that.
        var isMissed = false
        /// How it ended, by its hash.
        var end: Int?
    }

    private var told: [String: Told] = [:]
    /// The ids, in the order in which they came.
    private var ids: [String] = []
    /// The call that began last, and what was told of what it is given: pieces of that name no call.
    private var newest: (id: String, input: String)?
    /// A call that is over, and of which there is nothing to show yet. Many agents say the one before the other.
    private(set) var held: AgentToolCall?

    /// Calls that are remembered. The oldest go.
    static let limit = ServedConversationLimits.calls * 4

    var count: Int { told.count }

    /// - Parameter call: all that is known of it.
    mutating func take(_ call: AgentToolCall, into history: inout ServedHistory) -> [GatewayEvent] {
        if held?.id == call.id { held = nil }
        var events = begin(call, &history) + tellInput(of: call)
        switch call.status {
        case "in_progress": events += run(call)
        case "completed", "failed":
            if told[call.id]?.end == nil, call.shown.isEmpty {
                held = call
            } else {
                events += end(call, &history)
            }
        default: break
        }
        return events
    }

    /// The agent goes on, or its turn is over: nothing comes any more of the call that is held.
    mutating func settle(into history: inout ServedHistory) -> [GatewayEvent] {
        guard let call = held else { return [] }
        held = nil
        return end(call, &history)
    }

    /// The message that is under way is asked for again: calls of it that did not run do not count.
    mutating func rollBack() {
        let known = told.filter { $0.value.isRun || $0.value.end != nil }
        ids.removeAll { known[$0] == nil }
        (told, newest) = (known, nil)
    }

    /// A client comes that may have missed what calls that go on are given: they tell all of it with their next step.
    mutating func tellInputsAgain() {
        for id in ids where told[id]?.end == nil { told[id]?.isMissed = true }
        if newest?.input.isEmpty == false { newest = nil }
    }

    // MARK: - Each of its steps

    private mutating func begin(_ call: AgentToolCall, _ history: inout ServedHistory) -> [GatewayEvent] {
        guard told[call.id] == nil else { return [] }
        // An agent may make any number of names.
        if ids.count >= Self.limit { told[ids.removeFirst()] = nil }
        told[call.id] = Told()
        ids.append(call.id)
        newest = (call.id, "")
        history.callBegins()
        return [GatewayEvent(.toolStart, ["id": .string(call.id), "name": .string(call.name)])]
    }

    /// What goes on where the last piece of it ended is told at once, and anything else together with the next step of the call.
    private mutating func tellInput(of call: AgentToolCall) -> [GatewayEvent] {
        guard told[call.id]?.end == nil, let input = call.inputToTell, let known = newest, known.id == call.id,
            input.utf8.starts(with: known.input.utf8)
        else { return [] }
        told[call.id]?.input = input.hashValue
        guard let rest = String(input.utf8.dropFirst(known.input.utf8.count)), !rest.isEmpty else { return [] }
        newest = (call.id, input)
        return [GatewayEvent(.toolInput, ["delta": .string(rest)])]
    }

    /// What it is given, where that was not told.
    private mutating func untoldInput(of call: AgentToolCall) -> JSONValue? {
        guard let input = call.inputToTell, let known = told[call.id],
            known.isMissed || known.input != input.hashValue
        else { return nil }
        told[call.id]?.input = input.hashValue
        told[call.id]?.isMissed = false
        // Nobody could put a further piece behind it.
        if newest?.id == call.id { newest = nil }
        return call.given
    }

    private mutating func run(_ call: AgentToolCall) -> [GatewayEvent] {
        guard told[call.id]?.isRun == false, told[call.id]?.end == nil else { return [] }
        told[call.id]?.isRun = true
        let input = untoldInput(of: call)
        return [GatewayEvent(.toolExec, ["id": .string(call.id), "name": .string(call.name), "input": input])]
    }

    private mutating func end(_ call: AgentToolCall, _ history: inout ServedHistory) -> [GatewayEvent] {
        let output = call.shown
        history.callEnds(GatewayHistory.Tool(id: call.id, name: call.name, input: call.given), output)
        let error = call.status == "failed" ? (output.isEmpty ? "failed" : output) : nil
        let sum = [output, error].hashValue
        guard told[call.id]?.end != sum else { return [] }
        let input = untoldInput(of: call)
        told[call.id]?.end = sum
        return [
            GatewayEvent(
                .toolDone,
                [
                    "id": .string(call.id), "name": .string(call.name), "output": .string(output),
                    "error": error.map { .string($0) }, "input": input,
                ])
        ]
    }
}

extension AgentToolCall {
    fileprivate var name: String { title ?? kind ?? "tool" }

    /// Agents that do not know yet what they will give a tool say that it is nothing.
    fileprivate var inputToTell: String? {
        guard let text = input?.text, !["", "{}", "null"].contains(text) else { return nil }
        return text
    }
}
