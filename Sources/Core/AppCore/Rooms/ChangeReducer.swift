// Replies are messages; reactions, edits and deletions change a message that is there. Each side decides for itself whether it
// follows what the other one changes, and says so.

extension AppState {
    // MARK: - This person

    mutating func react(_ id: RoomID, _ message: MessageID, _ emoji: String?, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, canKeepMore(in: id, context),
            let old = rooms[index].messages[message], old.isAnswerable, emoji?.isReaction ?? true
        else { return }
        let before = old.reactions?.first { $0.by == .own }
        guard emoji != nil || before?.emoji != nil else { return }
        takeBack(before?.telling, in: id, &context)
        let telling = tell(.reaction(to: message, emoji: emoji), in: id, &context)
        change(message, of: index, &context) {
            $0.setReaction(Reaction(by: .own, emoji: emoji, telling: telling))
        }
    }

    mutating func editMessage(_ id: RoomID, _ message: MessageID, _ text: String, _ context: inout DispatchContext) {
        let text = text.said
        guard let index = rooms.index(of: id), let old = rooms[index].messages[message], old.isEditable,
            !text.isEmpty, let body = old.body.saying(text)
        else { return }
        guard rooms[index].canWrite, text.utf8.count <= RoomLimits.textBytes, canKeepMore(in: id, context) else {
            let reason = rooms[index].canWrite ? Wording.textTooLong : Wording.cannotWrite(rooms[index].statusText)
            return refuse(text, reason, in: index, &context)
        }
        takeBack(old.change?.telling, in: id, &context)
        let version = (old.change?.version ?? 0) &+ 1
        let telling = tell(.edit(of: message, version: version, text: text), in: id, &context)
        let now = context.now
        change(message, of: index, &context) {
            $0.say(body, instead: now)
            $0.change = MessageChange(
                id: telling.id, kind: .edited, version: version, state: .waiting, at: now, telling: telling)
        }
        requote(message, in: index, &context)
        takeFromComposer(text, in: index, &context)
    }

