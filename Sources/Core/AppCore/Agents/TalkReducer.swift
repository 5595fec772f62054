// Sessions with agents: begun, asked, stopped, closed, removed.

extension AppState {
    mutating func newAgentSession(
        _ agent: AgentID, _ folder: String?, tools: Bool?, _ context: inout DispatchContext
    ) {
        guard let id = makeSession(agent, folder, tools: tools, &context) else { return }
        // What was chosen for this session is not chosen for the next one.
        views.update(context.view ?? .main) { $0.agents.tools = nil }
        show(Screen(.agent, session: id), in: context.view ?? .main, &context)
    }

    /// - Returns: `nil` if there can be none, which was told.
    mutating func makeSession(
        _ agent: AgentID, _ folder: String?, tools: Bool? = nil, summary: AgentSummary? = nil,
        _ context: inout DispatchContext
    ) -> AgentSessionID? {
        guard canKeepMore(context) else { return nil }
        guard let agent = agents.byID[agent] else { return refuse(Wording.agentGone, context) }
        guard talks.byID.count < AgentTalkLimits.sessions else { return refuse(Wording.tooManyAgentSessions, context) }
        var place: String?
        if agent.worksInFolder {
            guard let folder, folder.isAgentFolder else { return refuse(Wording.agentFolderInvalid, context) }
            place = folder
        }
        let id = AgentSessionID(context.fresh.first)
        // A step that a client sends twice happens once.
        if talks[id] == nil {
            var session = AgentSession(
                id: id, agent: agent.id, agentName: agent.name, folder: place, tools: tools == true ? true : nil,
                createdAt: context.now, changedAt: context.now)
            if case .member = agent.place { session.link = AgentLink() }
            session.policies = policies(of: agent.id, in: place)
            session.summary = summary
            talks.byID[id] = AgentTalk(session)
            context.changed(.agentSession(id))
        }
        return id
    }

    private mutating func refuse(_ why: Words, _ context: DispatchContext) -> AgentSessionID? {
        notify(.problem, why, context)
        return nil
    }

