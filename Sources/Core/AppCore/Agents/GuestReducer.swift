// What members of the circle want of agents of this machine. Every wish is a stranger's word: what is shared, and with whom, is looked up here.

extension AppState {
    mutating func memberWants(
        _ room: RoomID, _ session: AgentSessionID, _ wish: MemberWish, _ context: inout DispatchContext
    ) {
        guard let known = rooms[room], known.isMember, known.hasShownItself else {
            if case .asks(_, _, _, let pictures?) = wish { forget(pictures, &context) }
            return
        }
        switch wish {
        case .asks(let share, let turn, let text, let pictures):
            let pictures = pictures?.map(\.fitted) ?? []
            let prompt = AgentTalk.Early(text: text, pictures: pictures.nonEmpty)
            guestAsks(room, session, share, turn, prompt, &context)
            // What was not taken is not kept.
            forget(pictures, &context)
        case .answers(let request, let option): guestAnswers(room, session, request, option, &context)
        case .stops(let turn):
            if let talk = guestTalk(room, session), talk.session.turn == turn { stopAgent(talk.id, &context) }
        case .closes: if let talk = guestTalk(room, session) { closeAgentSession(talk.id, &context) }
        }
    }

    /// The session that the member calls so. Another member's cannot be named.
    private func guestTalk(_ room: RoomID, _ session: AgentSessionID) -> AgentTalk? {
        talks.byID.values.first { $0.session.guest?.room == room && $0.session.guest?.session == session }
    }

    private mutating func refuse(
        _ room: RoomID, _ session: AgentSessionID, turn: Int? = nil, request: Int? = nil, _ reason: MemberRefusal,
        _ context: inout DispatchContext
    ) {
        issue(.refuseMember(room: room, session: session, turn: turn, request: request, reason: reason), &context)
    }

    // MARK: Asking

    private mutating func guestAsks(
        _ room: RoomID, _ session: AgentSessionID, _ id: AgentShareID, _ turn: Int,
        _ asked: AgentTalk.Early, _ context: inout DispatchContext
    ) {
        let talk = guestTalk(room, session)
        guard let (agent, share) = share(id, with: room), talk.map({ $0.session.guest?.share == id }) ?? true else {
            return refuse(room, session, turn: turn, .notShared, &context)
        }
        let prompt = asked.text.said
        guard turn > 0, !prompt.isEmpty, prompt.utf8.count <= AgentTalkLimits.promptBytes,
            asked.pictures?.fit ?? true
        else {
            return refuse(room, session, turn: turn, .tooLarge, &context)
        }
        if let known = talk?.session, turn <= known.turn {
            // It comes again. What became of it is in the log, unless it was lost before anything was.
            if !known.isInTurn { refuse(room, session, turn: turn, .lost, &context) }
            return
        }
        if let talk, talk.session.isInTurn {
            // They hear the end of a turn as soon as it is kept for them, which may be before it is heard here.
            guard turn == talk.session.turn + 1 else { return refuse(room, session, turn: turn, .busy, &context) }
            talks[talk.id]?.live.early = talk.live.early ?? AgentTalk.Early(text: prompt, pictures: asked.pictures)
            return
        }
        let running = talks.byID.values.count { $0.session.guest != nil && $0.live.effect != nil }
        guard talk?.live.effect != nil || running < AgentShareLimits.running else {
            return refuse(room, session, turn: turn, .tooMany, &context)
        }
        guard storageFailure == nil, let id = talk?.id ?? beginGuest(room, session, agent, share, &context) else {
            return refuse(room, session, turn: turn, .tooMany, &context)
        }
        talks[id]?.session.turn = turn - 1
        guard beginTurn(id, prompt, asked.pictures, &context) else {
            return refuse(room, session, turn: turn, .tooMany, &context)
        }
    }

