// What is said to an agent in the middle of its turn, if it takes that: one message at a time.

extension AgentTalk {
    /// A prompt that waited and was given to the agent in the middle of its turn.
    struct Interjection: Sendable, Hashable, Codable {
        let prompt: Int
        /// Whether it is being taken back, to wait or to be withdrawn; `nil` for no.
        var isTakenBack: Bool?
        var isWithdrawn: Bool?
    }

    /// Whether something can be said now in the middle of its turn.
    var canInterject: Bool {
        live.takesInterjections == true && live.interjection == nil && isReachedInTurn
    }

    /// Whether this prompt was given to the agent in the middle of its turn, and it is not known whether it was read.
    package func isInterjecting(_ prompt: Int) -> Bool { live.interjection?.prompt == prompt }

    /// Whether a tool runs that can be sent into the background.
    package var canSendToBackground: Bool {
        guard live.takesInterjections == true, isReachedInTurn else { return false }
        let item = items.last { if case .called = $0.content { true } else { false } }
        guard let item, item.turn == session.turn, case .called(let call) = item.content else { return false }
        return call.status == "in_progress"
    }

    private var isReachedInTurn: Bool {
        session.isInTurn && session.guest == nil && !live.isStopping && live.isAway != true
    }
}

extension AppState {
    mutating func interjectPrompt(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.canInterject,
            let index = talk.session.queue.firstIndex(where: { $0.id == prompt }),
            talk.session.queue[index].pictures == nil
        else { return }
        talks[id]?.live.interjection = AgentTalk.Interjection(prompt: prompt)
        // If this process ends now, nobody knows whether it was read.
        talks[id]?.session.queue[index].isUnsure = true
        context.changed(.agentSession(id))
        issue(.interject(session: id, prompt: prompt, text: talk.session.queue[index].text), &context)
    }

    /// The agent may have read it: until the end of the turn that is not known.
    /// - Parameter isWithdrawn: whether it is not to be asked later either.
    mutating func takeBackPrompt(
        _ id: AgentSessionID, _ prompt: Int, isWithdrawn: Bool = false, _ context: inout DispatchContext
    ) {
        guard let known = talks[id]?.live.interjection, known.prompt == prompt else { return }
        if isWithdrawn { talks[id]?.live.interjection?.isWithdrawn = true }
        guard known.isTakenBack == nil else { return }
        talks[id]?.live.interjection?.isTakenBack = true
        issue(.takeBackInterjection(session: id, prompt: prompt), &context)
    }

    mutating func sendToolToBackground(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard talks[id]?.canSendToBackground == true else { return }
        issue(.sendToolToBackground(session: id), &context)
    }

    /// The agent has read it, and it stands where that was; or it never will, and waits for the end of the turn. Of a turn that was stopped the first may
    /// be told after its end.
    mutating func interjected(_ prompt: Int, isRead: Bool, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let queued = talks[id]?.session.queue.first(where: { $0.id == prompt }) else { return }
        guard isRead else { return settleInterjection(id, prompt, &context) }
        if talks[id]?.live.interjection?.prompt == prompt { talks[id]?.live.interjection = nil }
        talks[id]?.session.queue.removeAll { $0.id == prompt }
        add(.prompt(text: queued.text, pictures: nil), to: id, &context)
    }

    mutating func interjectionFailed(
        _ effect: EffectID, _ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        guard talks[id]?.live.interjection?.prompt == prompt else { return }
        settleInterjection(id, prompt, &context)
        notify(.problem, Wording.agentNotInterjected, context)
    }

    /// It was not read.
    private mutating func settleInterjection(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        guard let known = talks[id]?.live.interjection, known.prompt == prompt else { return }
        talks[id]?.live.interjection = nil
        if known.isWithdrawn == true {
            talks[id]?.session.queue.removeAll { $0.id == prompt }
        } else if let index = talks[id]?.session.queue.firstIndex(where: { $0.id == prompt }) {
            talks[id]?.session.queue[index].isUnsure = nil
        }
        context.changed(.agentSession(id))
    }

    /// The turn is over, and nobody said whether it was read: the person decides whether it is asked.
    mutating func holdInterjection(_ id: AgentSessionID) {
        guard let known = talks[id]?.live.interjection else { return }
        talks[id]?.live.interjection = nil
        if known.isWithdrawn == true { talks[id]?.session.queue.removeAll { $0.id == known.prompt } }
        guard let index = talks[id]?.session.queue.firstIndex(where: { $0.id == known.prompt }) else { return }
        talks[id]?.session.queue[index].isHeld = true
    }
}
