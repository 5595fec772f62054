// Agents of somebody in the circle, as this person uses them: offered over the link, and told of over it.

extension AppState {
    /// The list that a member offers. It replaces the one before.
    mutating func agentsOffered(_ id: RoomID, _ offers: [AgentOffer], _ context: inout DispatchContext) {
        guard let room = rooms[id], room.isMember, room.hasShownItself else { return }
        let offers = offers.prefix(AgentShareLimits.shares)
        let offered = Set(offers.map(\.share))
        for agent in agents.inOrder {
            guard case .member(id, let share, _) = agent.place, !offered.contains(share) else { continue }
            withdraw(agent, &context)
        }
        for offer in offers { take(offer, of: room, &context) }
    }

    private mutating func take(_ offer: AgentOffer, of room: Room, _ context: inout DispatchContext) {
        let place = Agent.Place.member(room: room.id, share: offer.share, readOnly: offer.readOnly)
        let id = AgentID(offer.share.text)
        if let known = agents.byID[id] {
            // Nobody changes an agent of ours, or of another person, by naming it.
            guard known.place.member == room.id, known.place != place else { return }
            agents.byID[id]?.place = place
            return context.changed(.agent(id))
        }
        guard agents.byID.count < AgentListLimits.agents else { return }
        agents.byID[id] = Agent(
            id: id, name: freeName(offer.name, of: room.title), place: place, addedAt: context.now)
        context.changed(.agent(id))
    }

    /// `NAME@OWNER`, and a number if that is taken.
    private func freeName(_ name: String, of owner: String) -> String {
        let short = AgentListLimits.nameBytes / 2 - 4
        let words = [name, owner].map { $0.withoutControls.trimmed.limited(to: short).trimmed }
        let wanted = "\(words[0].isEmpty ? "agent" : words[0])@\(words[1])"
        guard agents.named(wanted) != nil else { return wanted }
        let number = (2...(agents.byID.count + 2)).first { agents.named("\(wanted)-\($0)") == nil }
        return "\(wanted)-\(number ?? 2)"
    }

    /// Its owner shares it no longer. What it still does for this person is not known.
    mutating func withdraw(_ agent: Agent, _ context: inout DispatchContext) {
        agents.byID[agent.id] = nil
        context.changed(.agent(agent.id))
        for talk in talks.inOrder where talk.session.agent == agent.id {
            if talk.session.isInTurn {
                loseTurn(talk.id, since: context.now, Failure(.agentRefused), &context)
                tellPerson(talk.id, .done, &context)
            }
            closeAgentSession(talk.id, &context)
            talks[talk.id]?.session.link?.isOver = true
            context.changed(.agentSession(talk.id))
        }
        views.updateAll { $0.hide { $0.agent == agent.id } }
    }

    // MARK: The connection

    /// Only what runs on this machine has a supervisor: nobody else's agent can name one.
    mutating func supervised(by supervisor: String, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let session = talks[id]?.session, case .program? = agents.byID[session.agent]?.place,
            session.link?.supervisor != supervisor, supervisor.utf8.count <= AgentTalkLimits.nameBytes
        else { return }
        talks[id]?.session.link = AgentLink(supervisor: supervisor)
        context.changed(.agentSession(id))
    }

    mutating func reached(_ position: Int, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let known = talks[id]?.session.link?.position, position > known else { return }
        talks[id]?.session.link?.position = position
        context.changed(.agentSession(id))
    }

    mutating func linkLost(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.live.isAway != true else { return }
        talks[id]?.live.isAway = true
        guard talk.session.isInTurn else { return }
        talks[id]?.session.unknownSince = talk.session.unknownSince ?? context.now
        context.changed(.agentSession(id))
    }

    mutating func linkBack(_ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let talk = talks[id], talk.live.isAway == true else { return }
        talks[id]?.live.isAway = nil
        guard talk.session.isInTurn else { return }
        talks[id]?.session.unknownSince = nil
        context.changed(.agentSession(id))
    }

    /// The owner has decided on it.
    mutating func forgetAnswer(_ request: Int, _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard talks[id]?.session.link?.answers.contains(where: { $0.request == request }) == true else { return }
        talks[id]?.session.link?.answers.removeAll { $0.request == request }
        context.changed(.agentSession(id))
    }

    /// Goes on with a turn that was under way when the process ended. What was asked and answered is said again: the other side knows it by its
    /// number.
    /// - Returns: false if this cannot be done.
    mutating func goOn(_ talk: AgentTalk, _ context: inout DispatchContext) -> Bool {
        let (id, session) = (talk.id, talk.session)
        guard let link = session.link, let agent = agents.byID[session.agent],
            agent.place.member != nil || link.supervisor != nil && !link.isOver
        else { return false }
        // In a long turn what was asked has given way. A supervisor has it in any case.
        guard let (prompt, pictures) = talk.promptOfTurn ?? (link.supervisor == nil ? nil : ("", nil)) else {
            return false
        }
        let effect = issue(starting(session, agent), &context)
        talks[id]?.live.effect = effect
        talks[id]?.live.isStarted = true
        talks[id]?.live.isAway = true
        talks[id]?.session.unknownSince = session.unknownSince ?? talk.heardAt
        let asking = issue(
            .promptAgent(session: id, turn: session.turn, text: prompt, pictures: pictures), &context)
        talks[id]?.live.prompt = asking
        for answer in link.answers {
            issue(.answerAgent(session: id, request: answer.request, option: answer.option), &context)
        }
        if link.isStopping == true {
            talks[id]?.live.isStopping = true
            issue(.cancelAgentTurn(session: id), &context)
        }
        context.changed(.agentSession(id))
        return true
    }
}

extension AgentTalk {
    /// What was asked in the turn that is under way, while its items are kept.
    var promptOfTurn: (text: String, pictures: [AgentPicture]?)? {
        for item in items.reversed() where item.turn == session.turn {
            if case .prompt(let text, let pictures) = item.content { return (text, pictures) }
        }
        return nil
    }
}
