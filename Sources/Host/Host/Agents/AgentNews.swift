package import AppCore
import Catalogues

/// What is new in a session with an agent, to be shown.
package enum AgentNews: Equatable {
    /// A prompt goes to the agent.
    case asked(String)
    /// A prompt waits for the end of the turn.
    case queued(String)
    /// A prompt waits for the person, because the turn before it did not end as it should.
    case held(String)
    /// A piece of the answer.
    case said(CutText)
    /// A piece of what the agent thinks aloud.
    case thought(CutText)
    /// A call of a tool is new or has changed. `item` is the number under which it stands in the session.
    case called(AgentCall, before: AgentCall?, item: Int)
    case planned([AgentPlanStep])
    /// The person is asked.
    case asks(AgentQuestion)
    /// What became of a question, by the number that it has here.
    case decided(Int, AgentDecision)
    case used(tokens: Int, size: Int?)
    /// Something about the session that the person should know.
    case remark(Words)
    /// The end of the agent's log.
    case logged(CutText)
    /// The agent cannot be heard any more; it is looked for. The turn may go on.
    case silent(since: Timestamp)
    /// It is heard again.
    case heardAgain
    case turnEnded(AgentTurnEnd)
    /// The agent was lost in the middle of a turn.
    case lost(since: Timestamp, Failure?)

    /// Whether a person has to see it, wherever the answer goes.
    package var isQuestion: Bool {
        switch self {
        case .asks, .decided: true
        default: false
        }
    }

    package var isLog: Bool { if case .logged = self { true } else { false } }
    package var isThought: Bool { if case .thought = self { true } else { false } }
}

/// A question of an agent with the number by which it is answered here. A number is never used again in a conversation, so an answer cannot be for
/// something that was not shown when it was typed.
package struct AgentQuestion: Sendable, Equatable {
    package let number: Int
    package let approval: AgentApproval
}

