// The link to the peer. The host keeps it alive; the core decides when there is to be one.

extension AppState {
    /// Opens the link of a room that both have, once, and only while the app is in front and unlocked.
    mutating func openLink(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].status == .accepted, rooms[index].live.linkEffect == nil,
            rooms[index].live.meetEffect == nil, isActive, !lock.isLocked
        else { return }
        if rooms[index].isMember { seek(index, &context) } else { openLinkHere(index, &context) }
    }

    /// Opens the link in the server's room that is known.
    mutating func openLinkHere(_ index: Int, _ context: inout DispatchContext) {
        rooms[index].live.reopenAt = nil
        rooms[index].live.linkFailure = nil
        rooms[index].live.link = .connecting
        rooms[index].live.linkEffect = issue(
            .openLink(address: rooms[index].address, words: rooms[index].words, iceServers: settings.usedIceServers),
            &context)
    }

    /// Ends the link from this side with `kind`; what the old link still reports is not heard.
    mutating func dropLink(_ index: Int, says kind: Effect.Kind, _ context: inout DispatchContext) {
        rooms[index].live.reopenAt = nil
        rooms[index].live.giveUpAt = nil
        guard let effect = rooms[index].live.linkEffect else { return }
        settle(effect, &context)
        withdrawAgents(index, &context)
        rooms[index].live.linkEffect = nil
        forgetLink(index)
        issue(kind, &context)
    }

    /// Opens the link anew if it was opened with other STUN and TURN servers than there are now. What works is not interrupted for
    /// that: it takes them when it breaks.
    mutating func renewLink(_ index: Int, _ context: inout DispatchContext) {
        guard let effect = rooms[index].live.linkEffect, case .openLink(_, _, let servers) = pendingEffects[effect],
            servers != settings.usedIceServers,
            [.connecting, .waitingForPeer, .reconnecting].contains(rooms[index].live.link)
        else { return }
        dropLink(index, says: .closeLink(room: rooms[index].id), &context)
        if rooms[index].isMember { openMemberLink(index, &context) } else { openLinkHere(index, &context) }
    }

    private mutating func forgetLink(_ index: Int) {
        rooms[index].live.link = .closed
        rooms[index].live.linkFailure = nil
        rooms[index].live.path = nil
        rooms[index].live.giveUpAt = nil
        forgetVerification(index)
    }

    private mutating func forgetVerification(_ index: Int) {
        rooms[index].live.verification = .none
        rooms[index].live.safetyNumber = nil
        rooms[index].live.comparison = nil
        rooms[index].live.introducedOver = nil
        rooms[index].live.peerTypesUntil = nil
        rooms[index].live.toldTypingAt = nil
        rooms[index].live.typingViews = []
        forgetShares(index)
    }

    /// The room whose present link this effect holds.
    private func index(ofLink effect: EffectID) -> Int? {
        guard case .openLink(let address, _, _) = pendingEffects[effect], let index = rooms.index(of: address.room),
            rooms[index].live.linkEffect == effect
        else { return nil }
        return index
    }

    mutating func linkChanged(
        _ effect: EffectID, _ link: LinkState, _ path: LinkPath?, _ context: inout DispatchContext
    ) {
        guard let index = index(ofLink: effect) else { return }
        rooms[index].live.link = link
        if [.waitingForPeer, .verifying, .connected].contains(link) { rooms[index].live.linkFailure = nil }
        switch link {
        case .closed, .connecting, .waitingForPeer:
            rooms[index].live.path = nil
            forgetVerification(index)
        case .reconnecting:
            rooms[index].live.peerTypesUntil = nil
            rooms[index].live.toldTypingAt = nil
            rooms[index].live.typingViews = []
        case .verifying: break
        case .connected: rooms[index].live.path = path ?? rooms[index].live.path
        }
        memberLinkChanged(index, link, &context)
        reportSeen(index, &context)
        startSharing(index, &context)
        offerAgents(index, &context)
        // What is only interrupted may be back in a moment.
        if link != .reconnecting { renewLink(index, &context) }
    }

    /// The host goes on trying; the person sees what it is up against.
    mutating func roomTroubled(_ id: RoomID, _ failure: Failure?) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted,
            rooms[index].live.linkEffect != nil || rooms[index].live.meetEffect != nil,
            rooms[index].live.link != .connected
        else { return }
        rooms[index].live.linkFailure = failure.map { failure in
            var failure = failure
            failure.place = failure.place?.limited(to: Failure.placeBytes)
            return failure
        }
    }

    mutating func verificationChanged(
        _ effect: EffectID, _ outcome: Verification, safetyNumber: String?, _ context: inout DispatchContext
    ) {
        guard let index = index(ofLink: effect) else { return }
        if safetyNumber != rooms[index].live.safetyNumber { rooms[index].live.comparison = nil }
        rooms[index].live.safetyNumber = safetyNumber?.limited(to: 256)
        rooms[index].live.verification = outcome
        if outcome == .failed { return wordsDiffer(index, &context) }
        reportSeen(index, &context)
        startSharing(index, &context)
        offerAgents(index, &context)
    }

    /// The words have done their work.
    mutating func peerRemembered(_ effect: EffectID, _ context: inout DispatchContext) {
        guard let index = index(ofLink: effect), let words = rooms[index].words else { return }
        rooms[index].words = nil
        context.changed(.room(rooms[index].id))
        forget([words], &context)
    }

    /// The one who is there is not the other person. That spends a code; a member is looked for again, and only a person who
    /// has compared numbers ends the trust.
    private mutating func wordsDiffer(_ index: Int, _ context: inout DispatchContext) {
        guard rooms[index].isMember else { return spend(index, &context) }
        dropLink(index, says: .closeLink(room: rooms[index].id), &context)
        memberLinkEnded(index, Failure(.identityChanged), &context)
    }

    /// Somebody who does not know the words, or a server that swaps keys: nothing more is said in this room.
    private mutating func spend(_ index: Int, _ context: inout DispatchContext) {
        let failure = Failure(.wordsMismatch)
        end(index, .spent, failure, &context)
        dropLink(index, says: .leaveRoom(address: rooms[index].address), &context)
        rooms[index].live.verification = .failed
        notify(.problem, Words(failure), room: rooms[index].id, context)
    }

    /// Nothing more can happen in this room; messages and files that wait are given up.
    mutating func end(_ index: Int, _ status: Room.Status, _ failure: Failure, _ context: inout DispatchContext) {
        rooms[index].status = status
        rooms[index].failure = failure
        rooms[index].wantsLink = false
        rooms[index].outgoingProposal = nil
        rooms[index].incomingProposal = nil
        rooms[index].sharedNotes = SharedNotes()
        context.changed(.room(rooms[index].id))
        giveUpPending(index, failure, &context)
    }

    mutating func linkEnded(_ effect: EffectID, _ id: RoomID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let index = rooms.index(of: id), rooms[index].live.linkEffect == effect else { return }
        withdrawAgents(index, &context)
        rooms[index].live.linkEffect = nil
        forgetLink(index)
        if rooms[index].isMember { return memberLinkEnded(index, failure, &context) }
        guard let failure else { return }
        switch failure.code {
        case .trustRevoked: trustRevoked(id, &context)
        case .wordsMismatch: spend(index, &context)
        case .roomGone, .codeUnknown, .peerGone:
            end(index, .closed, failure, &context)
            notify(.information, Words(failure), room: id, context)
        default:
            rooms[index].live.linkFailure = failure
            guard failure.retryable else { return notifyOnce(.problem, Words(failure), room: id, context) }
            let time = context.now.advanced(byMilliseconds: max(failure.retryAfter ?? Self.retryInterval, 1000))
            rooms[index].live.reopenAt = time
            wake(at: time, &context)
        }
    }

    mutating func peerLeft(_ id: RoomID, forever: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].status == .accepted else { return }
        rooms[index].live.peerTypesUntil = nil
        if rooms[index].messages.last?.body != .peerLeft { appendNote(index, .peerLeft, &context) }
        guard forever else { return }
        if rooms[index].isMember { return peerEndedTrust(index, &context) }
        let failure = Failure(.peerGone)
        end(index, .closed, failure, &context)
        dropLink(index, says: .leaveRoom(address: rooms[index].address), &context)
        if rooms[index].keepsNothing { clearMessages(index, &context) }
        notify(.information, Words(failure), room: id, context)
    }

    // MARK: - Safety number

    mutating func compareSafetyNumber(_ id: RoomID, matches: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].isTalking, rooms[index].live.safetyNumber != nil else {
            return
        }
        rooms[index].live.comparison = matches
        issue(.confirmSafetyNumber(room: id, matches: matches), &context)
        guard !matches else { return }
        if rooms[index].isMember { endTrust(index, by: .own, reason: nil, &context) } else { spend(index, &context) }
    }
}
