/// How long a room's messages stay on both machines. Both people must agree on a change.
package enum Lifetime: String, Sendable, Hashable, Codable, CaseIterable {
    /// Until somebody deletes the room.
    case keep
    /// Never written to disk; gone when the room is left.
    case ephemeral
    case oneHour = "1h"
    case sixHours = "6h"
    case oneDay = "1d"
    case sevenDays = "7d"
    case thirtyDays = "30d"

    /// Seconds until a message goes; `nil` for ``keep`` and ``ephemeral``, which have no clock.
    package var seconds: Int64? {
        switch self {
        case .keep, .ephemeral: nil
        case .oneHour: 3600
        case .sixHours: 21_600
        case .oneDay: 86_400
        case .sevenDays: 604_800
        case .thirtyDays: 2_592_000
        }
    }

    /// The lifetime of so many seconds; `nil` if there is none.
    package init?(seconds: Int64) {
        guard let match = Self.allCases.first(where: { $0.seconds == seconds }) else { return nil }
        self = match
    }
}

/// A change of lifetime that one side asked for and the other has not answered.
package struct LifetimeProposal: Sendable, Hashable, Codable {
    /// The message that carried it; the answer names it.
    package var id: MessageID
    package var lifetime: Lifetime
    package var at: Timestamp
}

// Lifetimes change only when both agree, and messages keep the lifetime they were written under.

extension AppState {
    mutating func proposeLifetime(_ id: RoomID, _ lifetime: Lifetime, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite else { return }
        // One question at a time: an answer that is on its way to an older one would be lost, and the sides would differ.
        guard rooms[index].outgoingProposal == nil, lifetime != rooms[index].lifetime else { return }
        // To propose something else is to decline.
        if rooms[index].incomingProposal != nil { answerLifetime(id, false, &context) }
        let proposal = LifetimeProposal(id: MessageID(context.fresh.first), lifetime: lifetime, at: context.now)
        rooms[index].outgoingProposal = proposal
        context.changed(.room(id))
        issue(
            .deliver(room: id, message: proposal.id, body: .lifetimeProposal(lifetime), sentAt: context.now), &context)
    }

    mutating func answerLifetime(_ id: RoomID, _ accept: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, let proposal = rooms[index].incomingProposal
        else { return }
        rooms[index].incomingProposal = nil
        context.changed(.room(id))
        let answer = Body.lifetimeAnswer(proposal: proposal.id, accepted: accept)
        issue(.deliver(room: id, message: MessageID(context.fresh.second), body: answer, sentAt: context.now), &context)
        if accept { agree(index, on: proposal.lifetime, &context) }
    }

    /// When two proposals cross, both sides keep the one with the smaller id.
    mutating func proposalReceived(
        _ index: Int, _ id: MessageID, _ lifetime: Lifetime, _ context: inout DispatchContext
    ) {
        guard rooms[index].newestPeerProposal != id else { return }
        rooms[index].newestPeerProposal = id
        context.changed(.room(rooms[index].id))
        if let own = rooms[index].outgoingProposal {
            guard id < own.id else { return }
            rooms[index].outgoingProposal = nil
        }
        rooms[index].incomingProposal = LifetimeProposal(id: id, lifetime: lifetime, at: context.now)
    }

    /// Only an answer to this side's open proposal counts: a peer cannot change the lifetime on its own.
    mutating func answerReceived(_ index: Int, _ proposal: MessageID, accepted: Bool, _ context: inout DispatchContext)
    {
        guard let own = rooms[index].outgoingProposal, own.id == proposal else { return }
        rooms[index].outgoingProposal = nil
        context.changed(.room(rooms[index].id))
        if accepted {
            agree(index, on: own.lifetime, &context)
        } else {
            notify(.information, Wording.lifetimeDeclined, room: rooms[index].id, context)
        }
    }

    private mutating func agree(_ index: Int, on lifetime: Lifetime, _ context: inout DispatchContext) {
        changeKeeping(index, &context) { $0.lifetime = lifetime }
        appendNote(index, .lifetimeChanged(lifetime), &context)
    }

    mutating func setEphemeral(_ id: RoomID, _ on: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].isEphemeral != on else { return }
        changeKeeping(index, &context) { $0.isEphemeral = on }
    }

    /// Changes whether messages are kept; their records go, or come.
    private mutating func changeKeeping(_ index: Int, _ context: inout DispatchContext, _ change: (inout Room) -> Void)
    {
        let before = rooms[index].keepsNothing
        change(&rooms[index])
        context.changed(.room(rooms[index].id))
        guard rooms[index].keepsNothing != before else { return }
        context.changed(.composer(rooms[index].id))
        historyEnds(index, &context)
        for message in rooms[index].messages.all { context.changed(.message(rooms[index].id, message.id)) }
    }
}
