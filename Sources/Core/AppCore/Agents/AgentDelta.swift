/// What an agent says or does, as the host tells it. All texts are a stranger's.
package enum AgentDelta: Sendable, Hashable, Tagged {
    /// A piece of the answer.
    case text(text: CutText)
    /// A piece of what it thinks aloud.
    case thought(text: CutText)
    /// The text since the last call of a tool does not count: what is meant follows. With `whole` neither do thoughts since the last call that began,
    /// nor calls that did not.
    case rolledBack(whole: Bool)
    /// A call of a tool: as a whole, or what has changed about it.
    case called(call: AgentCall, whole: Bool)
    /// The whole plan, which replaces the one before.
    case planned(steps: [AgentPlanStep])
    /// It asks whether it may, and waits. The numbers of one agent only go up.
    /// With `input` it wants to be given something instead: a tool's question for a password, for example.
    case asks(request: Int, call: AgentCall, options: [AgentApproval.Option], input: AgentApproval.Input? = nil)
    /// A request is not open any more.
    case withdrew(request: Int)
    /// Tokens of the context window that are taken, and its size.
    case used(tokens: Int, size: Int?)
    case titled(title: String)
    /// It is in its session. `thread` is its own name for it, if it can go on with it another time; `goesOn` says whether it knows what was said
    /// before.
    case opened(thread: String?, goesOn: Bool)
    /// What it lets the person choose of one kind, and what holds now.
    case offers(chooser: AgentChooser)
    /// Something else holds now of what can be chosen.
    case chose(kind: AgentChooser.Kind, option: String)
    /// Whether it takes pictures in prompts.
    case seesPictures(sees: Bool)
    /// What it tells of the session after it was started anew: what was said and done, in order, also what is known here.
    case retold(parts: [AgentRetold])
    /// What is going on, for as long as it says and does nothing else. Empty: nothing more is known.
    case detailed(text: String)
    /// Something that it has to tell beside its answer, also what this version does not know.
    case remarked(text: CutText)
    /// The last of what it wrote into its log before it ended.
    case logged(text: CutText)
    // What is to be known of the connection to an agent that is not in this process: behind a gateway, of somebody else, or under a supervisor.

    /// It runs under this supervisor, from which the next process can go on with it.
    case supervised(by: String)
    /// Everything up to this event of its owner's or its supervisor's log was told.
    case position(position: Int)
    /// The connection is down: what the agent does is not known.
    case away
    /// It is back, and everything of the meantime was told.
    case back
    /// The agent began anew.
    case anew
    /// The owner had decided when the answer came.
    case tooLate(request: Int)
    /// It takes messages in the middle of a turn.
    case takesInterjections
    /// What became of one: it was read, or never will be.
    case interjected(prompt: Int, isRead: Bool)
    /// The turn of this number is over.
    case turnEnded(turn: Int, end: AgentTurnEnd)
}

extension AgentDelta {
    /// Whether only an agent that has started says it. The others are of the way to it, and of its end.
    var isOfRunningAgent: Bool {
        switch self {
        case .supervised, .position, .logged, .away, .back, .takesInterjections: false
        default: true
        }
    }
}

/// A step of a plan.
package struct AgentPlanStep: Sendable, Hashable, Codable {
    package var content: String
    /// `pending`, `in_progress`, `completed`, or a word that is not known here.
    package var status: String

    package init(content: String, status: String) {
        self.content = content
        self.status = status
    }

    var fitted: AgentPlanStep { AgentPlanStep(content: content.agentName, status: status.agentName) }
    var isDone: Bool { status == "completed" }
}

/// Why a turn is over.
package struct AgentTurnEnd: Sendable, Hashable, Codable {
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The agent has said what it had to say.
        case done
        case tokenLimit = "token_limit"
        case requestLimit = "request_limit"
        case refused
        /// The person stopped it.
        case stopped
        /// It failed; the agent can be asked again.
        case failed
        case other
    }

    package var reason: Reason
    /// Why it failed.
    package var failure: Failure?

    package init(_ reason: Reason, _ failure: Failure? = nil) {
        self.reason = reason
        self.failure = failure
    }
}

extension AgentTurnEnd.Reason: Codable {
    package init(from decoder: any Decoder) throws {
        self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .other
    }
}
