// Messages on their way: acknowledged, received, given up, expired.

extension AppState {
    // MARK: - Sent

    mutating func acknowledged(_ effect: EffectID, _ context: inout DispatchContext) {
        guard case .deliver(let room, let message, let body, _) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: room) else { return }
        changeDelivered(index, effect, body, &context)
        let isKnown = rooms[index].messages.update(message) {
            if $0.status == .pending || $0.status == .failed { $0.status = .delivered }
            $0.effect = nil
            $0.failure = nil
        }
        if isKnown { context.changed(.message(room, message)) }
    }

    mutating func deliveryFailed(
        _ effect: EffectID, _ room: RoomID, _ message: MessageID, _ failure: Failure, _ context: inout DispatchContext
    ) {
        if failure.retryable { return park(effect, after: failure, &context) }
        let kind = settle(effect, &context)
        guard let index = rooms.index(of: room) else { return }
        if case .deliver(_, _, .trust, _) = kind { trustNotDelivered(index, failure, &context) }
        if case .deliver(_, _, let body, _) = kind { changeNotDelivered(index, message, body, &context) }
        if rooms[index].outgoingProposal?.id == message {
            rooms[index].outgoingProposal = nil
            context.changed(.room(room))
        }
        let isKnown = rooms[index].messages.update(message) {
            $0.effect = nil
            guard $0.status == .pending else { return }
            $0.status = .failed
            $0.failure = failure
        }
        if isKnown { context.changed(.message(room, message)) }
    }

    /// The peer has seen these. It can say so before the acknowledgement arrives.
    mutating func receipts(_ room: RoomID, _ messages: [MessageID], _ context: inout DispatchContext) {
        guard let index = rooms.index(of: room) else { return }
        for message in messages {
            guard let old = rooms[index].messages[message], old.direction == .sent,
                [.delivered, .pending, .carried].contains(old.status)
            else { continue }
            rooms[index].messages.update(message) { $0.status = .read }
            context.changed(.message(room, message))
        }
    }

    /// The room is over: what waits will never arrive.
    mutating func giveUpPending(_ index: Int, _ failure: Failure, _ context: inout DispatchContext) {
        let room = rooms[index].id
        for effect in pendingEffects.inOrder where effect.kind.isDelivery(in: room) { settle(effect.id, &context) }
        for message in rooms[index].messages.inMemory
        where message.status == .pending || message.awaitsBytes || message.tellsOfChange {
            rooms[index].messages.update(message.id) {
                $0.giveUpTelling()
                if $0.awaitsBytes {
                    $0.transfer?.state = .failed
                    $0.transfer?.failure = failure
                }
                guard $0.status == .pending else { return }
                $0.status = .failed
                $0.effect = nil
                $0.failure = failure
            }
            context.changed(.message(room, message.id))
        }
    }

    // MARK: - Received

    /// Stores a message and acknowledges it. Before it is known who is at the other end, nothing is taken.
    mutating func messageReceived(
        _ room: RoomID, _ id: MessageID, sequence: UInt64, sentAt: Timestamp, _ body: Body, _ seal: Seal?,
        _ context: inout DispatchContext
    ) {
        guard let index = rooms.index(of: room), rooms[index].status == .accepted,
            rooms[index].live.verification == .verified || rooms[index].live.verification == .unverified
        else { return }
        if !rooms[index].messages.contains(id) { take(index, id, sentAt: sentAt, body, seal, &context) }
        // A repetition means that the first acknowledgement was lost.
        issue(.acknowledge(room: room, sequence: sequence), &context)
    }

    mutating func take(
        _ index: Int, _ id: MessageID, sentAt: Timestamp, _ body: Body, _ seal: Seal?, byHand: ByHand? = nil,
        _ context: inout DispatchContext
    ) {
        switch body {
        case .lifetimeProposal(let lifetime): proposalReceived(index, id, lifetime, &context)
        case .lifetimeAnswer(let proposal, let accepted): answerReceived(index, proposal, accepted: accepted, &context)
        case .trust: trustReceived(index, &context)
        case .reaction(let message, let emoji): reactionReceived(index, message, emoji, &context)
        case .edit(let message, let version, let text):
            editReceived(index, id, message, version: version, text, &context)
        case .deletion(let message): deletionReceived(index, id, message, &context)
        case .changeAnswer(let change, let accepted): changeAnswered(index, change, accepted: accepted, &context)
        case .lifetimeChanged, .becameMember, .peerLeft, .noteShared, .deleted: break
        case .text, .file, .location, .reply:
            guard let body = body.received else { return }
            rooms[index].live.peerTypesUntil = nil
            let message = Message(
                id: id, order: 0, direction: .received, body: body, at: context.now, sentAt: sentAt,
                status: .delivered, transfer: body.isFile ? Transfer(state: .offered) : nil, seal: seal, byHand: byHand)
            append(index, message, &context)
            rooms[index].unreadCount += 1
            if isSeen(rooms[index].id) { markSeen(index, &context) }
            // One that was opened by hand is no news to who opened it.
            if byHand == nil { announce(message, in: index, &context) }
        }
    }

    mutating func peerTyping(_ room: RoomID, _ on: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: room), rooms[index].isTalking else { return }
        guard on else { return rooms[index].live.peerTypesUntil = nil }
        let until = context.now.advanced(byMilliseconds: RoomLimits.typingTimeout)
        rooms[index].live.peerTypesUntil = until
        wake(at: until, &context)
    }

    // MARK: - Going

    mutating func dropExpiredMessages(_ index: Int, _ context: inout DispatchContext) {
        forgetMessages(rooms[index].messages.removeExpired(at: context.now), of: index, &context)
        forgetExpiredHistory(index, &context)
    }

    mutating func clearMessages(_ index: Int, _ context: inout DispatchContext) {
        forgetMessages(rooms[index].messages.removeAll(), of: index, &context)
    }

    /// Lets the oldest messages of a full room go, in steps of a tenth, so that a full room costs little per message. The
    /// person is told: it may be the other side that fills the room.
    /// - Parameter message: the one that comes; without one, a room may be full, but not fuller.
    mutating func makeRoom(for message: Message? = nil, in index: Int, _ context: inout DispatchContext) {
        if hasPages(index) { return limitHistory(index, &context) }
        let (count, bytes) = (message == nil ? 0 : 1, message?.savedBytes ?? 0)
        guard
            rooms[index].messages.count + count > RoomLimits.messages
                || rooms[index].messages.savedBytes + bytes > RoomLimits.savedBytes
        else { return }
        let gone = rooms[index].messages.removeOldest(
            leaving: RoomLimits.messages / 10 * 9, bytes: RoomLimits.savedBytes / 10 * 9 - bytes)
        forgetMessages(gone, of: index, &context)
        rooms[index].forgotten = (rooms[index].forgotten ?? 0) + gone.count
        context.changed(.room(rooms[index].id))
        notify(.information, Wording.oldestGone, room: rooms[index].id, context)
    }

    mutating func forgetMessages(_ gone: [Message], of index: Int, _ context: inout DispatchContext) {
        guard !gone.isEmpty else { return }
        let room = rooms[index].id
        var unsent: [MessageID] = []
        for message in gone {
            context.changed(.message(room, message.id))
            for effect in message.effects { settle(effect, &context) }
            if message.status == .pending { unsent.append(message.id) }
            callOffFile(of: message, in: room, &context)
        }
        rooms[index].unreadCount -= gone.count(where: rooms[index].messages.isUnread)
        if !unsent.isEmpty { issue(.withdraw(room: room, messages: unsent), &context) }
        rereadSummaries(of: room, &context)
        logChanged(index, &context)
        showMore(index, &context)
    }
}

extension Effect.Kind {
    fileprivate func isDelivery(in room: RoomID) -> Bool {
        switch self {
        case .deliver(room, _, _, _), .sealByHand(room, _, _, _): true
        default: false
        }
    }
}

extension Body {
    /// The body as it may be shown and stored here; `nil` if what the peer sent is not valid.
    fileprivate var received: Body? {
        switch self {
        case .text(let text), .reply(_, let text): text.utf8.count <= RoomLimits.textBytes ? self : nil
        case .location(let location): location.isValid ? self : nil
        case .file(var offer):
            {
                offer.handle = nil
                offer.name = offer.name.fileName
                return offer.isValid ? .file(offer) : nil
            }()
        case .reaction, .edit, .deletion, .changeAnswer, .deleted, .lifetimeProposal, .lifetimeAnswer, .lifetimeChanged,
            .trust, .becameMember, .peerLeft, .noteShared:
            nil
        }
    }
}
