import AppCore
import Testing

extension TestDriver {
    mutating func agents(_ action: AgentAction, in view: ViewID? = nil) throws {
        try dispatch(.agents(action), in: view)
    }

    /// A session with an agent in a folder.
    mutating func session(folder: String = "/project") throws -> AgentSessionID {
        if state.agents.byID.isEmpty { try agents(.addAgent(name: "helper", command: ["opencode", "acp"])) }
        let agent = try #require(state.agents.inOrder.first).id
        let before = Set(state.talks.byID.keys)
        try agents(.newAgentSession(agent: agent, folder: folder))
        return try #require(state.talks.byID.keys.first { !before.contains($0) })
    }

    /// A session whose agent is at work.
    mutating func runningSession(folder: String = "/project") throws -> AgentSessionID {
        let session = try session(folder: folder)
        try agents(.askAgent(session: session, text: "go"))
        try event(.agentStarted(effect: try agentEffect(session)))
        return session
    }

    /// A session that a program begins in a view of its own, as an editor does.
    mutating func begun(in view: ViewID) throws -> AgentSessionID {
        try dispatch(.app(.openView), in: view)
        try agents(.newAgentSession(agent: try #require(state.agents.inOrder.first).id, folder: "/project"), in: view)
        let session = try #require(state.views[view]?.screen.session)
        try agents(.startAgent(session: session), in: view)
        return session
    }

    func talk(_ session: AgentSessionID) throws -> AgentTalk { try #require(state.talks[session]) }

    func agentEffect(_ session: AgentSessionID) throws -> EffectID {
        try #require(talk(session).live.effect)
    }

    /// The effect under which the session's last prompt is on its way.
    func promptEffect(_ session: AgentSessionID) throws -> EffectID {
        try waiting { if case .promptAgent(session, _, _, _) = $0 { true } else { false } }
    }

    /// The agent says something more.
    mutating func told(_ session: AgentSessionID, _ deltas: AgentDelta...) throws {
        let talk = try talk(session)
        try event(.agentTold(effect: try agentEffect(session), first: talk.live.heard, deltas: deltas))
    }

    mutating func turnEnds(_ session: AgentSessionID, _ reason: AgentTurnEnd.Reason = .done) throws {
        try told(session, .turnEnded(turn: talk(session).session.turn, end: AgentTurnEnd(reason)))
    }

    mutating func asks(
        _ session: AgentSessionID, _ request: Int, _ call: AgentCall = .change,
        kinds: [String] = ["allow_once", "reject_once"], names: [String: String] = [:],
        input: AgentApproval.Input? = nil
    ) throws {
        let options = kinds.map { AgentApproval.Option(id: "option \($0)", kind: $0, name: names[$0]) }
        try told(session, .asks(request: request, call: call, options: options, input: input))
    }

    /// The answers that the last input gave to the agent.
    var answers: [(request: Int, option: String?)] {
        effects.compactMap { if case .answerAgent(_, let request, let option) = $0 { (request, option) } else { nil } }
    }

    var prompts: [String] {
        effects.compactMap { if case .promptAgent(_, _, let text, _) = $0 { text } else { nil } }
    }
}

extension AgentCall {
    static let change = AgentCall(id: "t", title: "Change a", kind: "edit", input: "{}")
}