    mutating func deleteMessage(_ id: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), let old = rooms[index].messages[message], old.isDeletable else { return }
        takeBack(old.change?.telling, in: id, &context)
        guard old.direction == .sent, old.status != .failed, rooms[index].canWrite else {
            // Here alone: it is the other one's, or it never arrived, or nothing can be said here any more.
            if let gone = rooms[index].messages.remove(message) { forgetMessages([gone], of: index, &context) }
            return requote(message, in: index, &context)
        }
        if let effect = old.effect {
            settle(effect, &context)
            issue(.withdraw(room: id, messages: [message]), &context)
        }
        callOffFile(of: old, in: id, &context)
        let telling = tell(.deletion(of: message), in: id, &context)
        let now = context.now
        change(message, of: index, &context) {
            $0.becomeDeleted()
            if $0.status == .pending { $0.status = .delivered }
            $0.change = MessageChange(
                id: telling.id, kind: .deleted, version: 0, state: .waiting, at: now, telling: telling)
        }
        requote(message, in: index, &context)
    }

    mutating func keepChanged(_ id: RoomID, _ on: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].keepsChanged ?? false != on else { return }
        rooms[index].keepsChanged = on ? true : nil
        context.changed(.room(id))
    }

    // MARK: - The other person

    mutating func reactionReceived(
        _ index: Int, _ message: MessageID, _ emoji: String?, _ context: inout DispatchContext
    ) {
        guard emoji?.isReaction ?? true, rooms[index].messages[message]?.isAnswerable == true else { return }
        change(message, of: index, &context) { $0.setReaction(Reaction(by: .peer, emoji: emoji)) }
    }

    mutating func editReceived(
        _ index: Int, _ id: MessageID, _ message: MessageID, version: Int, _ text: String,
        _ context: inout DispatchContext
    ) {
        let room = rooms[index].id
        guard let old = rooms[index].messages[message], old.direction == .received,
            text.utf8.count <= RoomLimits.textBytes, !text.isEmpty, let body = old.body.saying(text),
            version > old.change?.version ?? 0
        else {
            return answer(id, accepted: false, in: room, &context)
        }
        takeBack(old.change?.telling, in: room, &context)
        let (isFollowed, now) = (rooms[index].keepsChanged != true, context.now)
        let telling = tell(.changeAnswer(change: id, accepted: isFollowed), in: room, answering: true, &context)
        change(message, of: index, &context) {
            if isFollowed { $0.say(body, instead: now) }
            $0.change = MessageChange(
                id: id, kind: .edited, version: version, state: isFollowed ? .followed : .kept, at: now,
                telling: telling)
        }
        if isFollowed { requote(message, in: index, &context) }
    }

    mutating func deletionReceived(
        _ index: Int, _ id: MessageID, _ message: MessageID, _ context: inout DispatchContext
    ) {
        let room = rooms[index].id
        guard let old = rooms[index].messages[message], old.direction == .received, old.body != .deleted else {
            // What is not here is as good as deleted. What is this person's stays.
            let isGone = rooms[index].messages[message].map { $0.body == .deleted } ?? true
            return answer(id, accepted: isGone, in: room, &context)
        }
        takeBack(old.change?.telling, in: room, &context)
        let (isFollowed, now) = (rooms[index].keepsChanged != true, context.now)
        let telling = tell(.changeAnswer(change: id, accepted: isFollowed), in: room, answering: true, &context)
        if isFollowed { callOffFile(of: old, in: room, &context) }
        change(message, of: index, &context) {
            if isFollowed { $0.becomeDeleted() }
            $0.change = MessageChange(
                id: id, kind: .deleted, version: 0, state: isFollowed ? .followed : .kept, at: now,
                telling: telling)
        }
        if isFollowed { requote(message, in: index, &context) }
    }

    /// Only the answer to the newest change counts.
    mutating func changeAnswered(
        _ index: Int, _ change: MessageID, accepted: Bool, _ context: inout DispatchContext
    ) {
        guard
            let message = rooms[index].messages.inMemory.last(where: {
                $0.direction == .sent && $0.change?.id == change
            })
        else { return }
        self.change(message.id, of: index, &context) { $0.change?.state = accepted ? .followed : .kept }
    }

    // MARK: - On the way

    /// The peer knows of a change, or of the answer to one.
    mutating func changeDelivered(_ index: Int, _ effect: EffectID, _ body: Body, _ context: inout DispatchContext) {
        switch body {
        case .reaction(let message, _):
            change(message, of: index, &context) { message in
                guard var own = message.reactions?.first(where: { $0.telling?.effect == effect }) else { return }
                own.telling = nil
                message.setReaction(own)
            }
        case .edit(let message, _, _), .deletion(let message): told(effect, message, of: index, &context)
        case .changeAnswer(let change, _):
            let answered = rooms[index].messages.inMemory.last { $0.change?.id == change && $0.direction == .received }
            if let answered { told(effect, answered.id, of: index, &context) }
        default: break
        }
    }

    private mutating func told(
        _ effect: EffectID, _ message: MessageID, of index: Int, _ context: inout DispatchContext
    ) {
        change(message, of: index, &context) { if $0.change?.telling?.effect == effect { $0.change?.telling = nil } }
    }

    /// The peer will never know of a change.
    mutating func changeNotDelivered(
        _ index: Int, _ carrier: MessageID, _ body: Body, _ context: inout DispatchContext
    ) {
        switch body {
        case .reaction(let message, _), .edit(let message, _, _), .deletion(let message):
            change(message, of: index, &context) { message in
                let isAbout = message.effectsAreAbout(carrier)
                if isAbout { message.giveUpTelling() }
            }
        default: break
        }
    }

    /// Answers a change of what is not here. A peer that takes no answers gets no more than so many.
    private mutating func answer(
        _ change: MessageID, accepted: Bool, in room: RoomID, _ context: inout DispatchContext
    ) {
        let waiting = pendingEffects.byID.values.count { kind in
            if case .deliver(room, _, .changeAnswer, _) = kind { true } else { false }
        }
        guard waiting < RoomLimits.pendingMessages else { return }
        tell(.changeAnswer(change: change, accepted: accepted), in: room, answering: true, &context)
    }

    /// Has the peer told of a change.
    @discardableResult private mutating func tell(
        _ body: Body, in room: RoomID, answering: Bool = false, _ context: inout DispatchContext
    ) -> Telling {
        let id = MessageID(answering ? context.fresh.second : context.fresh.first)
        let effect = issue(.deliver(room: room, message: id, body: body, sentAt: context.now), &context)
        return Telling(id: id, sentAt: context.now, effect: effect)
    }

    /// Something newer says the same or more, so this need not arrive any more.
    private mutating func takeBack(_ telling: Telling?, in room: RoomID, _ context: inout DispatchContext) {
        guard let telling, pendingEffects[telling.effect] != nil else { return }
        settle(telling.effect, &context)
        issue(.withdraw(room: room, messages: [telling.id]), &context)
    }

    private mutating func change(
        _ message: MessageID, of index: Int, _ context: inout DispatchContext, _ body: (inout Message) -> Void
    ) {
        guard let old = rooms[index].messages[message] else { return }
        rooms[index].messages.update(message, body)
        guard rooms[index].messages[message] != old else { return }
        context.changed(.message(rooms[index].id, message))
        logChanged(index, &context)
    }

    /// Answers show what they answer: what it says now, or nothing once it is gone. So does what was read to be summarised.
    private mutating func requote(_ message: MessageID, in index: Int, _ context: inout DispatchContext) {
        let quote = Quote(of: rooms[index].messages[message], id: message)
        for answer in rooms[index].messages.inMemory where answer.quote?.message == message {
            change(answer.id, of: index, &context) {
                $0.quote = Quote(of: nil, id: message)
                $0.quote?.side = quote.side ?? answer.quote?.side
                $0.quote?.excerpt = quote.excerpt
            }
        }
        rereadSummaries(of: rooms[index].id, &context)
    }
}

