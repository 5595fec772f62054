// How two people come to trust each other: each says so once, in whatever order. And the one-time keys that they have.

extension AppState {
    mutating func reduce(_ action: CircleAction, _ context: inout DispatchContext) {
        switch action {
        case .trustPeer(let room, let name): trustPeer(room, name: name, &context)
        case .declineTrust(let room): declineTrust(room, &context)
        case .renewKeys(let room): renewKeys(room, &context)
        case .revokeTrust(let room, let reason): revokeTrust(room, reason: reason, &context)
        case .sealByHand(let room, let text): sealByHand(room, text, &context)
        case .openByHand(let handle): openByHand(handle, &context)
        }
    }

    private mutating func trustPeer(_ id: RoomID, name: String?, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        // Saying it again gives the other person a name.
        guard rooms[index].trustGiven == nil else {
            if let name { renameRoom(id, name, &context) }
            return
        }
        guard rooms[index].canTrust else { return notify(.problem, Wording.trustTooEarly, room: id, context) }
        guard circle.tombstones.count < CircleLimits.tombstones else {
            return notify(.problem, Wording.circleFull, room: id, context)
        }
        if let name { rooms[index].name = Self.roomName(name) }
        rooms[index].trustGiven = context.now
        rooms[index].trustDeclined = nil
        context.changed(.room(id))
        issue(.deliver(room: id, message: MessageID(context.fresh.first), body: .trust, sentAt: context.now), &context)
        if rooms[index].isMember { appendNote(index, .becameMember, &context) }
    }

    private mutating func declineTrust(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].hasOffer else { return }
        rooms[index].trustDeclined = context.now
        context.changed(.room(id))
    }

    /// The other person says that this one is in their circle.
    mutating func trustReceived(_ index: Int, _ context: inout DispatchContext) {
        guard circle.tombstones.count < CircleLimits.tombstones else { return }
        if rooms[index].trustReceived == nil {
            rooms[index].trustReceived = context.now
            if rooms[index].isMember { appendNote(index, .becameMember, &context) }
        }
        // Somebody who says it again asks again.
        rooms[index].trustDeclined = nil
        context.changed(.room(rooms[index].id))
    }

    /// What this person said did not reach the other one, and never will.
    mutating func trustNotDelivered(_ index: Int, _ failure: Failure, _ context: inout DispatchContext) {
        guard rooms[index].trustGiven != nil, rooms[index].status == .accepted else { return }
        rooms[index].trustGiven = nil
        context.changed(.room(rooms[index].id))
        notify(.problem, Wording.trustNotDelivered, room: rooms[index].id, context)
    }

    // MARK: - Identities

    /// A trusted person keeps their identity. A revoked identity is not accepted in any room.
    mutating func identityKnown(
        _ id: RoomID, fingerprint: String, safetyNumber: String, _ context: inout DispatchContext
    ) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        let identity = PeerIdentity(
            fingerprint: fingerprint.limited(to: CircleLimits.identityBytes),
            safetyNumber: safetyNumber.limited(to: CircleLimits.identityBytes))
        if circle.tombstone(of: identity.fingerprint) != nil {
            let failure = Failure(.trustRevoked)
            end(index, .closed, failure, &context)
            dropLink(index, says: .leaveRoom(address: rooms[index].address), &context)
            return notifyOnce(.problem, Words(failure), room: id, context)
        }
        let isTrusted = rooms[index].trustGiven != nil || rooms[index].trustReceived != nil
        if isTrusted, let known = rooms[index].identity, known.fingerprint != identity.fingerprint {
            return notifyOnce(.problem, Words(Failure(.identityChanged)), room: id, context)
        }
        rooms[index].live.introducedOver = rooms[index].live.linkEffect
        offerAgents(index, &context)
        guard identity != rooms[index].identity else { return }
        rooms[index].identity = identity
        context.changed(.room(id))
    }

    // MARK: - One-time keys

    mutating func keysChanged(_ id: RoomID, _ keys: KeyState) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        rooms[index].live.keys = KeyState(
            ours: max(keys.ours, 0), theirs: max(keys.theirs, 0), epoch: max(keys.epoch, 0), level: keys.level)
    }

    mutating func renewKeys(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canRenewKeys else { return }
        rooms[index].live.renewEffect = issue(.renewKeys(room: id), &context)
    }

    mutating func renewalEnded(_ effect: EffectID, _ id: RoomID, _ failure: Failure?, _ context: inout DispatchContext)
    {
        settle(effect, &context)
        guard let index = rooms.index(of: id), rooms[index].live.renewEffect == effect else { return }
        rooms[index].live.renewEffect = nil
        if let failure { notify(.problem, Words(failure), room: id, context) }
    }

    /// A message came that could not be opened. The first one of its kind is told, the rest are counted.
    mutating func sealedRefused(_ id: RoomID, _ reason: Failure.Code, _ context: DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        let known: Set<Failure.Code> = [.forged, .replayed, .keyReused, .unknownKey]
        let reason = known.contains(reason) ? reason : .unreadable
        let isFirst = rooms[index].live.refusals.add(reason)
        if isFirst { notifyOnce(.problem, Words(Failure(reason)), room: id, context) }
    }
}
