// How an agent goes on with a session, and what a person chooses in it.

extension AppState {
    /// The agent is in its session.
    /// - Parameters:
    ///   - thread: what it calls the session; `nil` if it could not go on with it another time.
    ///   - goesOn: whether it knows what was said before.
    mutating func opened(_ thread: String?, goesOn: Bool, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let effect = talks[id]?.live.effect,
            case .startAgentSession(_, _, _, let setup) = pendingEffects[effect]
        else { return }
        // A name that were cut would be another one.
        let before = talks[id]?.session.thread
        let kept = thread.flatMap { $0.utf8.count <= AgentTalkLimits.nameBytes ? $0 : nil }
        if kept != before {
            talks[id]?.session.thread = kept
            context.changed(.agentSession(id))
        }
        // It is said once: a gateway may change the session once more.
        guard !goesOn, let wanted = setup?.thread, before == wanted else { return }
        if talks[id]?.session.isRetold == false { talks[id]?.session.isRetold = true }
        add(.notTakenUp, to: id, &context)
    }

    mutating func offered(_ chooser: AgentChooser, _ id: AgentSessionID, _ context: inout DispatchContext) {
        let fitted = chooser.fitted
        var choosers = talks[id]?.session.choosers ?? []
        guard choosers.first(where: { $0.kind == fitted.kind }) != fitted else { return }
        choosers.removeAll { $0.kind == fitted.kind }
        if !fitted.options.isEmpty { choosers.append(fitted) }
        talks[id]?.session.choosers = choosers.sorted { $0.kind.rawValue < $1.kind.rawValue }
        context.changed(.agentSession(id))
    }

    /// The agent says what holds now.
    mutating func chose(
        _ kind: AgentChooser.Kind, _ option: String, _ id: AgentSessionID, _ context: inout DispatchContext
    ) {
        guard let place = talks[id]?.session.choosers?.firstIndex(where: { $0.kind == kind }),
            let chooser = talks[id]?.session.choosers?[place], chooser.current != option,
            chooser.options.contains(where: { $0.id == option })
        else { return }
        talks[id]?.session.choosers?[place].current = option
        context.changed(.agentSession(id))
    }

    /// The person chooses: at once if the agent runs, else for when it is started again.
    mutating func chooseForAgent(
        _ id: AgentSessionID, _ kind: AgentChooser.Kind, _ option: String, _ context: inout DispatchContext
    ) {
        let chooser = talks[id]?.session.choosers?.first { $0.kind == kind }
        guard let talk = talks[id], let chooser, chooser.options.contains(where: { $0.id == option }) else {
            return notify(.problem, Wording.agentChoiceGone, context)
        }
        guard chooser.current != option else { return }
        if talk.live.effect == nil {
            keepChosen(id, kind, option, &context)
        } else {
            issue(.chooseForAgent(session: id, kind: kind, option: option), &context)
        }
    }

    mutating func choiceTaken(
        _ effect: EffectID, _ id: AgentSessionID, _ kind: AgentChooser.Kind, _ option: String,
        _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        keepChosen(id, kind, option, &context)
    }

    private mutating func keepChosen(
        _ id: AgentSessionID, _ kind: AgentChooser.Kind, _ option: String, _ context: inout DispatchContext
    ) {
        guard talks[id] != nil else { return }
        let others = (talks[id]?.session.chosen ?? []).filter { $0.kind != kind }
        talks[id]?.session.chosen = others + [AgentChosen(kind: kind, option: option)]
        context.changed(.agentSession(id))
        chose(kind, option, id, &context)
    }
}
