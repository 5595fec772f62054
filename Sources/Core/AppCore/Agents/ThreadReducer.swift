// Sessions that an agent has already: listed, and taken up here.

extension AppState {
    /// The screens decide what is asked for. What was told stays as it is until the person leaves, or asks anew.
    mutating func followThreads(_ context: inout DispatchContext) {
        for view in views {
            let wanted = view.screens.last { $0.page == .agentThreads }?.agent
            guard wanted != view.threads?.agent else { continue }
            if let effect = view.threads?.effect { settle(effect, &context) }
            views.update(view.id) { $0.threads = nil }
            if let wanted { listThreads(of: wanted, for: view.id, &context) }
        }
    }

    /// - Parameter known: where they were asked for before. The session that told where the agent works may be gone meanwhile.
    private mutating func listThreads(
        of id: AgentID, for view: ViewID, in known: String? = nil, _ context: inout DispatchContext
    ) {
        guard let agent = agents.byID[id], agent.keepsThreads, let folder = folder(for: agent, in: view) ?? known
        else { return }
        let asker = context.view
        context.answer(to: view)
        let effect = issue(.listAgentThreads(place: agent.place, folder: folder), &context)
        context.answer(to: asker)
        views.update(view) { $0.threads = AgentThreadList(agent: id, folder: folder, effect: effect) }
    }

    /// Where a session with an agent would work: what is written in the view, or where the last one was.
    func folder(for agent: Agent, in view: ViewID) -> String? {
        let written = views[view]?.agents.folder ?? ""
        let folder = written.isEmpty ? talks.inOrder.first { $0.session.agent == agent.id }?.session.folder : written
        return folder.flatMap { $0.isAgentFolder ? $0 : nil }
    }

    mutating func retryThreads(_ context: inout DispatchContext) {
        let view = actingView(context)
        guard let known = view.threads, !known.isReading else { return }
        listThreads(of: known.agent, for: view.id, in: known.folder, &context)
    }

    mutating func threadsListed(_ effect: EffectID, _ threads: [AgentThread]?, _ context: inout DispatchContext) {
        guard case .listAgentThreads = settle(effect, &context) else { return }
        updateThreads(of: effect) { list, state in
            list.isUnlisted = threads == nil ? true : nil
            let possible = state.agents.byID[list.agent]?.possible(threads ?? [], in: list.folder) ?? []
            list.threads = possible.filter { !state.isOfMember($0.id, list.agent) }
        }
    }

    mutating func listingFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        updateThreads(of: effect) { list, _ in list.failure = failure }
    }

    private mutating func updateThreads(
        of effect: EffectID, _ change: (inout AgentThreadList, AppState) -> Void
    ) {
        guard let view = views.first(where: { $0.threads?.effect == effect }), var list = view.threads, list.isReading
        else { return }
        change(&list, self)
        views.update(view.id) { $0.threads = list }
    }

    /// What a member of the circle says with an agent is theirs: nobody else goes on with it.
    private func isOfMember(_ thread: String, _ agent: AgentID) -> Bool {
        talks.byID.values.contains { $0.session.guest != nil && $0.session.isNamed(thread, by: agent) }
    }

    // MARK: - Taking one up

    /// Goes on with a session that the agent has: the one that is kept here of it, or a new one in which the agent tells what was said.
    mutating func takeUpThread(
        _ agent: AgentID, _ thread: String, _ folder: String?, title: String?, _ context: inout DispatchContext
    ) {
        let view = context.view ?? .main
        if let known = talks.inOrder.first(where: { $0.session.isOf(thread, agent) }) {
            return show(Screen(.agent, session: known.id), in: view, &context)
        }
        guard agents.byID[agent]?.keepsThreads == true, !thread.isEmpty,
            thread.utf8.count <= AgentTalkLimits.nameBytes, !isOfMember(thread, agent)
        else { return notify(.problem, Wording.agentGone, context) }
        guard let id = makeSession(agent, folder, &context) else { return }
        // A step that a client sends twice happens once.
        if talks[id]?.session.thread == nil {
            talks[id]?.session.thread = thread
            talks[id]?.session.isRetold = false
            talks[id]?.session.title = (title ?? "").withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes)
            context.changed(.agentSession(id))
            // Without a place for it now, which is said, the first prompt starts it.
            if let talk = talks[id] { start(talk, &context) }
        }
        // The way back leads to the agent, and not to a list of what it had then.
        views.update(view) { $0.hide { $0.page == .agentThreads } }
        show(Screen(.agent, session: id), in: view, &context)
    }
}

extension AgentSession {
    /// Whether it is this session of an agent.
    func isOf(_ name: String, _ whose: AgentID) -> Bool { guest == nil && isNamed(name, by: whose) }

    fileprivate func isNamed(_ name: String, by whose: AgentID) -> Bool {
        agent == whose && thread.map { Array($0.utf8) == Array(name.utf8) } == true
    }
}
