// Questions of agents whether they may: asked, answered once, given up.

extension AppState {
    mutating func asked(
        _ request: Int, _ call: AgentCall, _ options: [AgentApproval.Option], _ input: AgentApproval.Input?,
        _ id: AgentSessionID, _ context: inout DispatchContext
    ) {
        guard let known = talks[id]?.live.request, request > known else { return }
        talks[id]?.live.request = request
        // It may name a call that was told before, and then shows it as it has become.
        for item in talks[id]?.take(call, isWhole: false, at: context.now) ?? [] {
            context.changed(.agentItem(id, item))
        }
        rejectChanged(by: call, id, &context)
        guard let talk = talks[id] else { return }
        var session = talk.session
        let approval = AgentApproval(
            id: session.number(), request: request, call: talk.merged(call), options: options, input: input,
            at: context.now)
        talks[id]?.session = session
        context.changed(.agentSession(id))
        guard session.isInTurn, !talk.live.isStopping, session.approvals.count < AgentTalkLimits.approvals else {
            issue(.answerAgent(session: id, request: request, option: nil), &context)
            return
        }
        talks[id]?.session.approvals.append(approval)
        talks[id]?.session.followApprovals()
        if let verdict = session.verdict(on: approval) { return decide(id, approval.id, verdict, &context) }
        wake(at: approval.expiresAt, &context)
        tellPerson(id, .waits, &context)
    }

    /// The person's answer, for exactly what they saw. The first one counts.
    mutating func answerAgent(
        _ id: AgentSessionID, _ number: Int, of substance: String, _ choice: AgentChoice,
        _ context: inout DispatchContext
    ) {
        let known = talks[id]?.session.approvals.first { $0.id == number }
        guard let approval = known, approval.isNamed(by: substance), approval.choices.contains(choice) else {
            return notify(.problem, Wording.approvalGone, context)
        }
        if choice == .always, talks[id]?.session.allowed.count ?? 0 < AgentTalkLimits.allowed {
            talks[id]?.session.allowed.append(approval.of)
        }
        decide(id, number, AgentVerdict(choice), &context)
    }

    /// What the person gives a tool, for exactly what they saw that it wants. It is nowhere but with the host, which holds it for one effect.
    mutating func giveAgent(
        _ id: AgentSessionID, _ number: Int, of substance: String, _ secret: SecretRef,
        _ context: inout DispatchContext
    ) {
        let known = talks[id]?.session.approvals.first { $0.id == number }
        guard let approval = known, approval.input != nil, approval.isNamed(by: substance) else {
            forget([secret], &context)
            return notify(.problem, Wording.inputGone, context)
        }
        conclude(id, number, .given, &context)
        issue(.giveAgent(session: id, request: approval.request, secret: secret), &context)
    }

    /// Takes a question off the screen, writes down what became of it, and tells the agent, unless it does not wait any more.
    mutating func decide(
        _ id: AgentSessionID, _ number: Int, _ verdict: AgentVerdict, _ context: inout DispatchContext
    ) {
        guard let approval = conclude(id, number, verdict, &context), verdict != .gone else { return }
        let choice: AgentChoice = verdict == .lasting ? .lasting : verdict.isAllowed ? .once : .reject
        let answer = AgentLink.Answer(request: approval.request, option: approval.answer(choice))
        if talks[id]?.session.link?.answers.count ?? .max < AgentTalkLimits.approvals {
            talks[id]?.session.link?.answers.append(answer)
        }
        issue(.answerAgent(session: id, request: answer.request, option: answer.option), &context)
    }

    /// Takes a question off the screen, and writes down what became of it.
    @discardableResult
    private mutating func conclude(
        _ id: AgentSessionID, _ number: Int, _ verdict: AgentVerdict, _ context: inout DispatchContext
    ) -> AgentApproval? {
        guard let talk = talks[id], let index = talk.session.approvals.firstIndex(where: { $0.id == number }) else {
            return nil
        }
        let approval = talk.session.approvals[index]
        talks[id]?.session.approvals.remove(at: index)
        talks[id]?.session.followApprovals()
        let decision = AgentDecision(verdict, approval.call, of: approval.of)
        log(decision, of: talk.session.agentName, in: id, at: talk.session.folder, &context)
        add(.decided(decision: decision), to: id, &context)
        return approval
    }

    private mutating func log(
        _ decision: AgentDecision, of agent: String, in session: AgentSessionID, at folder: String?,
        _ context: inout DispatchContext
    ) {
        talks.log.add(
            AgentLog.Entry(at: context.now, session: session, agent: agent, folder: folder, decision: decision))
        context.changed(.agentLog)
    }

    /// Writes down what became of a question that was answered at a gateway in front of an agent.
    mutating func noteDecision(
        _ id: AgentID, _ session: AgentSessionID, _ folder: String?, _ decision: AgentDecision,
        _ context: inout DispatchContext
    ) {
        guard let agent = agents.byID[id] else { return }
        log(
            decision.fitted, of: agent.name, in: AgentSessionID(session.text.limited(to: AgentTalkLimits.nameBytes)),
            at: folder?.withoutControls.limited(to: RoomLimits.pathBytes), &context)
    }

    /// What becomes of every open question of a session.
    mutating func decideAll(_ id: AgentSessionID, _ verdict: AgentVerdict, _ context: inout DispatchContext) {
        for approval in talks[id]?.session.approvals ?? [] { decide(id, approval.id, verdict, &context) }
    }

    /// What a person looks at is not what it would do now.
    mutating func rejectChanged(by call: AgentCall, _ id: AgentSessionID, _ context: inout DispatchContext) {
        let change = call.fitted
        for approval in talks[id]?.session.approvals ?? [] where approval.call.id == change.id {
            guard approval.call.with(change).substance != approval.of else { continue }
            decide(id, approval.id, .changed, &context)
        }
    }

    mutating func withdrew(_ request: Int, _ id: AgentSessionID, _ context: inout DispatchContext) {
        forgetAnswer(request, id, &context)
        guard let approval = talks[id]?.session.approvals.first(where: { $0.request == request }) else { return }
        decide(id, approval.id, .gone, &context)
    }

    /// Questions whose time is over are rejected.
    mutating func expireApprovals(_ context: inout DispatchContext) {
        for talk in talks.inOrder {
            for approval in talk.session.approvals where approval.expiresAt.isDue(at: context.now) {
                decide(talk.id, approval.id, .expired, &context)
            }
        }
    }

    /// When the next question runs out.
    var nextApprovalExpiry: Timestamp? {
        talks.byID.values.flatMap(\.session.approvals).map(\.expiresAt).min()
    }

    /// The host could not give an answer: the agent did not wait any more.
    mutating func answerFailed(_ effect: EffectID, _ option: String?, _ context: inout DispatchContext) {
        settle(effect, &context)
        if option != nil { notify(.problem, Wording.approvalGone, context) }
    }
}

extension AgentSession {
    /// What is decided without the person; `nil` if they are to be asked.
    fileprivate func verdict(on approval: AgentApproval) -> AgentVerdict? {
        // Whatever anybody answers, and whatever the policies say.
        if guest?.readOnly == true, !approval.call.isReading { return .rejectedByPolicy }
        // What a tool wants to be given no policy knows.
        if approval.input != nil { return nil }
        let policy = policies.policy(for: approval.call, in: folder)
        if policy == .reject { return .rejectedByPolicy }
        if approval.choices.contains(.always), allowed.contains(approval.of) { return .before }
        return policy == .allow && approval.choices.contains(.once) ? .allowedByPolicy : nil
    }
}
