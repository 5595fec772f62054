/// What comes of something that a client or the owner of this machine did, or the agent said: to be told, or to be done.
package enum ServedChange: Sendable, Hashable {
    /// To be done: the agent gets this prompt.
    case send(String)
    /// To be done: a request is answered.
    case answer(ServedAnswer)

    /// A prompt waits for the end of the turn.
    case queued(String)
    /// A prompt is not asked.
    case refused(String, Refusal)
    /// A piece of the answer.
    case said(AgentText)
    /// A piece of what the agent thinks aloud.
    case thought(AgentText)
    /// A call of a tool is new or has changed.
    case called(AgentToolCall, before: AgentToolCall?)
    case planned([AgentPlanEntry])
    /// The person is asked.
    case asks(ServedRequest)
    /// The same was allowed for the whole conversation.
    case allowedBefore(ServedRequest)
    /// A request cannot be answered any more.
    case withdrawn(ServedRequest)
    /// What is asked for has become something else than what was shown, so it is rejected.
    case changedUnderway(ServedRequest)
    case used(AgentUsage)
    /// The agent cannot be heard any more; it is looked for.
    case lost
    /// It is heard again.
    case found
    case turnEnded(AgentStop)
    /// The agent is over. Nil: it was stopped from here.
    case ended(AgentError?)

    /// Why a prompt is not asked.
    package enum Refusal: Sendable, Hashable {
        case over
        case tooLong
        case tooMany
        case turnFailed
    }
}
