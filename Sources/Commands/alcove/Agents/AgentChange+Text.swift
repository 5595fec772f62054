import Agents
import AppCore
import Errors

/// What happens in a conversation, as lines for a person.
extension AgentScreen {
    /// - Returns: nil for what is not shown.
    func text(_ change: AgentChange) -> TerminalText? {
        switch change {
        case .send(let prompt): "> \(.text(prompt, margin: "  "))"
        case .queued(let prompt): "> \(.text(prompt, margin: "  "))  [waits for the end of the turn]"
        case .refused(let prompt, let reason): "! Not asked: \(reason.words). You wrote: \(.text(prompt, margin: "  "))"
        case .thought: "~ thinks…  (/thoughts shows what)"
        case .called(let call, let before): Self.text(call, before)
        case .planned(let entries): Self.text(entries)
        case .asks(let request): request.text(withAnswers: isSomebodyThere)
        case .allowedBefore(let request): "* Allowed, as you said for this conversation: \(request.call.name)"
        case .withdrawn(let request): "* Request \(request.id.number) is gone; nothing was allowed."
        case .changedUnderway(let request):
            "! Request \(request.id.number) became another one after it was shown."
        case .lost: "! The connection broke; what the agent does is not known. It is tried again."
        case .found: "* The connection is back."
        case .turnEnded(let stop): stop.sentence.map { "* \($0)" }
        case .ended(let error): error.map { "! \($0.message)" }
        case .answer(let answer): "* Request \(answer.id.number): \(answer.isAllowed ? "allowed" : "rejected")."
        case .said, .used: nil
        }
    }

    /// A call is told when it begins, and when it is over or its words change.
    private static func text(_ call: AgentToolCall, _ before: AgentToolCall?) -> TerminalText? {
        guard before == nil || call.name != before?.name || call.status != before?.status else { return nil }
        let paths = (call.paths ?? []).prefix(3).map { " \($0)" }.joined()
        let status = call.status.map { $0 == "in_progress" ? "running" : $0 } ?? "running"
        return "* \(call.name)\(paths)  [\(status)]"
    }

    private static func text(_ plan: [AgentPlanEntry]) -> TerminalText {
        let marks = ["completed": "x", "in_progress": ">"]
        let lines: [TerminalText] = plan.map { "    [\(marks[$0.status] ?? " ")] \($0.content)" }
        return .joined(["* Plan"] + lines, by: "\n")
    }
}

extension AgentChange {
    /// Whether a person has to see it, wherever the answer goes.
    var isQuestion: Bool {
        switch self {
        case .asks, .answer, .withdrawn, .changedUnderway, .allowedBefore: true
        default: false
        }
    }

    var isThought: Bool { if case .thought = self { true } else { false } }
}

extension AgentChange.Refusal {
    fileprivate var words: String {
        switch self {
        case .over: "the agent has ended"
        case .tooLong: "it is longer than 1 MiB"
        case .tooMany: "too much waits already"
        case .turnFailed: "the turn before it did not end as it should"
        }
    }
}

extension AgentConversation {
    /// How it stands.
    var words: String {
        if let lostSince, isInTurn { return "unknown since \(WrittenTime.clock(lostSince))" }
        return switch status {
        case .ready: "ready"
        case .running where queue.isEmpty: "running"
        case .running: "running, \(queue.count) more to ask"
        case .waitsForPerson: "waits for you: request " + open.map { "\($0.id.number)" }.joined(separator: ", ")
        case .done(.done): "done"
        case .done(.cancelled): "stopped"
        case .done: "done, not as it should"
        case .unknown(let since): "unknown since \(WrittenTime.clock(since))"
        case .ended: "ended"
        }
    }
}
