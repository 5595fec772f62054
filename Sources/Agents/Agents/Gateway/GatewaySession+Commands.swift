internal import AgentProtocols
internal import Errors
internal import Wire

// Commands: turns in which the gateway is asked for something, and not its agent. The first event with the id of the request, beside its `ack`,
// answers it.

extension GatewaySession {
    /// A command that nobody waits for any more. What it did holds all the same.
    struct LateCommand: Sendable {
        let id: UInt64
        let command: GatewayCommand
    }

    /// Alcove's gateway serves agents that may have commands of their own.
    func command(in turn: GatewayTurn) -> GatewayCommand? {
        isOfAlcove || !turn.pictures.isEmpty ? nil : GatewayCommand(turn.prompt)
    }

    mutating func send(_ command: GatewayCommand) -> [Step] {
        let id = freshID()
        guard let request = command.request(id) else {
            return [.tell(.text(AgentText("It is written \(command.usage)")))] + end(.done)
        }
        turn?.command = command
        turn?.stage = .sent(id)
        return [.send(request)]
    }

    /// The person waits no longer. What a gateway does for a command it does to its end.
    mutating func leaveCommand() -> [Step] {
        if let id = turn?.id, let command = turn?.command { late = LateCommand(id: id, command: command) }
        return end(.cancelled)
    }

    /// What comes of a command.
    /// - Returns: nil if the event is no answer to one.
    mutating func answered(_ event: GatewayEvent) -> [Step]? {
        guard isReady, let kind = event.kind, kind != .ack else { return nil }
        if let late { return answered(event, kind, late) }
        guard let command = turn?.command else { return nil }
        // Before it says that it is done, the gateway says which session is the empty one.
        if kind == .session, command.kind == .clear { return cleared(event) }
        // One that does not know the request cannot say to which this answers.
        let isUnknown = kind == .error && event.id == 0 && turn?.isTaken == false
        guard event.id == turn?.id || isUnknown else { return nil }
        return finished(event, kind, command)
    }

    private mutating func answered(_ event: GatewayEvent, _ kind: GatewayEventKind, _ known: LateCommand) -> [Step]? {
        if kind == .session, known.command.kind == .clear { return cleared(event) }
        guard event.id == known.id else { return nil }
        late = nil
        if kind == .history, let history = GatewayHistory(event) { prompts = KnownPrompts(history) }
        return []
    }

    private mutating func finished(_ event: GatewayEvent, _ kind: GatewayEventKind, _ command: GatewayCommand) -> [Step]
    {
        switch kind {
        case .error: return refused(event.string("message"))
        case .compactResult where !event.object.isTrue("success"): return refused(event.string("message"))
        case .reasoningEffortChanged where event.object.string("error") != nil: return refused(event.string("error"))
        default: break
        }
        // A gateway may have kept what there was to keep, so another session cannot stand for this one.
        if command.kind != .clear, !command.isList { isAsked = true }
        switch kind {
        case .history: return heard(event, command) + end(.done)
        case .compactResult: return told(event.string("message"))
        case .splitResponse:
            let (name, id) = (event.string("new_session_name"), event.string("new_session_id"))
            return told("The other session is \(name). To go on with it: alcove agent chat AGENT --take-up \(id)")
        case .reasoningEffortChanged:
            return told("The model thinks with this effort now: \(event.object.string("effort") ?? command.argument)")
        default: return told(command.kind == .clear ? "The agent knows nothing of what stands above." : "Done.")
        }
    }

    private mutating func cleared(_ event: GatewayEvent) -> [Step] {
        let new = event.string("session_id")
        // The name of the session that is there may come late.
        guard !new.isEmpty, new != id else { return [] }
        (id, prompts, isAsked) = (new, KnownPrompts(), false)
        return [.tell(.opened(thread: new, goesOn: true))]
    }

    /// What was said is as long as the history says, or a person wants to see which messages there are.
    private mutating func heard(_ event: GatewayEvent, _ command: GatewayCommand) -> [Step] {
        guard let history = GatewayHistory(event) else { return [] }
        prompts = KnownPrompts(history)
        let said = history.messages.filter { $0.tool == nil && ($0.role == "user" || $0.role == "assistant") }
        if command.isList {
            let lines = said.enumerated().suffix(Self.listed).map { place, message in
                "\(place + 1). \(message.role == "user" ? "You" : "Agent"): \(message.content.beginning(bytes: 80).oneLine)"
            }
            return say((["/rewind N takes back what stands behind message N:"] + lines).joined(separator: "\n"))
        }
        let last = said.last.map { ": “\($0.content.beginning(bytes: 80).oneLine)”" } ?? "."
        return say("The agent knows \(said.count) messages now\(last)")
    }

    /// Messages that are listed.
    private static let listed = 50

    private mutating func told(_ text: String) -> [Step] { say(text) + end(.done) }

    private mutating func refused(_ text: String) -> [Step] {
        say(text) + end(.failed(AgentError(.refused, "\(name) answered the command with an error")))
    }
}

extension String {
    /// The same without breaks of lines.
    fileprivate var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