    /// Begins the turns that members asked for before the end of the one before was heard here.
    mutating func takeEarlyPrompts(_ context: inout DispatchContext) {
        for talk in talks.byID.values {
            guard let gone = talk.live.gone else { continue }
            talks[talk.id]?.live.gone = nil
            forget(gone, &context)
        }
        guard !lock.isLocked, talks.byID.values.contains(where: { $0.live.early != nil }) else { return }
        for talk in talks.inOrder where !talk.session.isInTurn {
            guard let prompt = talk.live.early, let guest = talk.session.guest else { continue }
            talks[talk.id]?.live.early = nil
            let wish = MemberWish.asks(
                share: guest.share, turn: talk.session.turn + 1, text: prompt.text, pictures: prompt.pictures)
            memberWants(guest.room, guest.session, wish, &context)
        }
    }

    private mutating func beginGuest(
        _ room: RoomID, _ session: AgentSessionID, _ agent: Agent, _ share: AgentShare,
        _ context: inout DispatchContext
    ) -> AgentSessionID? {
        let theirs = talks.byID.values.count { $0.session.guest?.room == room }
        guard talks.byID.count < AgentTalkLimits.sessions, theirs < AgentShareLimits.sessions else { return nil }
        let id = AgentSessionID(context.fresh.first)
        guard talks[id] == nil else { return nil }
        var new = AgentSession(
            id: id, agent: agent.id, agentName: agent.name, folder: share.folder, createdAt: context.now,
            changedAt: context.now)
        new.guest = AgentGuest(room: room, share: share.id, session: session, readOnly: share.readOnly)
        talks.byID[id] = AgentTalk(new)
        context.changed(.agentSession(id))
        return id
    }

    /// Nothing of it is in the log that the member follows.
    mutating func tellGuestOfNoStart(_ session: AgentSession, _ context: inout DispatchContext) {
        guard let guest = session.guest else { return }
        refuse(guest.room, guest.session, turn: session.turn, .unavailable, &context)
    }

    /// How the agent of a session is started.
    /// - Parameter former: the supervisor that it had before.
    func starting(_ session: AgentSession, _ agent: Agent, insteadOf former: String? = nil) -> Effect.Kind {
        .startAgentSession(
            session: session.id, place: session.guest?.readOnly == true ? agent.place.confinedToReading : agent.place,
            folder: session.folder, setup: AgentSetup(session, insteadOf: former))
    }

    // MARK: Answering

    /// A member allows once or rejects, what is in the folder; more is up to the owner. The first answer counts, whoever gave it.
    private mutating func guestAnswers(
        _ room: RoomID, _ session: AgentSessionID, _ request: Int, _ option: String?, _ context: inout DispatchContext
    ) {
        guard let talk = guestTalk(room, session), let guest = talk.session.guest,
            let (agent, share) = share(guest.share, with: room), !share.ownerDecides,
            let approval = talk.session.approvals.first(where: { $0.request == request }),
            let verdict = approval.verdict(
                ofMember: option, in: talk.session,
                isConfined: (guest.readOnly ? agent.place.confinedToReading : agent.place).isConfined)
        else { return refuse(room, session, request: request, .gone, &context) }
        decide(talk.id, approval.id, verdict, &context)
    }
}

extension AgentApproval {
    /// What a member's answer comes to; `nil` if it is not theirs to give.
    /// - Parameter isConfined: whether a sandbox holds the agent, whatever it was allowed.
    fileprivate func verdict(
        ofMember option: String?, in session: AgentSession, isConfined: Bool
    ) -> AgentVerdict? {
        guard let option else { return .rejectedByMember }
        switch options.first(where: { $0.id == option })?.kind {
        case "reject_once", "reject_always": return .rejectedByMember
        case "allow_once":
            let stays = session.folder.map { call.stays(in: $0, isConfined: isConfined) } ?? false
            return stays && (session.guest?.readOnly != true || call.isReading) ? .onceByMember : nil
        default: return nil
        }
    }
}
