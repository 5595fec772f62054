// What agents say and do, and how their turns end.

extension AppState {
    mutating func agentStarted(_ effect: EffectID) {
        if let id = talk(under: effect) { talks[id]?.live.isStarted = true }
    }

    /// The session whose agent runs under this effect.
    private func talk(under effect: EffectID) -> AgentSessionID? {
        guard case .startAgentSession(let id, _, _, _) = pendingEffects[effect], talks[id]?.live.effect == effect else {
            return nil
        }
        return id
    }

    /// - Parameter first: how many deltas were told under this effect before these.
    mutating func agentTold(
        _ effect: EffectID, _ deltas: [AgentDelta], after first: Int, _ context: inout DispatchContext
    ) {
        guard let id = talk(under: effect), let heard = talks[id]?.live.heard else { return }
        let first = max(first, 0)
        if deltas.contains(where: \.isOfRunningAgent) { talks[id]?.live.isStarted = true }
        talks[id]?.live.heard = max(heard, first.clampedSum(deltas.count))
        for delta in deltas.dropFirst(max(heard - first, 0)) {
            // An earlier one may have ended it.
            guard talks[id]?.live.effect == effect else { return }
            take(delta, id, &context)
        }
    }

    private mutating func take(_ delta: AgentDelta, _ id: AgentSessionID, _ context: inout DispatchContext) {
        if delta.goesOn, talks[id]?.live.detail != nil { talks[id]?.live.detail = nil }
        switch delta {
        case .text(let piece): said(piece, isThought: false, id, &context)
        case .thought(let piece): said(piece, isThought: true, id, &context)
        case .rolledBack(let isWhole): rolledBack(isWhole: isWhole, id, &context)
        case .called(let call, let isWhole): called(call, isWhole: isWhole, id, &context)
        case .planned(let steps): planned(steps, id, &context)
        case .asks(let request, let call, let options, let input): asked(request, call, options, input, id, &context)
        case .withdrew(let request): withdrew(request, id, &context)
        case .used(let tokens, let size):
            talks[id]?.live.tokens = max(tokens, 0)
            talks[id]?.live.window = size.flatMap { $0 > 0 ? $0 : nil }
        case .titled(let title): titled(title, id, &context)
        case .opened(let thread, let goesOn): opened(thread, goesOn: goesOn, id, &context)
        case .offers(let chooser): offered(chooser, id, &context)
        case .chose(let kind, let option): chose(kind, option, id, &context)
        case .seesPictures(let sees):
            guard talks[id]?.session.takesPictures != sees else { return }
            talks[id]?.session.takesPictures = sees
            context.changed(.agentSession(id))
        case .retold(let parts): retold(parts, id, &context)
        case .detailed(let text): detailed(text, id)
        case .remarked(let text): remarked(text, id, &context)
        case .logged(let text): add(.logged(text: text.fitted(to: AgentTalkLimits.logBytes)), to: id, &context)
        case .supervised(let supervisor): supervised(by: supervisor, id, &context)
        case .position(let position): reached(position, id, &context)
        case .away: linkLost(id, &context)
        case .back: linkBack(id, &context)
        case .anew:
            add(.begunAnew, to: id, &context)
            // Its new life asks again from the first question on, and an answer to an old one must not be said to that.
            decideAll(id, .gone, &context)
            talks[id]?.session.link?.answers = []
            talks[id]?.live.request = 0
            context.changed(.agentSession(id))
        case .takesInterjections: talks[id]?.live.takesInterjections = true
        case .interjected(let prompt, let isRead): interjected(prompt, isRead: isRead, id, &context)
        case .tooLate(let request):
            forgetAnswer(request, id, &context)
            notify(.problem, Wording.answerTooLate, context)
        case .turnEnded(let turn, let end):
            guard let session = talks[id]?.session, session.isInTurn, session.turn == turn else { return }
            endTurn(id, end, &context)
        }
    }

