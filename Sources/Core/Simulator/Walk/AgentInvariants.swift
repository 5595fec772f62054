import AppCore

/// What a person was promised about agents, followed from step to step: nothing is allowed that nobody allowed, and each question is answered
/// once.
struct AgentInvariants: Sendable {
    /// Questions that were answered, by the effect under which the agent ran.
    private var answered: Set<Question> = []
    /// The effects under which agents run.
    private var running: [AgentSessionID: EffectID] = [:]
    /// The answers by which questions are rejected. An agent names its answers as it likes; only their kinds say what they mean.
    private var rejections: [Question: Set<String>] = [:]

    private struct Question: Sendable, Hashable {
        let agent: EffectID?
        let session: AgentSessionID
        let request: Int
    }

    mutating func follow(_ entries: [Log.Entry], _ core: any SimulatedCore) throws {
        guard let state = (core as? BuiltInCore)?.driver.state else { return }
        for entry in entries {
            for effect in entry.effects {
                if case .startAgentSession(let session, _, _, _) = effect.kind { running[session] = effect.id }
                if case .giveAgent(let session, let request, _) = effect.kind {
                    try look(entry, state, session, request, isAllowed: true)
                }
                guard case .answerAgent(let session, let request, let option) = effect.kind else { continue }
                try look(
                    entry, state, session, request,
                    isAllowed: option.map { !rejects($0, question(request, of: session)) } ?? false)
            }
        }
        noteRejections(state)
        if state.lock.isLocked, state.talks != AgentTalks() { throw Fault("a locked core knows of sessions") }
        for talk in state.talks.inOrder {
            let session = talk.session
            guard (session.status == .waits) == !session.approvals.isEmpty else {
                throw Fault("\(session.id) is \(session.status) with \(session.approvals.count) questions")
            }
            guard zip(talk.items, talk.items.dropFirst()).allSatisfy({ $0.id < $1.id }) else {
                throw Fault("the items of \(session.id) are out of order")
            }
        }
    }

    private func question(_ request: Int, of session: AgentSessionID) -> Question {
        Question(agent: running[session], session: session, request: request)
    }

    /// A question that was asked and answered in one step is known by the names that the walk's agents give their answers.
    private func rejects(_ option: String, _ question: Question) -> Bool {
        rejections[question]?.contains(option) ?? option.hasPrefix("reject")
    }

    private mutating func noteRejections(_ state: AppState) {
        for session in state.talks.inOrder.map(\.session) {
            for approval in session.approvals {
                rejections[question(approval.request, of: session.id)] = Set(
                    approval.options.filter { $0.kind.hasPrefix("reject") }.map(\.id))
            }
        }
    }

    private mutating func look(
        _ entry: Log.Entry, _ state: AppState, _ session: AgentSessionID, _ request: Int, isAllowed: Bool
    ) throws {
        let question = question(request, of: session)
        guard question.agent == nil || answered.insert(question).inserted else {
            throw Fault("the question \(request) of \(session) is answered twice")
        }
        guard isAllowed else { return }
        if case .agents(.answerAgent(session, _, _, let choice)) = entry.input.action, choice != .reject { return }
        if case .agents(.giveAgent(session, _, _, _)) = entry.input.action { return }
        let known = state.talks[session]?.session
        // A member may allow what their agent asks, unless it only reads.
        if case .event(.memberWants(_, _, .answers(_, .some))) = entry.input.action, known?.guest != nil { return }
        // What was allowed before the process ended is said again to an agent of somebody else.
        if case .event = entry.input.action, known?.link?.answers.contains(where: { $0.request == request }) == true {
            return
        }
        let mayUnasked = AgentPolicies.Kind.allCases.contains { known?.policies[$0] == .allow }
        guard mayUnasked || known?.allowed.isEmpty == false || known == nil else {
            throw Fault("\(session) was allowed something, and nobody allowed it")
        }
    }
}
