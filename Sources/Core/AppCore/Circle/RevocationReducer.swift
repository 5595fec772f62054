// How trust ends: by this person, by the other one, or by deleting the room. The messages stay, the keys do not.

extension AppState {
    mutating func revokeTrust(_ id: RoomID, reason: String?, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canRevoke else { return }
        let reason = reason.map { $0.withoutControls.trimmed.limited(to: CircleLimits.reasonBytes) } ?? ""
        endTrust(index, by: .own, reason: reason.isEmpty ? nil : reason, &context)
        // The confirming page has nothing more to confirm.
        views.updateAll { view in if view.screen == Screen(.revoke, room: id) { view.screens.removeLast() } }
    }

    /// The peer's signed notice: both hosts have destroyed the keys already.
    mutating func trustRevoked(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        bury(index, by: .peer, reason: nil, &context)
        stopSeeking(index, &context)
        dropLink(index, says: .leaveRoom(address: rooms[index].address), &context)
        notify(.information, Words(Failure(.trustRevoked)), room: id, context)
    }

    /// The peer deleted the room, and will not come back. No signed notice came, so this side destroys the keys.
    mutating func peerEndedTrust(_ index: Int, _ context: inout DispatchContext) {
        endTrust(index, by: .peer, reason: nil, &context)
        notify(.information, Words(Failure(.trustRevoked)), room: rooms[index].id, context)
    }

    /// Ends the trust from this side: the host tells the peer if it can, destroys the keys and closes the link.
    mutating func endTrust(_ index: Int, by party: Party, reason: String?, _ context: inout DispatchContext) {
        bury(index, by: party, reason: reason, &context)
        stopSeeking(index, &context)
        let revocation = Effect.Kind.revokeTrust(address: rooms[index].address, reason: reason)
        if rooms[index].live.linkEffect == nil {
            issue(revocation, &context)
        } else {
            dropLink(index, says: revocation, &context)
        }
    }

    /// Puts up the tombstone; nothing more can happen in the room.
    private mutating func bury(_ index: Int, by party: Party, reason: String?, _ context: inout DispatchContext) {
        let room = rooms[index]
        circle.tombstones[room.id] = Tombstone(
            id: room.id, name: room.title, fingerprint: room.identity?.fingerprint, revokedAt: context.now, by: party,
            reason: reason)
        context.changed(.tombstone(room.id))
        endSharing(with: room.id, &context)
        rooms[index].revokedBy = party
        rooms[index].live.keys = nil
        rooms[index].live.refusals = Refusals()
        end(index, .revoked, Failure(.trustRevoked), &context)
        if rooms[index].keepsNothing { clearMessages(index, &context) }
    }

    /// The host has done what it could. A room that was deleted meanwhile can be forgotten there now.
    mutating func revocationEnded(_ effect: EffectID, _ address: RoomAddress, _ context: inout DispatchContext) {
        settle(effect, &context)
        if rooms[address.room] == nil { issue(.deleteRooms(rooms: [address]), &context) }
    }

    /// Rooms whose revocation is under way.
    var roomsBeingRevoked: Set<RoomID> {
        Set(
            pendingEffects.byID.values.compactMap { kind in
                if case .revokeTrust(let address, _) = kind { address.room } else { nil }
            })
    }
}
