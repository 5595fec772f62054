/// What comes of something that a client or the owner of this machine did, or the agent said: to be told, or to be done.
package enum ServedChange: Sendable, Hashable {
    /// To be done: the agent gets this prompt.
    case send(AgentPrompt)
    /// To be done: a request is answered.
    case answer(ServedAnswer)

    /// A prompt waits for the end of the turn.
    case queued(AgentPrompt)
    /// A prompt is not asked.
    case refused(AgentPrompt, Refusal)
    /// A piece of the answer.
    case said(AgentText)
    /// A piece of what the agent thinks aloud.
    case thought(AgentText)
    /// The text since the last call of a tool does not count; with `whole` neither does anything else of the message that is under way.
    case rolledBack(whole: Bool)
    /// A call of a tool is new or has changed.
    case called(AgentToolCall, before: AgentToolCall?)
    case planned([AgentPlanEntry])
    /// What the agent tells beside its answer.
    case remarked(AgentText)
    /// The person is asked.
    case asks(ServedRequest)
    /// A tool wants to be given something: by whoever uses the agent, since the owner of this machine knows nothing of it.
    case wants(ServedRequest)
    /// To be done: a tool is given something, which is kept nowhere.
    case give(AgentPermission.ID, String)
    /// A request cannot be answered any more.
    case withdrawn(ServedRequest)
    /// Nobody answered a request in time, so it is rejected.
    case expired(ServedRequest)
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
