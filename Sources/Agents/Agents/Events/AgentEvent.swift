internal import Wire

/// What an agent says or does. All texts are a stranger's, and bounded by ``AgentLimits``.
package enum AgentEvent: Sendable, Hashable {
    /// A piece of the answer.
    case text(AgentText)
    /// A piece of what the agent thinks aloud.
    case reasoning(AgentText)
    /// The text since the last call of a tool does not count: what is meant follows. With `whole` the agent asks its model again, and nothing of the
    /// message counts: neither what it thought, nor calls that did not begin.
    case rolledBack(whole: Bool)
    /// A piece of an earlier prompt, when an agent shows a session anew.
    case userText(AgentText)
    /// A call of a tool begins, or is told again as a whole.
    case toolCall(AgentToolCall)
    /// A call has changed; what is nil stays as it was.
    case toolCallChanged(AgentToolCall)
    /// A piece of what a tool is given, for models that spell it out.
    case toolInput(id: String, AgentText)
    /// The whole plan, which replaces the one before.
    case plan([AgentPlanEntry])
    /// The agent asks whether it may, and waits.
    case permission(AgentPermission)
    /// A request is not open any more, because the agent took it back or the turn was cancelled.
    case permissionGone(AgentPermission.ID)
    case usage(AgentUsage)
    /// The agent works in another way now.
    case mode(String)
    /// It is in its session. `thread` is its name for it, if it can go on with it another time; `goesOn` says whether it knows what was said in it
    /// before. Told by agents that can, or were asked to.
    case opened(thread: String?, goesOn: Bool)
    /// What it tells of its session, in order, after it was started anew: also what is known here.
    case retold([AgentRetoldPart])
    /// What a person can choose.
    case setting(AgentSetting)
    /// The person's choice holds now.
    case chosen(AgentSetting.Kind, String)
    /// The session has another title.
    case title(String)
    /// What is going on, for as long as nothing else is said: what is waited for, for example.
    case detail(String)
    /// Something that a person should see beside the answer, in the other side's words. Also what this version does not know.
    case remark(AgentText)
    /// Something that this version does not show, by the protocol's name for it.
    case other(String)
    /// Something that could not be read, and was passed over.
    case unreadable(String)
    case turnEnded(AgentStop)
    /// What is to be known of the connection to an agent that is not in this process.
    case link(AgentLinkEvent)
    /// The agent is over: nothing follows. Nil: it was stopped by us.
    case ended(AgentError?)
}

/// What is to be known of the connection to an agent that is not in this process: behind a gateway, of somebody else, or under a supervisor.
package enum AgentLinkEvent: Sendable, Hashable {
    /// It runs under this supervisor, from which another process of this host can go on with it.
    case supervised(by: String)
    /// Everything up to this event of its owner's or its supervisor's log was told.
    case position(Int)
    /// The connection is down: what the agent does is not known; it may go on.
    case away
    /// The connection is back, and everything of the meantime was told.
    case back
    /// The agent began anew since, and knows nothing of what was said.
    case anew
    /// The request was not open any more when the answer came.
    case tooLate(AgentPermission.ID)
    /// What became of a message that was given to it in the middle of a turn: it has read it, or it was taken back and never will.
    case interjected(Int, isRead: Bool)
}

/// A text of an agent, and how many bytes of it were left out.
package struct AgentText: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String
    package let omitted: Int

    package init(_ text: String, limit: Int = AgentLimits.textBytes) {
        let count = text.utf8.count
        guard count > limit else {
            (self.text, omitted) = (text, 0)
            return
        }
        let kept = text.beginning(bytes: limit)
        (self.text, omitted) = (kept, count - kept.utf8.count)
    }

    package init(stringLiteral value: String) { self.init(value) }

    /// A text of which so many bytes were left out before.
    init(_ text: String, omitted: Int, limit: Int = AgentLimits.textBytes) {
        let cut = AgentText(text, limit: limit)
        let (sum, overflow) = cut.omitted.addingReportingOverflow(max(omitted, 0))
        (self.text, self.omitted) = (cut.text, overflow ? .max : sum)
    }

    /// A name or id, cut.
    static func name(_ text: String) -> String { AgentText(text, limit: AgentLimits.nameBytes).text }
}

