// Agents of this machine that members of the circle use: shared, offered over the link, withdrawn.

extension AppState {
    mutating func shareAgent(
        _ id: AgentID, _ room: RoomID, _ folder: String?, readOnly: Bool, ownerDecides: Bool,
        _ context: inout DispatchContext
    ) {
        guard canKeepMore(context) else { return }
        guard let agent = agents.byID[id] else { return notify(.problem, Wording.agentGone, context) }
        guard rooms[room]?.isMember == true else { return notify(.problem, Wording.shareNeedsMember, context) }
        var place: String?
        switch agent.place {
        // What an agent does behind a gateway is decided there: nothing could be kept from it here.
        case .member, .gateway: return notify(.problem, Wording.shareOfOthers, context)
        case .program:
            guard let folder, folder.isAgentFolder else {
                return notify(.problem, Wording.agentFolderInvalid, context)
            }
            place = folder
        case .modelServer: break
        }
        let share = AgentShare(
            id: AgentShareID(context.fresh.first), room: room, folder: place, readOnly: readOnly,
            ownerDecides: ownerDecides, sharedAt: context.now)
        let before = agent.shares.filter { $0.room == room }
        guard !before.contains(where: { $0.grantsTheSame(as: share) }) else { return }
        guard shares(with: room).count - before.count < AgentShareLimits.shares else {
            return notify(.problem, Wording.tooManyShares, context)
        }
        // What was granted before ends, with the sessions that had it.
        agents.byID[id]?.shares.removeAll { $0.room == room }
        endShares(before, &context)
        agents.byID[id]?.shares.append(share)
        context.changed(.agent(id))
        if let index = rooms.index(of: room), rooms[index].sharesAgents != true {
            rooms[index].sharesAgents = true
            context.changed(.room(room))
        }
        offerAgents(to: room, &context)
    }

    mutating func unshareAgent(_ id: AgentID, _ room: RoomID?, _ context: inout DispatchContext) {
        let gone = (agents.byID[id]?.shares ?? []).filter { room == nil || $0.room == room }
        guard !gone.isEmpty else { return notify(.problem, Wording.agentNotShared, context) }
        let ids = Set(gone.map(\.id))
        agents.byID[id]?.shares.removeAll { ids.contains($0.id) }
        context.changed(.agent(id))
        endShares(gone, &context)
    }

    /// Sessions of shares that are gone end, what was kept for the members goes, and the members are told.
    mutating func endShares(_ gone: [AgentShare], _ context: inout DispatchContext) {
        let ids = Set(gone.map(\.id))
        for talk in talks.inOrder where talk.session.guest.map({ ids.contains($0.share) }) == true {
            closeAgentSession(talk.id, &context)
        }
        for share in gone { issue(.forgetShare(share: share.id), &context) }
        for room in Set(gone.map(\.room)).sorted(by: { $0.text < $1.text }) { offerAgents(to: room, &context) }
    }

    func shares(with room: RoomID) -> [AgentShare] {
        agents.inOrder.flatMap(\.shares).filter { $0.room == room }
    }

    func share(_ id: AgentShareID, with room: RoomID) -> (agent: Agent, share: AgentShare)? {
        for agent in agents.byID.values {
            if let share = agent.shares.first(where: { $0.id == id && $0.room == room }) { return (agent, share) }
        }
        return nil
    }

    // MARK: Over the link

    /// Tells the member over the link what they may use, if that is another list than the one that was told.
    mutating func offerAgents(to room: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: room) else { return }
        offerAgents(index, &context)
    }

    mutating func offerAgents(_ index: Int, _ context: inout DispatchContext) {
        let room = rooms[index]
        guard room.isMember, room.hasShownItself else { return withdrawAgents(index, &context) }
        let offers = agents.inOrder.flatMap { agent in
            agent.shares.filter { $0.room == room.id }.map {
                AgentOffer(share: $0.id, name: agent.name, readOnly: $0.readOnly)
            }
        }
        // A member with whom nothing was ever shared hears nothing.
        guard room.sharesAgents == true, offers != room.live.offered else { return }
        rooms[index].live.offered = offers
        issue(.offerAgents(room: room.id, agents: offers), &context)
    }

    /// The link is down, or another one: nothing is said over it before the member has shown who they are.
    mutating func withdrawAgents(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].live.offered != nil else { return }
        rooms[index].live.offered = nil
        issue(.offerAgents(room: rooms[index].id, agents: nil), &context)
    }

    /// The two do not trust each other any more.
    mutating func endSharing(with room: RoomID, _ context: inout DispatchContext) {
        for agent in agents.inOrder where agent.shares.contains(where: { $0.room == room }) {
            unshareAgent(agent.id, room, &context)
        }
        for agent in agents.inOrder where agent.place.member == room { withdraw(agent, &context) }
    }
}

extension Room {
    /// Whether the identity that is trusted was shown over the very connection that is verified.
    var hasShownItself: Bool { isVerified && live.linkEffect != nil && live.introducedOver == live.linkEffect }
}

extension Agent.Place {
    /// The room with the person whose agent it is; `nil` for one of this machine.
    package var member: RoomID? { if case .member(let room, _, _) = self { room } else { nil } }

    /// Whether it is a program in a sandbox.
    package var isConfined: Bool { if case .program(_, .some, _) = self { true } else { false } }

    /// The same agent, kept from changing anything: a program only reads its folder.
    var confinedToReading: Agent.Place {
        guard case .program(let command, let sandbox, let variables) = self else { return self }
        var wall = sandbox ?? AgentSandbox(network: false)
        wall.readOnly = true
        return .program(command: command, sandbox: wall, variables: variables)
    }
}