    private mutating func said(
        _ piece: CutText, isThought: Bool, _ id: AgentSessionID, _ context: inout DispatchContext
    ) {
        let before = talks[id]?.session.next
        for item in talks[id]?.add(piece, isThought: isThought, at: context.now) ?? [] {
            context.changed(.agentItem(id, item))
        }
        // The session is not written anew for each piece of an answer.
        if talks[id]?.session.next != before { context.changed(.agentSession(id)) }
    }

    private mutating func called(
        _ call: AgentCall, isWhole: Bool, _ id: AgentSessionID, _ context: inout DispatchContext
    ) {
        for item in talks[id]?.take(call, isWhole: isWhole, at: context.now) ?? [] {
            context.changed(.agentItem(id, item))
        }
        context.changed(.agentSession(id))
        rejectChanged(by: call, id, &context)
    }

    private mutating func planned(_ steps: [AgentPlanStep], _ id: AgentSessionID, _ context: inout DispatchContext) {
        let plan = steps.prefix(AgentTalkLimits.elements).map(\.fitted)
        guard talks[id]?.session.plan != plan else { return }
        talks[id]?.session.plan = plan
        context.changed(.agentSession(id))
    }

    private mutating func titled(_ title: String, _ id: AgentSessionID, _ context: inout DispatchContext) {
        let title = title.withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes)
        guard let session = talks[id]?.session, !session.isNamed, !title.isEmpty, session.title != title else {
            return
        }
        talks[id]?.session.title = title
        context.changed(.agentSession(id))
    }

    // MARK: The end of a turn

    /// After a turn that ended well the next prompt goes out. Otherwise nobody knows whether it still makes sense.
    mutating func endTurn(_ id: AgentSessionID, _ end: AgentTurnEnd, _ context: inout DispatchContext) {
        decideAll(id, .gone, &context)
        if let prompt = talks[id]?.live.prompt { settle(prompt, &context) }
        talks[id]?.live.prompt = nil
        talks[id]?.live.isStopping = false
        talks[id]?.live.detail = nil
        talks[id]?.live.remarks = nil
        holdInterjection(id)
        talks[id]?.session.end = end
        talks[id]?.session.unknownSince = nil
        talks[id]?.session.link?.answers = []
        talks[id]?.session.link?.isStopping = nil
        talks[id]?.session.status = end.reason == .stopped ? .stopped : .done
        talks[id]?.session.changedAt = context.now
        context.changed(.agentSession(id))
        guard end.reason == .done else {
            if end.reason != .stopped { tellPerson(id, .done, &context) }
            return holdQueue(id)
        }
        guard let next = talks[id]?.session.queue.first(where: { !$0.isHeld }) else {
            return tellPerson(id, .done, &context)
        }
        if beginTurn(id, next.text, next.pictures, &context) {
            talks[id]?.session.queue.removeAll { $0.id == next.id }
        } else {
            holdQueue(id)
        }
    }

    mutating func promptEnded(
        _ effect: EffectID, _ id: AgentSessionID, _ failure: Failure?, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        guard talks[id]?.live.prompt == effect else { return }
        talks[id]?.live.prompt = nil
        if failure?.code == .agentTakesNoPictures,
            case .program? = talks[id].flatMap({ agents.byID[$0.session.agent] })?.place
        {
            talks[id]?.session.takesPictures = false
        }
        guard let failure, !askAnew(id, after: failure, &context) else { return }
        endTurn(id, AgentTurnEnd(.failed, failure), &context)
    }

    /// An agent that was over before it took the prompt knows nothing of it, and the news of its end is on the way here: a new one is asked. A new
    /// one that is over, too, is not followed by a third.
    /// - Returns: false if the turn has failed.
    private mutating func askAnew(
        _ id: AgentSessionID, after failure: Failure, _ context: inout DispatchContext
    ) -> Bool {
        guard failure.code == .agentEnded, failure.retryable, let talk = talks[id], talk.live.wasReady == true,
            talk.session.isInTurn, talk.session.guest == nil,
            let asked = talk.promptOfTurn
        else { return false }
        // Nobody took it, so it has stopped.
        guard !talk.live.isStopping else {
            endTurn(id, AgentTurnEnd(.stopped), &context)
            return true
        }
        talks[id]?.live = AgentTalk.Live()
        talks[id]?.live.early = talk.live.early
        talks[id]?.session.link?.isOver = true
        guard let talk = talks[id], start(talk, &context) else { return false }
        let asking = issue(
            .promptAgent(session: id, turn: talk.session.turn, text: asked.text, pictures: asked.pictures), &context)
        talks[id]?.live.prompt = asking
        context.changed(.agentSession(id))
        return true
    }

    /// The agent is over. What it did in a turn that was under way is not known, unless it never got ready.
    mutating func agentEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        guard let id = talk(under: effect), let talk = talks[id] else {
            settle(effect, &context)
            return
        }
        settle(effect, &context)
        if let failure, !talk.session.isInTurn, talk.session.isRetold == false {
            // Nobody has asked anything yet, and it has to be said all the same.
            notify(.problem, Words(failure), context)
        }
        if talk.session.isInTurn {
            if talk.live.isStarted {
                loseTurn(id, since: context.now, failure, &context)
                tellPerson(id, .done, &context)
            } else {
                endTurn(id, AgentTurnEnd(.failed, failure ?? Failure(.agentEnded)), &context)
                tellGuestOfNoStart(talk.session, &context)
            }
        }
        if let prompt = talk.live.prompt { settle(prompt, &context) }
        talks[id]?.live = AgentTalk.Live()
        talks[id]?.live.early = talk.live.early
        talks[id]?.session.link?.isOver = true
        context.changed(.agentSession(id))
    }

    mutating func loseTurn(
        _ id: AgentSessionID, since time: Timestamp, _ failure: Failure?, _ context: inout DispatchContext
    ) {
        decideAll(id, .gone, &context)
        holdQueue(id)
        talks[id]?.session.status = .unknown
        let known = talks[id]?.session.unknownSince
        talks[id]?.session.unknownSince = known ?? time
        talks[id]?.session.link?.answers = []
        talks[id]?.session.end = failure.map { AgentTurnEnd(.failed, $0) }
        talks[id]?.session.changedAt = time
        context.changed(.agentSession(id))
    }

    /// Agents end with the process, but for those of somebody else and those under a supervisor. What one did after the last word of it is not known.
    mutating func resumeTalks(_ context: inout DispatchContext) {
        // The programs that began some come back, and take them up again.
        if talks.inOrder.contains(where: { $0.session.startedFor != nil && $0.session.isUnasked }) {
            let until = context.now.advanced(byMilliseconds: AgentTalkLimits.unaskedPatience)
            talks.unaskedUntil = until
            wake(at: until, &context)
        }
        for talk in talks.inOrder where talk.live.effect == nil && talk.session.isInTurn {
            // One of somebody else goes on, and so does one under a supervisor: what it did since comes.
            if goOn(talk, &context) { continue }
            loseTurn(talk.id, since: talk.heardAt, nil, &context)
        }
        // Questions that are still open may have run out while there was no process.
        expireApprovals(&context)
        if let next = nextApprovalExpiry { wake(at: next, &context) }
    }

    /// Locking ended the supervisors: none is gone on with.
    mutating func forgetSupervisors(_ context: inout DispatchContext) {
        for talk in talks.inOrder where talk.session.link?.supervisor != nil {
            talks[talk.id]?.session.link?.isOver = true
            context.changed(.agentSession(talk.id))
        }
    }

    /// Ends the agents that run, and what tells of them.
    mutating func closeTalks(_ context: inout DispatchContext) {
        for talk in talks.inOrder where talk.notice != nil {
            issue(.closeAgentNotification(session: talk.id), &context)
        }
        for talk in talks.inOrder where talk.live.effect != nil {
            issue(.closeAgentSession(session: talk.id), &context)
        }
    }
}
