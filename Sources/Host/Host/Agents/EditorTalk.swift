package import AgentProtocols
package import AppCore
import Catalogues

/// A session as an editor is told of it over the Agent Client Protocol: what is new in it becomes updates, requests, and the end of what the editor
/// asked. A plain value.
package struct EditorTalk: Sendable {
    /// What the editor has to be told.
    package enum Step: Sendable, Equatable {
        case tell(ACPUpdate)
        /// The person there is asked, too.
        case ask(AgentApproval, ACPToolCall, [ACPPermissionRequest.Option])
        /// What the person there was asked is decided: the approval of this number.
        case withdraw(approval: Int)
        /// What the editor asked is over.
        case end(PromptEnd)
    }

    /// How a prompt of the editor ended.
    package enum PromptEnd: Sendable, Equatable {
        /// With a reason of the protocol.
        case stopped(String)
        /// In words for the person.
        case failed(String)
        /// The turn before it did not end as it should: the prompt of this number waits in the session, and was not asked.
        case held(Int)
    }

    /// A prompt of the editor.
    private struct Own: Sendable {
        let text: String
        /// The turn that it began; nil while it waits.
        var turn: Int?
        /// Whether it was seen among those that wait.
        var isQueued = false
        var isCancelled = false
    }

    private var follower: AgentFollower
    private var own: Own?
    /// The numbers of approvals that the editor was asked about.
    private var asked: Set<Int> = []
    /// Where calls of the turn stand in the session, by the agent's ids, which it may use again in the next turn.
    private var calls: [String: Int] = [:]

    /// Calls of a turn that are known by the agent's ids.
    private static let known = 1024

    /// - Parameter tells: whether everything that was said and done is to be told.
    package init(_ talk: AgentTalk, tells: Bool) { follower = AgentFollower(talk, from: tells ? 0 : .max) }

    package var session: AgentSession { follower.session }
    /// The number of the last item that is known, and when something changed last.
    package var last: Int { follower.last }
    package var changedAt: Timestamp { follower.changedAt }
    /// Whether a prompt of the editor is not over.
    package var isAsking: Bool { own != nil }

    /// The editor asks. What it shows already is not told to it again.
    package mutating func ask(_ text: String) { own = Own(text: text.said) }
    /// It could not be asked.
    package mutating func forgetPrompt() { own = nil }
    /// Whether the editor has cancelled what it asked.
    package var isCancelled: Bool { own?.isCancelled == true }

    /// Looks whether the prompt waits for the end of a turn: then it may be withdrawn elsewhere.
    package mutating func noteQueued(in now: AgentSession) {
        if own?.turn == nil, now.queue.contains(where: { $0.text == own?.text }) { own?.isQueued = true }
    }

    /// The editor wants the turn to end.
    /// - Parameter now: the session as it is.
    /// - Returns: the prompt of its own that waits for its turn, to be withdrawn.
    package mutating func cancel(in now: AgentSession) -> Int? {
        own?.isCancelled = true
        guard let own, own.turn == nil, let waiting = now.queue.first(where: { $0.text == own.text }) else {
            return nil
        }
        self.own?.isQueued = true
        return waiting.id
    }

    /// - Parameter talk: the session with all items from ``last`` on, and all that changed since ``changedAt``.
    package mutating func take(_ talk: AgentTalk) -> [Step] {
        let before = follower.session
        var echo = takeUp(talk)
        var steps: [Step] = []
        for news in follower.take(talk) {
            if case .asked(let text) = news, let own = echo, text.hasPrefix(own) {
                echo = nil
                calls = [:]
            } else {
                steps += self.steps(news)
            }
        }
        steps += settings(since: before)
        let open = Set(session.approvals.map(\.id))
        steps += asked.subtracting(open).sorted().map(Step.withdraw)
        asked.formIntersection(open)
        if let end = end() {
            own = nil
            steps.append(.end(end))
        }
        return steps
    }

    /// What an editor that begins to follow has to be told.
    /// - Parameter talk: the same session as at the beginning.
    package mutating func open(_ talk: AgentTalk, tells: Bool) -> [Step] {
        var steps: [Step] = []
        if tells, session.forgotten > 0 {
            steps.append(Self.note("\(session.forgotten) older parts are not kept any more."))
        }
        steps += take(talk)
        if tells, !session.plan.isEmpty { steps.append(.tell(ACPUpdate(.plan(session.plan.map(\.planEntry))))) }
        if !session.title.isEmpty { steps.append(.tell(ACPUpdate(.info(title: session.title)))) }
        return steps
    }

    // MARK: The editor's prompt

    /// Looks whether it has begun.
    /// - Returns: its text, which the editor knows.
    private mutating func takeUp(_ talk: AgentTalk) -> String? {
        guard let text = own?.text, own?.turn == nil else { return nil }
        for item in talk.items where item.id > follower.last {
            if case .prompt(text, _) = item.content {
                own?.turn = item.turn
                return text
            }
        }
        return nil
    }

    private mutating func end() -> PromptEnd? {
        guard let own else { return nil }
        guard let turn = own.turn else {
            guard let queued = session.queue.first(where: { $0.text == own.text }) else {
                // It was withdrawn elsewhere.
                return own.isQueued ? .stopped("cancelled") : nil
            }
            self.own?.isQueued = true
            return queued.isHeld ? .held(queued.id) : nil
        }
        // Another one would not have begun by itself if this one had not ended well.
        if session.turn > turn { return .stopped(own.isCancelled ? "cancelled" : "end_turn") }
        guard !session.isInTurn else { return nil }
        guard session.status != .unknown else {
            // A client has to hear that of what it cancelled, whatever became of the agent.
            if own.isCancelled { return .stopped("cancelled") }
            let why = session.end?.failure?.explanation ?? "The agent was lost"
            return .failed("\(why); what it did after that is not known")
        }
        let end = session.end ?? AgentTurnEnd(.other)
        switch end.reason {
        case .done, .other: return .stopped("end_turn")
        case .tokenLimit: return .stopped("max_tokens")
        case .requestLimit: return .stopped("max_turn_requests")
        case .refused: return .stopped("refusal")
        case .stopped: return .stopped("cancelled")
        case .failed: return own.isCancelled ? .stopped("cancelled") : .failed(end.sentence ?? "It failed.")
        }
    }

    // MARK: What is new

    private mutating func steps(_ news: AgentNews) -> [Step] {
        switch news {
        case .asked(let text):
            calls = [:]
            return [.tell(ACPUpdate(.userText(ACPContent(text: text))))]
        case .said(let text): return Self.told(text) { .agentText($0) }
        case .thought(let text): return Self.told(text) { .thought($0) }
        case .called(let call, let before, let item):
            // Of an agent that makes any number of calls in one turn, the newest are known by its ids.
            if calls.count >= Self.known { calls = calls.filter { $0.value > item - Self.known / 2 } }
            calls[call.id] = item
            let now = call.toolCall("call-\(item)")
            guard let before else { return [.tell(ACPUpdate(.toolCall(now)))] }
            let change = now.change(since: before.toolCall(now.id))
            return change.map { [.tell(ACPUpdate(.toolCallChanged($0)))] } ?? []
        case .planned(let steps): return [.tell(ACPUpdate(.plan(steps.map(\.planEntry))))]
        case .asks(let question): return ask(question.approval)
        case .used(let tokens, let size?): return [.tell(ACPUpdate(.usage(used: tokens, size: size)))]
        case .remark(let words): return [Self.note(words.english)]
        case .logged(let text): return [Self.note("Its log ends with:\n\(text.text)")]
        case .silent: return [Self.note("The connection broke; what the agent does is not known. It is tried again.")]
        case .heardAgain: return [Self.note("The connection is back.")]
        // The end of the editor's own turn answers its prompt.
        case .turnEnded(let end) where own == nil: return end.sentence.map { [Self.note($0)] } ?? []
        case .lost(_, let failure) where own?.isCancelled ?? true:
            let why = failure?.explanation ?? "The agent was lost"
            return [Self.note("\(why); what it did after that is not known.")]
        case .decided(_, let decision): return Self.told(decision)
        case .queued, .held, .used(_, nil), .turnEnded, .lost: return []
        }
    }

    private static func told(_ text: CutText, _ kind: (ACPContent) -> ACPUpdate.Kind) -> [Step] {
        let piece = text.text.isEmpty ? [] : [Step.tell(ACPUpdate(kind(ACPContent(text: text.text))))]
        return piece + (text.omitted.map { [note("\($0) bytes more are left out here.")] } ?? [])
    }

    /// What was decided without asking anybody: an editor has no other way to learn of it.
    private static func told(_ decision: AgentDecision) -> [Step] {
        let why: String? =
            switch decision.verdict {
            case .allowedByPolicy: "Allowed, as the policies of this session say"
            case .before: "Allowed, as you said for this session"
            case .rejectedByPolicy: "Rejected, as the policies of this session say"
            default: nil
            }
        return why.map { [note("\($0): \(decision.title.withControlsShown)")] } ?? []
    }

    /// Something of ours, in a paragraph of its own.
    package static func note(_ words: String) -> Step {
        let quoted = words.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n> ")
        return .tell(ACPUpdate(.agentText(ACPContent(text: "\n\n> Alcove: \(quoted)\n\n"))))
    }

    private mutating func ask(_ approval: AgentApproval) -> [Step] {
        guard approval.input == nil else {
            // An editor would show it, and might keep it.
            return [
                Self.note(
                    "A tool wants to be given something, such as a password. That does not go through an editor: answer in the"
                        + " page of Alcove (`alcove open`), or in a terminal with `alcove agent chat \(session.agentName)"
                        + " --session \(session.id.text.prefix(8))`.")
            ]
        }
        asked.insert(approval.id)
        let id = calls[approval.call.id].map { "call-\($0)" } ?? "request-\(approval.id)"
        return [.ask(approval, approval.call.askedCall(id), approval.choices.map(\.option))]
    }

    private func settings(since before: AgentSession) -> [Step] {
        var steps: [Step] = []
        if session.title != before.title { steps.append(.tell(ACPUpdate(.info(title: session.title)))) }
        guard session.choosers != before.choosers else { return steps }
        steps.append(.tell(ACPUpdate(.configOptions(session.settings.map(\.option)))))
        if let mode = session.settings.first(where: { $0.kind == .mode })?.current,
            mode != before.settings.first(where: { $0.kind == .mode })?.current
        {
            steps.append(.tell(ACPUpdate(.mode(mode))))
        }
        return steps
    }
}

extension AgentSession {
    /// What can be chosen in it, in the words of the Agent Client Protocol.
    package var settings: [ACPSetting] {
        (choosers ?? []).map { chooser in
            ACPSetting(
                chooser.kind == .mode ? .mode : .model, current: chooser.current,
                options: chooser.options.map { ACPSetting.Option(id: $0.id, name: $0.name) })
        }
    }
}