extension Message {
    fileprivate func effectsAreAbout(_ carrier: MessageID) -> Bool {
        change?.telling?.id == carrier || (reactions ?? []).contains { $0.telling?.id == carrier }
    }

    /// Puts a person's reaction in the place of the one before. One that was taken back stays until the peer knows.
    fileprivate mutating func setReaction(_ reaction: Reaction) {
        var all = (reactions ?? []).filter { $0.by != reaction.by }
        if reaction.emoji != nil || reaction.telling != nil { all.append(reaction) }
        reactions = all.isEmpty ? nil : all.sorted { $0.by.rawValue < $1.by.rawValue }
    }

    /// Says something else, and remembers what it said.
    fileprivate mutating func say(_ body: Body, instead now: Timestamp) {
        let earlier = (versions ?? []) + [MessageVersion(text: self.body.text ?? "", until: now)]
        versions = Array(earlier.suffix(RoomLimits.versions))
        self.body = body
    }

    /// Nothing is left of what it said.
    fileprivate mutating func becomeDeleted() {
        body = .deleted
        (versions, quote, reactions, transfer, effect, failure) = (nil, nil, nil, nil, nil, nil)
    }
}

extension String {
    /// Whether it is one visible character, as a person reads it, and short enough.
    fileprivate var isReaction: Bool {
        guard utf8.count <= RoomLimits.reactionBytes, count == 1, let first = unicodeScalars.first else { return false }
        switch first.properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark, .spacingMark, .lineSeparator,
            .paragraphSeparator, .spaceSeparator:
            return false
        default: return true
        }
    }
}
