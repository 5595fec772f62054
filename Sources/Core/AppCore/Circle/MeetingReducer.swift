// How members find each other without a code. A person who was met before is looked for at the meeting place only. A member
// who never came there may not know yet that both have said it, and sits in the old room: that one is looked for in both
// places, in turns.

extension AppState {
    /// Begins to look for a member.
    mutating func seek(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].live.reopenAt = nil
        rooms[index].live.linkFailure = nil
        let limit = rooms[index].hasMet ? nil : context.fresh.number(in: CircleLimits.patience)
        rooms[index].live.meetEffect = issue(.meet(address: rooms[index].address, limit: limit), &context)
    }

    mutating func memberMet(
        _ effect: EffectID, role: Room.Role, device: DeviceID, serverRoom: ServerRoomID,
        _ context: inout DispatchContext
    ) {
        guard case .meet = pendingEffects[effect] else { return }
        let index = index(ofMeeting: effect)
        settle(effect, &context)
        guard let index else { return }
        rooms[index].live.meetEffect = nil
        rooms[index].role = role
        rooms[index].device = device
        rooms[index].serverRoom = serverRoom
        rooms[index].metAt = context.now
        context.changed(.room(rooms[index].id))
        openMemberLink(index, &context)
    }

    mutating func meetingEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        let index = index(ofMeeting: effect)
        settle(effect, &context)
        guard let index else { return }
        rooms[index].live.meetEffect = nil
        switch failure?.code {
        case .trustRevoked: trustRevoked(rooms[index].id, &context)
        case .peerTimeout where !rooms[index].hasMet: openMemberLink(index, &context)
        // The host has refused for good the person who came to the place.
        case .codeSpent, .wordsMismatch, .identityChanged:
            memberUnreachable(index, Failure(.identityChanged), &context)
        case .peerTimeout, nil: seekLater(index, after: nil, &context)
        default: memberUnreachable(index, failure ?? Failure(.other), &context)
        }
    }

    /// Opens the link at the place where the member was last, for as long as patience lasts.
    mutating func openMemberLink(_ index: Int, _ context: inout DispatchContext) {
        openLinkHere(index, &context)
        limitLink(index, &context)
    }

    private mutating func limitLink(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].live.linkEffect != nil, rooms[index].live.giveUpAt == nil else { return }
        let time = context.now.advanced(byMilliseconds: context.fresh.number(in: CircleLimits.patience))
        rooms[index].live.giveUpAt = time
        wake(at: time, &context)
    }

    /// A member's link is given up when nobody is at the other end for too long, and kept while somebody is.
    mutating func memberLinkChanged(_ index: Int, _ link: LinkState, _ context: inout DispatchContext) {
        guard rooms[index].isMember else { return }
        switch link {
        case .verifying: break
        case .connected:
            rooms[index].live.giveUpAt = nil
            noteSeen(index, &context)
        case .closed, .connecting, .waitingForPeer, .reconnecting: limitLink(index, &context)
        }
    }

    /// The peer did not come to the place of the link, so the search goes on at the meeting place.
    mutating func giveUpLink(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].live.giveUpAt = nil
        guard rooms[index].isMember, rooms[index].live.linkEffect != nil else { return }
        dropLink(index, says: .closeLink(room: rooms[index].id), &context)
        // Also while the app is not in front, so that people stay within reach.
        if rooms[index].wantsLink { seek(index, &context) }
    }

    /// The link to a member ended. Nothing that a server or a stranger does ends the room, only the two people do.
    mutating func memberLinkEnded(_ index: Int, _ failure: Failure?, _ context: inout DispatchContext) {
        switch failure?.code {
        case .trustRevoked: trustRevoked(rooms[index].id, &context)
        case .roomGone, .codeUnknown, .codeExpired, .codeSpent, .roomFull, .peerGone, .peerTimeout, nil:
            seekLater(index, after: failure?.retryAfter, &context)
        case .wordsMismatch, .identityChanged:
            let stranger = Failure(.identityChanged, retryable: true)
            notifyOnce(.problem, Words(stranger), room: rooms[index].id, context)
            memberUnreachable(index, stranger, &context)
        default: memberUnreachable(index, failure ?? Failure(.other), &context)
        }
    }

    /// Something is wrong that the person should see; what may pass is tried again.
    private mutating func memberUnreachable(_ index: Int, _ failure: Failure, _ context: inout DispatchContext) {
        rooms[index].live.linkFailure = failure
        guard failure.retryable else {
            return notifyOnce(.problem, Words(failure), room: rooms[index].id, context)
        }
        seekLater(index, after: failure.retryAfter ?? Self.retryInterval, &context)
    }

    private mutating func seekLater(_ index: Int, after wait: Int64?, _ context: inout DispatchContext) {
        guard rooms[index].wantsLink else { return }
        let time = context.now.advanced(byMilliseconds: max(wait ?? CircleLimits.pause, 1000))
        rooms[index].live.reopenAt = time
        wake(at: time, &context)
    }

    /// Ends the search, if there is one; what it still finds is not heard.
    mutating func stopSeeking(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].live.reopenAt = nil
        rooms[index].live.giveUpAt = nil
        guard let effect = rooms[index].live.meetEffect else { return }
        settle(effect, &context)
        rooms[index].live.meetEffect = nil
        rooms[index].live.linkFailure = nil
        issue(.stopMeeting(room: rooms[index].id), &context)
    }

    private mutating func noteSeen(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].lastSeen = context.now
        context.changed(.room(rooms[index].id))
    }

    /// The room whose present search this effect is.
    private func index(ofMeeting effect: EffectID) -> Int? {
        guard case .meet(let address, _) = pendingEffects[effect], let index = rooms.index(of: address.room),
            rooms[index].live.meetEffect == effect
        else { return nil }
        return index
    }
}