/// What is known of a session, and what is new when it is looked at again.
package struct AgentFollower: Sendable {
    /// The number of the last item, and when something changed last: only what comes behind has to be looked at.
    package private(set) var last = 0
    package private(set) var changedAt = Timestamp(milliseconds: 0)
    package private(set) var session: AgentSession
    package private(set) var live: AgentTalk.Live
    /// Questions that wait for the person, with their numbers.
    package private(set) var questions: [AgentQuestion] = []
    private var items: [Int: Known] = [:]
    private var numbers = 0
    /// The last turn of which something was told, and whether its end was.
    private var turn: (number: Int, isOver: Bool)
    private var queue: [Int: Bool] = [:]
    /// Whether what was said in the session before it was taken up is new, too.
    private let tellsBefore: Bool

    /// What was told of an item.
    private enum Known: Equatable {
        /// So many bytes of a text, and so many that are left out.
        case text(bytes: Int, omitted: Int)
        case call(AgentCall)
        case other

        init(_ content: AgentItem.Content) {
            switch content {
            case .text(let text), .thought(let text):
                self = .text(bytes: text.text.utf8.count, omitted: text.omitted ?? 0)
            case .called(let call): self = .call(call)
            case .prompt, .decided, .begunAnew, .notTakenUp, .usedTool, .remarked, .logged: self = .other
            }
        }
    }

    /// Items that are remembered at least, to know what is new in them.
    private static let remembered = 256

    /// - Parameter first: the first turn in which all that was said and done is new.
    package init(_ talk: AgentTalk, from first: Int) {
        (session, live, tellsBefore) = (talk.session, talk.live, first < .max)
        let last = talk.session.turn
        // Of a turn that nothing is told of, the end is still to come if it is under way.
        turn = first < last ? (max(first - 1, 0), true) : (last, first > last && !talk.session.isInTurn)
        for item in talk.items where item.turn < first { remember(item) }
    }

    private mutating func remember(_ item: AgentItem) {
        last = max(last, item.id)
        changedAt = max(changedAt, item.changedAt)
        items[item.id] = Known(item.content)
        if items.count > Self.remembered * 2 {
            let oldest = items.keys.sorted().suffix(Self.remembered).first ?? 0
            items = items.filter { $0.key >= oldest }
        }
    }

    /// - Parameter talk: the session with all items from ``last`` on, and all that changed since ``changedAt``.
    package mutating func take(_ talk: AgentTalk) -> [AgentNews] {
        var (news, isRetelling, isTakenUp): ([AgentNews], Bool, Bool) = ([], false, false)
        let forgotten = talk.session.forgotten - session.forgotten
        if forgotten > 0, last > 0, talk.items.first?.id ?? last > last {
            // It came faster than it could be shown.
            news.append(.remark(.key("agent.forgotten", ["count": .count(forgotten)])))
        }
        // What stands in a terminal cannot be taken away again.
        if talk.session.rolledBack != session.rolledBack { news.append(.remark("agent.rolled_back")) }
        for item in talk.items where items[item.id] != Known(item.content) {
            if item.turn < turn.number, !isRetelling {
                isRetelling = true
                news.append(.remark("agent.retold"))
            }
            if item.turn > turn.number {
                // Of two turns at once, the first ended well: else the second would not have begun by itself.
                if !turn.isOver, turn.number > 0 { news.append(.turnEnded(AgentTurnEnd(.done))) }
                turn = (item.turn, false)
            }
            guard tellsBefore || item.turn > 0 else {
                remember(item)
                continue
            }
            // Nothing else ends it: it belongs to no turn.
            if item.turn == 0, Known(item.content) != .other { isTakenUp = true }
            news += self.news(of: item, before: items[item.id])
            remember(item)
        }
        if isTakenUp { news.append(.remark("agent.taken_up")) }
        news += waiting(in: talk.session)
        news += asked(in: talk.session)
        if talk.session.plan != session.plan, !talk.session.plan.isEmpty { news.append(.planned(talk.session.plan)) }
        if let tokens = talk.live.tokens, tokens != live.tokens || talk.live.window != live.window {
            news.append(.used(tokens: tokens, size: talk.live.window))
        }
        news += heard(in: talk.session)
        if let detail = talk.live.detail, detail != live.detail {
            news.append(.remark(.key("agent.remark", ["text": .said(detail)])))
        }
        if !talk.session.isInTurn, !turn.isOver, talk.session.turn == turn.number, turn.number > 0 {
            turn.isOver = true
            news.append(
                talk.session.status == .unknown
                    ? .lost(since: talk.session.unknownSince ?? talk.session.changedAt, talk.session.end?.failure)
                    : .turnEnded(talk.session.end ?? AgentTurnEnd(.other)))
        }
        (session, live) = (talk.session, talk.live)
        return news
    }

    private mutating func news(of item: AgentItem, before: Known?) -> [AgentNews] {
        switch (item.content, before) {
        case (.prompt(let text, let pictures), _):
            [.asked(text + (pictures ?? []).map { "\n[\($0.name.isEmpty ? $0.type : $0.name)]" }.joined())]
        case (.text(let text), .text(let bytes, let omitted)): [.said(text.behind(bytes, omitted))]
        case (.text(let text), _): [.said(text)]
        case (.thought(let text), .text(let bytes, let omitted)): [.thought(text.behind(bytes, omitted))]
        case (.thought(let text), _): [.thought(text)]
        case (.called(let now), .call(let before)): [.called(now, before: before, item: item.id)]
        case (.called(let call), _): [.called(call, before: nil, item: item.id)]
        case (.decided(let decision), _): [.decided(number(of: decision), decision)]
        case (.begunAnew, _): [.remark("agent.begun_anew")]
        case (.notTakenUp, _): [.remark("agent.not_taken_up")]
        case (.usedTool(let name, let isAllowed), _):
            [.remark(.key(isAllowed ? "agent.used_tool" : "agent.refused_tool", ["name": .said(name)]))]
        case (.remarked(let text), _): [.remark(.key("agent.remark", ["text": .said(text.text)]))]
        case (.logged(let text), _): [.logged(text)]
        }
    }

    /// A question that was decided before it could be shown gets the next number.
    private mutating func number(of decision: AgentDecision) -> Int {
        if let place = questions.firstIndex(where: { $0.approval.of == decision.of }) {
            return questions.remove(at: place).number
        }
        numbers += 1
        return numbers
    }

    private mutating func asked(in session: AgentSession) -> [AgentNews] {
        let open = Set(session.approvals.map(\.id))
        questions.removeAll { !open.contains($0.approval.id) }
        let known = Set(questions.map(\.approval.id))
        let new = session.approvals.filter { !known.contains($0.id) }.map { approval in
            numbers += 1
            return AgentQuestion(number: numbers, approval: approval)
        }
        questions += new
        return new.map(AgentNews.asks)
    }

    /// Whether an agent that is not on this machine can be heard. After its turn, how that ended is told.
    private func heard(in now: AgentSession) -> [AgentNews] {
        let wasHeard = !session.isInTurn || session.unknownSince == nil
        guard now.isInTurn, wasHeard != (now.unknownSince == nil) else { return [] }
        return [now.unknownSince.map { .silent(since: $0) } ?? .heardAgain]
    }

    private mutating func waiting(in session: AgentSession) -> [AgentNews] {
        let news = session.queue.compactMap { prompt -> AgentNews? in
            guard queue[prompt.id] != prompt.isHeld else { return nil }
            return prompt.isHeld ? .held(prompt.text) : queue[prompt.id] == nil ? .queued(prompt.text) : nil
        }
        queue = Dictionary(session.queue.map { ($0.id, $0.isHeld) }) { $1 }
        return news
    }
}

extension CutText {
    /// What came to it.
    /// - Parameters:
    ///   - bytes: of the text that were there; a character of several scalars may have come in pieces.
    ///   - missing: bytes that were left out before.
    fileprivate func behind(_ bytes: Int, _ missing: Int) -> CutText {
        CutText(String(decoding: text.utf8.dropFirst(bytes), as: UTF8.self), omitted: (omitted ?? 0) - missing)
    }
}

extension AgentTurnEnd {
    /// What a person is told; nil if there is nothing to say.
    package var sentence: String? {
        switch reason {
        case .done: nil
        case .tokenLimit: "It stopped at its limit of tokens."
        case .requestLimit: "It stopped after as many steps as it takes in one turn."
        case .refused: "It refused."
        case .stopped: "Stopped."
        case .failed: failure?.explanation ?? "It failed."
        case .other: "It stopped for a reason of its own."
        }
    }
}

extension Failure {
    /// What a person reads: the agent's host says more than the code does.
    package var explanation: String { message.isEmpty ? sentence : message }
}