/// A call of a tool, as it is known. Nil members are unchanged.
package struct AgentToolCall: Sendable, Hashable {
    /// What came of it.
    package enum Result: Sendable, Hashable {
        case text(AgentText)
        case difference(path: String, old: AgentText?, new: AgentText)
        /// Something that is not shown, by the protocol's name for it.
        case other(String)
    }

    package var id: String
    package var title: String?
    /// `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `other`, or a word that is not known here.
    package var kind: String?
    /// `pending`, `in_progress`, `completed`, `failed`, or a word that is not known here.
    package var status: String?
    /// What it is given, as JSON.
    package var input: AgentText?
    /// What it returned, as JSON.
    package var output: AgentText?
    package var results: [Result]?
    /// Paths that it is about; they may be anything.
    package var paths: [String]?

    package init(id: String, title: String? = nil, status: String? = nil) {
        (self.id, self.title, self.status) = (AgentText.name(id), title.map(AgentText.name), status)
    }
}

extension AgentToolCall {
    /// About the bytes that it takes, whatever they are in.
    var bytes: Int {
        let texts = [input, output].compactMap(\.self).reduce(title?.utf8.count ?? 0) { $0 + $1.text.utf8.count }
        let places = (paths ?? []).reduce(0) { $0 + 32 + $1.utf8.count }
        return (results ?? []).reduce(texts + places) { sum, result in
            switch result {
            case .text(let text): sum + 64 + text.text.utf8.count
            case .difference(let path, let old, let new):
                sum + 64 + path.utf8.count + (old?.text.utf8.count ?? 0) + new.text.utf8.count
            case .other(let name): sum + 64 + name.utf8.count
            }
        }
    }
}

/// A step of a plan.
package struct AgentPlanEntry: Sendable, Hashable {
    package var content: String
    package var priority: String
    package var status: String
}

/// A question whether the agent may do something. It stays open until it is answered, or the turn is cancelled.
package struct AgentPermission: Sendable, Hashable, Identifiable {
    /// Given here, so that the agent cannot choose it: a number that is never used twice by one agent.
    package struct ID: Sendable, Hashable {
        package let number: Int

        package init(number: Int) { self.number = number }
    }

    /// One answer.
    package struct Option: Sendable, Hashable {
        package var id: String
        /// The agent's own words for it.
        package var name: String
        /// `allow_once`, `allow_always`, `reject_once`, `reject_always`, or a word that is not known here.
        package var kind: String
    }

    package let id: ID
    /// What is asked for, as it is to be shown: the answer is for this and nothing else.
    package let toolCall: AgentToolCall
    package var options: [Option]
    /// What a tool wants to be given instead; nil if the agent wants an answer.
    package let input: Input?

    /// What a tool wants to be given.
    package enum Input: Sendable, Hashable {
        case text
        /// Something that nobody may see, like a password.
        case secret
    }

    init(id: ID, toolCall: AgentToolCall, options: [Option], input: Input? = nil) {
        (self.id, self.toolCall, self.options, self.input) = (id, toolCall, options, input)
    }
}

/// Tokens that were taken. What the agent does not tell is nil.
package struct AgentUsage: Sendable, Hashable {
    package var input: Int?
    package var output: Int?
    /// Of the context window.
    package var used: Int?
    /// The size of the context window.
    package var size: Int?

    package init(input: Int? = nil, output: Int? = nil, used: Int? = nil, size: Int? = nil) {
        (self.input, self.output, self.used, self.size) = (input, output, used, size)
    }
}

/// Why a turn is over.
package enum AgentStop: Sendable, Hashable {
    /// The agent has said what it had to say.
    case done
    case tokenLimit
    case requestLimit
    case refused
    case cancelled
    /// The turn failed; the agent can be asked again.
    case failed(AgentError)
    /// Another word of the protocol.
    case other(String)
}
