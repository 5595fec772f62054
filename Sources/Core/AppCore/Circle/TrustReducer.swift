// How two people come to trust each other: each says so once, in whatever order.

extension AppState {
    mutating func reduce(_ action: CircleAction, _ turn: inout DispatchContext) {
        switch action {
        case .trustPeer(let room, let name): trustPeer(room, name: name, &turn)
        case .declineTrust(let room): declineTrust(room, &turn)
        case .renewKeys(let room): renewKeys(room, &turn)
        case .revokeTrust(let room, let reason): revokeTrust(room, reason: reason, &turn)
        case .sealByHand(let room, let text): sealByHand(room, text, &turn)
        case .openByHand(let handle): openByHand(handle, &turn)
        }
    }

    private mutating func trustPeer(_ id: RoomID, name: String?, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        // Whoever says it again gives the other one a name.
        guard rooms[index].trustGiven == nil else {
            if let name { renameRoom(id, name, &turn) }
            return
        }
        guard rooms[index].canTrust else { return notify(.problem, Wording.trustTooEarly, room: id) }
        guard circle.tombstones.count < CircleLimits.tombstones else {
            return notify(.problem, Wording.circleFull, room: id)
        }
        if let name { rooms[index].name = Self.roomName(name) }
        rooms[index].trustGiven = turn.now
        rooms[index].trustDeclined = nil
        turn.changed(.room(id))
        issue(.deliver(room: id, message: MessageID(turn.fresh.first), body: .trust, sentAt: turn.now), &turn)
        if rooms[index].isMember { appendNote(index, .becameMember, &turn) }
    }

    private mutating func declineTrust(_ id: RoomID, _ turn: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].hasOffer else { return }
        rooms[index].trustDeclined = turn.now
        turn.changed(.room(id))
    }

    /// The other person says that this one is in their circle.
    mutating func trustReceived(_ index: Int, _ turn: inout DispatchContext) {
        guard circle.tombstones.count < CircleLimits.tombstones else { return }
        if rooms[index].trustReceived == nil {
            rooms[index].trustReceived = turn.now
            if rooms[index].isMember { appendNote(index, .becameMember, &turn) }
        }
        // Somebody who says it again asks again.
        rooms[index].trustDeclined = nil
        turn.changed(.room(rooms[index].id))
    }

    /// What this person said did not reach the other one, and never will.
    mutating func trustNotDelivered(_ index: Int, _ failure: Failure, _ turn: inout DispatchContext) {
        guard rooms[index].trustGiven != nil, rooms[index].status == .accepted else { return }
        rooms[index].trustGiven = nil
        turn.changed(.room(rooms[index].id))
        notify(.problem, Wording.trustNotDelivered, room: rooms[index].id)
    }

    // MARK: - Identities

    /// Whoever is trusted keeps their identity; a revoked one is not taken in any room.
    mutating func identityKnown(_ id: RoomID, fingerprint: String, safetyNumber: String, _ turn: inout DispatchContext)
    {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        let identity = PeerIdentity(
            fingerprint: fingerprint.limited(to: CircleLimits.identityBytes),
            safetyNumber: safetyNumber.limited(to: CircleLimits.identityBytes))
        if circle.tombstone(of: identity.fingerprint) != nil {
            let failure = Failure(.trustRevoked)
            end(index, .closed, failure, &turn)
            dropLink(index, says: .leaveRoom(address: rooms[index].address), &turn)
            return notifyOnce(.problem, Wording.sentence(for: failure), room: id)
        }
        let isTrusted = rooms[index].trustGiven != nil || rooms[index].trustReceived != nil
        if isTrusted, let known = rooms[index].identity, known.fingerprint != identity.fingerprint {
            return notifyOnce(.problem, Wording.sentence(for: Failure(.identityChanged)), room: id)
        }
        rooms[index].live.introducedOver = rooms[index].live.linkEffect
        guard identity != rooms[index].identity else { return }
        rooms[index].identity = identity
        turn.changed(.room(id))
    }
}
