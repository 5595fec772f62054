import AppCore
import Catalogues
import Host

/// What is new in a session, as lines for a person.
extension AgentScreen {
    /// - Returns: nil for what is not shown.
    func text(_ news: AgentNews) -> TerminalText? {
        switch news {
        case .asked(let prompt): "> \(.text(prompt, margin: "  "))"
        case .queued(let prompt): "> \(.text(prompt, margin: "  "))  [waits for the end of the turn]"
        case .held(let prompt):
            "! Not asked: the turn before it did not end as it should. You wrote: \(.text(prompt, margin: "  "))\n"
                + "  /ask asks it now, /drop withdraws it"
        case .thought: "~ thinks…  (/thoughts shows what)"
        case .called(let call, let before, _): Self.text(call, before)
        case .planned(let steps): Self.text(steps)
        case .asks(let question): question.text(withAnswers: isSomebodyThere)
        case .decided(let number, let decision): Self.text(number, decision)
        case .remark(let words): "* \(words.english)"
        case .logged(let text): "* its log ends with:\n  \(.text(text.text, margin: "  "))"
        case .silent: "! The connection broke; what the agent does is not known. It is tried again."
        case .heardAgain: "* The connection is back."
        case .turnEnded(let end): end.sentence.map { "* \($0)" }
        case .lost(let since, let failure):
            "! \(failure?.explanation ?? "The agent was lost"); what it did after that is unknown since "
                + "\(WrittenTime.clock(since.milliseconds))"
        case .said, .used: nil
        }
    }

    /// A call is told when it begins, and when it is over or its words change.
    private static func text(_ call: AgentCall, _ before: AgentCall?) -> TerminalText? {
        guard before == nil || call.name != before?.name || call.status != before?.status else { return nil }
        let paths = (call.paths ?? []).prefix(3).map { " \($0)" }.joined()
        let status = call.status.map { $0 == "in_progress" ? "running" : $0 } ?? "running"
        return "* \(call.name)\(paths)  [\(status)]"
    }

    private static func text(_ plan: [AgentPlanStep]) -> TerminalText {
        let marks = ["completed": "x", "in_progress": ">"]
        let lines: [TerminalText] = plan.map { "    [\(marks[$0.status] ?? " ")] \($0.content)" }
        return .joined(["* Plan"] + lines, by: "\n")
    }

    private static func text(_ number: Int, _ decision: AgentDecision) -> TerminalText {
        switch decision.verdict {
        case .once, .always, .lasting: "* Request \(number): allowed."
        case .given: "* Request \(number): given."
        case .reject: "* Request \(number): rejected."
        case .onceByMember: "* Request \(number): allowed by the person with whom you share the agent."
        case .rejectedByMember: "* Request \(number): rejected by the person with whom you share the agent."
        case .before: "* Allowed, as you said for this session: \(decision.title)"
        case .allowedByPolicy: "* Allowed, as the settings of the session say: \(decision.title)"
        case .rejectedByPolicy: "* Rejected, as the settings of the session say: \(decision.title)"
        case .expired: "! Request \(number): nobody answered in time, so it was rejected."
        case .changed: "! Request \(number) became another one after it was shown."
        case .gone: "* Request \(number) is gone; nothing was allowed."
        }
    }
}

extension AgentFollower {
    /// How it stands.
    var words: String {
        let waiting = session.queue.count { !$0.isHeld }
        return switch session.shownStatus {
        case .ready: "ready"
        case .running where live.isStopping: "stopping"
        case .running where !live.isStarted: "starting"
        case .running where waiting == 0: "running"
        case .running: "running, \(waiting) more to ask"
        case .waits: "waits for you: request " + questions.map { "\($0.number)" }.joined(separator: ", ")
        case .done where session.end?.reason ?? .done == .done: "done"
        case .done: "done, not as it should"
        case .stopped: "stopped"
        case .unknown: "unknown since \(WrittenTime.clock((session.unknownSince ?? session.changedAt).milliseconds))"
        }
    }
}
