// What is said to an agent in the middle of its turn, if it takes that: one message at a time.

extension AgentTalk {
    /// A prompt that waited and was given to the agent in the middle of its turn.
    struct Interjection: Sendable, Hashable, Codable {
        let prompt: Int
        /// Whether it is being taken back; `nil` for no.
        var isTakenBack: Bool?
    }

    /// Whether something can be said now in the middle of its turn.
    var canInterject: Bool {
        live.takesInterjections == true && live.interjection == nil && isReachedInTurn
    }

    /// Whether this prompt was given to the agent in the middle of its turn, which has not read it.
    package func isInterjecting(_ prompt: Int) -> Bool { live.interjection?.prompt == prompt }

    /// Whether a tool runs that can be sent into the background.
    package var canSendToBackground: Bool {
        guard live.takesInterjections == true, isReachedInTurn else { return false }
        let call = items.last { if case .called = $0.content { true } else { false } }
        guard case .called(let call)? = call?.content else { return false }
        return call.status == "in_progress"
    }

    private var isReachedInTurn: Bool {
        session.isInTurn && session.guest == nil && !live.isStopping && live.isAway != true
    }
}

extension AppState {
    mutating func interjectPrompt(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.canInterject,
            let queued = talk.session.queue.first(where: { $0.id == prompt }), queued.pictures == nil
        else { return }
        talks[id]?.live.interjection = AgentTalk.Interjection(prompt: prompt)
        issue(.interject(session: id, prompt: prompt, text: queued.text), &context)
    }

    mutating func takeBackPrompt(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        guard let known = talks[id]?.live.interjection, known.prompt == prompt, known.isTakenBack == nil else { return }
        talks[id]?.live.interjection?.isTakenBack = true
        issue(.takeBackInterjection(session: id, prompt: prompt), &context)
    }

    mutating func sendToolToBackground(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard talks[id]?.canSendToBackground == true else { return }
        issue(.sendToolToBackground(session: id), &context)
    }

    /// The agent has read it, and it stands where that was; or it never will, and waits for the end of the turn.
    mutating func interjected(_ prompt: Int, isRead: Bool, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.live.interjection?.prompt == prompt else { return }
        talks[id]?.live.interjection = nil
        guard isRead, let queued = talk.session.queue.first(where: { $0.id == prompt }) else { return }
        talks[id]?.session.queue.removeAll { $0.id == prompt }
        add(.prompt(text: queued.text, pictures: nil), to: id, &context)
    }

    mutating func interjectionFailed(
        _ effect: EffectID, _ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        guard talks[id]?.live.interjection?.prompt == prompt else { return }
        talks[id]?.live.interjection = nil
        notify(.problem, Wording.agentNotInterjected, context)
    }
}
