// Messages that somebody carries from one machine to the other in a file.

extension AppState {
    mutating func sealByHand(_ id: RoomID, _ text: String, _ context: inout DispatchContext) {
        let text = text.said
        guard let index = rooms.index(of: id) else { return }
        if let reason = rooms[index].refusalToSeal(text) { return refuse(text, reason, in: index, &context) }
        if let storageFailure { return refuse(text, Wording.storage(storageFailure), in: index, &context) }
        let message = MessageID(context.fresh.first)
        guard !rooms[index].messages.contains(message) else { return }
        let seal = Effect.Kind.sealByHand(room: id, message: message, body: .text(text), sentAt: context.now)
        append(
            index,
            Message(
                id: message, order: 0, direction: .sent, body: .text(text), at: context.now, sentAt: context.now,
                status: .pending, effect: issue(seal, &context), byHand: ByHand()), &context)
        takeFromComposer(text, in: index, &context)
        setTyping(id, false, in: context.view ?? .main, &context)
    }

    mutating func sealedByHand(_ effect: EffectID, handle: String, _ context: inout DispatchContext) {
        guard case .sealByHand(let room, let message, _, _) = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: room) else { return }
        let isKnown = rooms[index].messages.update(message) {
            $0.effect = nil
            guard $0.status == .pending else { return }
            $0.status = .carried
            $0.byHand = ByHand(handle: handle.limited(to: CircleLimits.handleBytes))
        }
        if isKnown { context.changed(.message(room, message)) }
    }

    /// Somebody waits for the file, so it is made now or not at all: a file that is made later has used up a key, and the person does not know
    /// of it. The person can try again.
    mutating func sealingFailed(
        _ effect: EffectID, _ room: RoomID, _ message: MessageID, _ failure: Failure, _ context: inout DispatchContext
    ) {
        var final = failure
        final.retryable = false
        deliveryFailed(effect, room, message, final, &context)
    }

    /// What was being sealed when the last process ended is not sealed behind the person's back.
    mutating func sealingWasLost(_ index: Int, _ context: inout DispatchContext) {
        let room = rooms[index].id
        for message in rooms[index].messages.inMemory where message.byHand != nil && message.status == .pending {
            if let effect = message.effect, pendingEffects[effect] != nil { continue }
            rooms[index].messages.update(message.id) {
                $0.status = .failed
                $0.effect = nil
                $0.failure = Failure(.other, "the program ended before it was sealed")
            }
            context.changed(.message(room, message.id))
        }
    }

    mutating func openByHand(_ handle: String, _ context: inout DispatchContext) {
        guard !handle.isEmpty, handle.utf8.count <= CircleLimits.handleBytes else {
            return notify(.problem, Words(Failure(.fileUnreadable)), context)
        }
        let isUnderWay = pendingEffects.contains {
            if case .openByHand(handle) = $0 { true } else { false }
        }
        if !isUnderWay, canKeepMore(context) { issue(.openByHand(handle: handle), &context) }
    }

    /// Stores what was in the file; the acknowledgement has the key destroyed, as for a message over the link.
    mutating func openedByHand(
        _ effect: EffectID, _ room: RoomID, _ message: MessageID, sentAt: Timestamp, _ body: Body, _ seal: Seal?,
        _ context: inout DispatchContext
    ) {
        guard case .openByHand = pendingEffects[effect] else { return }
        settle(effect, &context)
        guard let index = rooms.index(of: room), rooms[index].status == .accepted else {
            return notify(.problem, Words(Failure(.trustRevoked)), context)
        }
        if !rooms[index].messages.contains(message), body.isCarried {
            take(index, message, sentAt: sentAt, body, seal, byHand: ByHand(), &context)
        }
        issue(.acknowledgeByHand(room: room, message: message), &context)
    }
}

extension Room {
    /// Why this text cannot be sealed by hand here; nil if it can.
    fileprivate func refusalToSeal(_ text: String) -> Words? {
        if text.isEmpty { return Wording.nothingToSeal }
        if status == .revoked { return Words(Failure(.trustRevoked)) }
        if !canWrite { return Wording.cannotWrite(statusText) }
        if text.utf8.count > RoomLimits.textBytes { return Wording.textTooLong }
        if !canSealByHand { return Words(Failure(.noKeys)) }
        return messages.pendingCount < RoomLimits.pendingMessages ? nil : Wording.tooManyPending
    }
}

extension Body {
    /// Whether it can be carried by hand: what two machines agree on needs an order, and a file's bytes need a link.
    fileprivate var isCarried: Bool {
        switch self {
        case .text, .location: true
        default: false
        }
    }
}
