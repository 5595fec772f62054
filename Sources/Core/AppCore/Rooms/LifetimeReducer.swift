// Lifetimes change only when both agree, and messages keep the lifetime they were written under.

extension AppState {
    mutating func proposeLifetime(_ id: RoomID, _ lifetime: Lifetime, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite else { return }
        // One question at a time: an answer that is on its way to an older one would be lost, and the sides would differ.
        guard rooms[index].outgoingProposal == nil, lifetime != rooms[index].lifetime else { return }
        // To propose something else is to decline.
        if rooms[index].incomingProposal != nil { answerLifetime(id, false, &turn) }
        let proposal = LifetimeProposal(id: MessageID(turn.fresh.first), lifetime: lifetime, at: turn.now)
        rooms[index].outgoingProposal = proposal
        turn.changed(.room(id))
        issue(.deliver(room: id, message: proposal.id, body: .lifetimeProposal(lifetime), sentAt: turn.now), &turn)
    }

    mutating func answerLifetime(_ id: RoomID, _ accept: Bool, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, let proposal = rooms[index].incomingProposal
        else { return }
        rooms[index].incomingProposal = nil
        turn.changed(.room(id))
        let answer = Body.lifetimeAnswer(proposal: proposal.id, accepted: accept)
        issue(.deliver(room: id, message: MessageID(turn.fresh.second), body: answer, sentAt: turn.now), &turn)
        if accept { agree(index, on: proposal.lifetime, &turn) }
    }

    /// When two proposals cross, both sides keep the one with the smaller id.
    mutating func proposalReceived(_ index: Int, _ id: MessageID, _ lifetime: Lifetime, _ turn: inout DispatchContext) {
        guard rooms[index].newestPeerProposal != id else { return }
        rooms[index].newestPeerProposal = id
        turn.changed(.room(rooms[index].id))
        if let own = rooms[index].outgoingProposal {
            guard id < own.id else { return }
            rooms[index].outgoingProposal = nil
        }
        rooms[index].incomingProposal = LifetimeProposal(id: id, lifetime: lifetime, at: turn.now)
    }

    /// Only an answer to this side's open proposal counts: a peer cannot change the lifetime on its own.
    mutating func answerReceived(_ index: Int, _ proposal: MessageID, accepted: Bool, _ turn: inout DispatchContext) {
        guard let own = rooms[index].outgoingProposal, own.id == proposal else { return }
        rooms[index].outgoingProposal = nil
        turn.changed(.room(rooms[index].id))
        if accepted {
            agree(index, on: own.lifetime, &turn)
        } else {
            notify(.information, Wording.lifetimeDeclined, room: rooms[index].id)
        }
    }

    private mutating func agree(_ index: Int, on lifetime: Lifetime, _ turn: inout DispatchContext) {
        changeKeeping(index, &turn) { $0.lifetime = lifetime }
        appendNote(index, .lifetimeChanged(lifetime), &turn)
    }

    mutating func setEphemeral(_ id: RoomID, _ on: Bool, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].isEphemeral != on else { return }
        changeKeeping(index, &turn) { $0.isEphemeral = on }
    }

    /// Changes whether messages are kept; their records go, or come.
    private mutating func changeKeeping(_ index: Int, _ turn: inout DispatchContext, _ change: (inout Room) -> Void) {
        let before = rooms[index].keepsNothing
        change(&rooms[index])
        turn.changed(.room(rooms[index].id))
        guard rooms[index].keepsNothing != before else { return }
        for message in rooms[index].messages.all { turn.changed(.message(rooms[index].id, message.id)) }
    }
}