    /// What the person set in their newest session with an agent in a folder. What they set where a member asks is for that member only.
    private func policies(of agent: AgentID, in folder: String?) -> AgentPolicies {
        let known = talks.byID.values.map(\.session).filter {
            $0.agent == agent && $0.folder.map { Array($0.utf8) } == folder.map { Array($0.utf8) } && $0.guest == nil
        }
        return known.max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }?.policies ?? AgentPolicies()
    }

    mutating func renameAgentSession(_ id: AgentSessionID, _ title: String, _ context: inout DispatchContext) {
        let title = title.withoutControls.trimmed.limited(to: AgentTalkLimits.titleBytes)
        guard let session = talks[id]?.session, !title.isEmpty, title != session.title || !session.isNamed else {
            return
        }
        talks[id]?.session.title = title
        talks[id]?.session.isNamed = true
        context.changed(.agentSession(id))
    }

    mutating func setPrompt(_ id: AgentSessionID, _ text: String, _ context: inout DispatchContext) {
        let text = text.limited(to: AgentTalkLimits.promptBytes)
        guard let session = talks[id]?.session, session.draft != text else { return }
        talks[id]?.session.draft = text
        context.changed(.agentSession(id))
    }

    // MARK: Asking

    /// - Parameter chosen: the pictures that go along; `nil` for all.
    mutating func askAgent(
        _ id: AgentSessionID, _ text: String, _ chosen: [AgentPictureID]?, _ context: inout DispatchContext
    ) {
        let prompt = text.said
        // In a session of a member only they ask.
        guard let session = talks[id]?.session, session.guest == nil, !prompt.isEmpty, canKeepMore(context) else {
            return
        }
        guard prompt.utf8.count <= AgentTalkLimits.promptBytes else {
            return notify(.problem, Wording.agentPromptTooLong, context)
        }
        let isChosen = { (picture: AgentPicture) in chosen?.contains(picture.id) ?? true }
        let pictures = session.pictures?.filter(isChosen).nonEmpty
        guard pictures == nil || session.takesPictures != false else {
            return notify(.problem, Wording.agentTakesNoPictures, context)
        }
        let isTaken =
            session.isInTurn ? queue(prompt, pictures, id, context) : beginTurn(id, prompt, pictures, &context)
        guard isTaken else { return }
        talks[id]?.session.pictures = session.pictures?.filter { !isChosen($0) }.nonEmpty
        if session.draft.said == prompt { talks[id]?.session.draft = "" }
        context.changed(.agentSession(id))
    }

    /// - Returns: false if too much waits already, which was told.
    private mutating func queue(
        _ prompt: String, _ pictures: [AgentPicture]?, _ id: AgentSessionID, _ context: DispatchContext
    ) -> Bool {
        guard var session = talks[id]?.session else { return false }
        let bytes = session.queue.reduce(prompt.utf8.count) { $0 + $1.text.utf8.count }
        guard session.queue.count < AgentTalkLimits.queued, bytes <= AgentTalkLimits.promptBytes else {
            notify(.problem, Wording.tooManyPrompts, context)
            return false
        }
        session.queue.append(QueuedPrompt(id: session.number(), text: prompt, pictures: pictures))
        talks[id]?.session = session
        return true
    }

    mutating func withdrawPrompt(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        // What the agent may be reading is taken back first.
        if talks[id]?.isInterjecting(prompt) == true {
            return takeBackPrompt(id, prompt, isWithdrawn: true, &context)
        }
        guard let index = talks[id]?.session.queue.firstIndex(where: { $0.id == prompt }) else { return }
        let withdrawn = talks[id]?.session.queue.remove(at: index)
        context.changed(.agentSession(id))
        forget(withdrawn?.pictures ?? [], &context)
    }

    /// While a turn is under way, it waits for that only.
    mutating func askQueued(_ id: AgentSessionID, _ prompt: Int, _ context: inout DispatchContext) {
        guard let session = talks[id]?.session, let index = session.queue.firstIndex(where: { $0.id == prompt }),
            session.queue[index].isHeld
        else { return }
        if session.isInTurn {
            talks[id]?.session.queue[index].isHeld = false
        } else if canKeepMore(context),
            beginTurn(id, session.queue[index].text, session.queue[index].pictures, &context)
        {
            talks[id]?.session.queue.removeAll { $0.id == prompt }
        }
        context.changed(.agentSession(id))
    }

    /// Starts the agent if it does not run, and gives it a prompt.
    /// - Returns: false if it cannot be asked, which was told.
    @discardableResult
    mutating func beginTurn(
        _ id: AgentSessionID, _ prompt: String, _ pictures: [AgentPicture]? = nil, _ context: inout DispatchContext
    ) -> Bool {
        guard let talk = talks[id], start(talk, &context) else { return false }
        var session = talks[id]?.session ?? talk.session
        session.turn += 1
        (session.status, session.end, session.unknownSince, session.plan) = (.running, nil, nil, [])
        if talks[id]?.live.isAway == true { session.unknownSince = context.now }
        session.changedAt = context.now
        if session.title.isEmpty, session.summary == nil { session.title = prompt.titleOfSession }
        talks[id]?.session = session
        talks[id]?.live.isStopping = false
        talks[id]?.session.link?.isStopping = nil
        add(.prompt(text: prompt, pictures: pictures), to: id, &context)
        let asking = issue(
            .promptAgent(session: id, turn: session.turn, text: prompt, pictures: pictures), &context)
        talks[id]?.live.prompt = asking
        talks[id]?.live.wasReady = talk.live.isStarted ? true : nil
        context.changed(.agentSession(id))
        return true
    }

    /// - Returns: false if it does not run and cannot be started, which was told.
    @discardableResult
    mutating func start(_ talk: AgentTalk, _ context: inout DispatchContext) -> Bool {
        guard talk.live.effect == nil else { return true }
        guard let agent = agents.byID[talk.session.agent] else {
            notify(.problem, Wording.agentGone, context)
            return false
        }
        guard running < AgentTalkLimits.running else {
            notify(.problem, Wording.tooManyAgentsRun, context)
            return false
        }
        var session = talk.session
        // It is another process than the one before, whose numbers say nothing of it.
        let former = session.link?.supervisor
        if former != nil { session.link = nil }
        // Until the next one says its name the former one is remembered: it may still be there.
        talks[talk.id]?.session.link?.isOver = former != nil
        let (id, effect) = (talk.id, issue(starting(session, agent, insteadOf: former), &context))
        talks[id]?.live = AgentTalk.Live()
        talks[id]?.live.effect = effect
        // Without a turn before there is nothing that it could know.
        let turns = talk.session.isInTurn ? talk.session.turn - 1 : talk.session.turn
        if turns > 0, !agent.canGoOn(with: talk.session) { add(.begunAnew, to: id, &context) }
        talks[id]?.makeRoomForRetold()
        return true
    }

    /// Agents that run.
    private var running: Int { talks.byID.values.count { $0.live.effect != nil } }

    /// An agent of somebody else is started for what is asked there only, and half of the places are kept for those that are asked.
    mutating func startAgent(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.session.guest == nil, storageFailure == nil else { return }
        if talk.session.isUnasked, let view = context.view, view != .main {
            talks[id]?.session.startedFor = view
            context.changed(.agentSession(id))
        }
        let isOfSomebodyElse = talk.session.link.map { $0.supervisor == nil } ?? false
        guard !isOfSomebodyElse, running < AgentTalkLimits.running / 2, start(talk, &context) else { return }
        context.changed(.agentSession(id))
    }

    /// Removes the sessions in which nothing was asked and to which nobody came back after the host was started anew.
    mutating func expireUnasked(_ context: inout DispatchContext) {
        guard let until = talks.unaskedUntil, until.isDue(at: context.now) else { return }
        talks.unaskedUntil = nil
        removeUnasked(&context) { _ in true }
    }

    /// Removes those sessions that a program began and never asked in, when it is gone without a word.
    mutating func removeUnasked(_ context: inout DispatchContext, where isOver: (AgentSession) -> Bool) {
        for talk in talks.inOrder {
            guard let view = talk.session.startedFor, views[view] == nil, talk.session.isUnasked, isOver(talk.session),
                !views.contains(where: { $0.screens.contains { $0.session == talk.id } })
            else { continue }
            removeAgentSession(talk.id, &context)
        }
    }

    /// Puts something behind what was said.
    mutating func add(_ content: AgentItem.Content, to id: AgentSessionID, _ context: inout DispatchContext) {
        for item in talks[id]?.add(content, at: context.now) ?? [] { context.changed(.agentItem(id, item)) }
        context.changed(.agentSession(id))
    }

    // MARK: Ending

    mutating func stopAgent(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.session.isInTurn, !talk.live.isStopping else { return }
        talks[id]?.live.isStopping = true
        talks[id]?.session.link?.isStopping = true
        holdQueue(id)
        decideAll(id, .gone, &context)
        issue(.cancelAgentTurn(session: id), &context)
        context.changed(.agentSession(id))
    }

    /// Nothing of what waits goes out by itself any more.
    mutating func holdQueue(_ id: AgentSessionID) {
        for index in talks[id]?.session.queue.indices ?? 0..<0 { talks[id]?.session.queue[index].isHeld = true }
    }

    mutating func closeAgentSession(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], let effect = talk.live.effect else { return }
        if talk.session.isInTurn { endTurn(id, AgentTurnEnd(.stopped), &context) }
        settle(effect, &context)
        talks[id]?.live = AgentTalk.Live()
        issue(.closeAgentSession(session: id), &context)
    }

    mutating func removeAgentSession(_ id: AgentSessionID, _ context: inout DispatchContext) {
        closeAgentSession(id, &context)
        guard let talk = talks.byID.removeValue(forKey: id) else { return }
        for key in talk.recordKeys { context.changed(key) }
        if talk.notice != nil { issue(.closeAgentNotification(session: id), &context) }
        forget(talk.pictures, &context)
        views.updateAll { $0.hide { $0.session == id } }
    }

    mutating func setAgentPolicy(
        _ id: AgentSessionID, _ kind: AgentPolicies.Kind, _ policy: AgentPolicy, _ context: inout DispatchContext
    ) {
        guard let known = talks[id]?.session.policies[kind], known != policy else { return }
        talks[id]?.session.policies[kind] = policy
        context.changed(.agentSession(id))
    }
}

extension Agent {
    /// Whether it may know what was said before, after it was started anew: a model server is told, others know or do not.
    fileprivate func canGoOn(with session: AgentSession) -> Bool {
        switch place {
        case .modelServer: true
        // It may have gone on without this process.
        case .member: session.link?.isOver == false
        case .program, .gateway: session.thread != nil
        }
    }
}

extension AgentTalk {
    var recordKeys: [RecordKey] { [.agentSession(id)] + items.map { .agentItem(id, $0.id) } }
}

extension String {
    /// Whether an agent can work there: an absolute path.
    var isAgentFolder: Bool {
        hasPrefix("/") && utf8.count <= AgentTalkLimits.folderBytes && !utf8.contains(0)
    }

    /// What a session is called that began with this.
    var titleOfSession: String {
        let line = split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let short = line.withoutControls.trimmed
        return short.count > 60 ? String(short.prefix(59)).trimmed + "…" : short
    }
}
