extension AppState {
    mutating func reduce(_ action: ChatAction, _ context: inout DispatchContext) {
        switch action {
        case .setDraft(let room, let text): setDraft(room, text, &context)
        case .takeDraft(let room): takeDraft(room, &context)
        case .leaveDraft(let room, let text, let author): leaveDraft(room, text, by: author, &context)
        case .setTyping(let room, let on): setTyping(room, on, in: context.view ?? .main, &context)
        case .sendText(let room, let text): sendText(room, text, &context)
        case .sendFile(let room, let name, let bytes, let handle, let media):
            sendFile(room, FileOffer(name: name, bytes: bytes, media: media ?? .file, handle: handle), &context)
        case .recordVoice(let room): recordVoice(room, &context)
        case .sendVoice(let room): sendVoice(room, &context)
        case .cancelVoice(let room): cancelVoice(room, &context)
        case .sharePlace(let room, let text):
            guard let place = Location(written: text) else {
                return notify(.problem, Wording.placeUnreadable, room: room, context)
            }
            send(room, .location(place), &context)
        case .sendLocation(let room, let latitude, let longitude, let accuracy):
            let place = Location(latitude: latitude, longitude: longitude, accuracy: accuracy, measuredAt: context.now)
            guard place.isValid else { return notify(.problem, Wording.locationInvalid, room: room, context) }
            send(room, .location(place), &context)
        case .reply(let room, let message, let text): sendText(room, text, answering: message, &context)
        case .react(let room, let message, let emoji): react(room, message, emoji, &context)
        case .editMessage(let room, let message, let text): editMessage(room, message, text, &context)
        case .deleteMessage(let room, let message): deleteMessage(room, message, &context)
        case .keepChanged(let room, let on): keepChanged(room, on, &context)
        case .retryMessage(let room, let message): retryMessage(room, message, &context)
        case .acceptFile(let room, let message): acceptFile(room, message, &context)
        case .declineFile(let room, let message): declineFile(room, message, &context)
        case .cancelFile(let room, let message): cancelFile(room, message, &context)
        case .pauseFile(let room, let message): pauseFile(room, message, &context)
        case .resumeFile(let room, let message): resumeFile(room, message, &context)
        case .openFile(let room, let message): openFile(room, message, &context)
        case .loadEarlier(let room, let message): loadHistory(room, next: message, isForward: false, &context)
        case .loadLater(let room, let message): loadHistory(room, next: message, isForward: true, &context)
        case .findMessage(let room, let message): findMessage(room, message, &context)
        case .saveFile(let room, let message, let path): saveFile(room, message, to: path, &context)
        case .compareSafetyNumber(let room, let matches): compareSafetyNumber(room, matches: matches, &context)
        case .proposeLifetime(let room, let lifetime): proposeLifetime(room, lifetime, &context)
        case .answerLifetime(let room, let accept): answerLifetime(room, accept, &context)
        case .setEphemeral(let room, let on): setEphemeral(room, on, &context)
        }
    }

    // MARK: - Writing

    private mutating func sendText(
        _ id: RoomID, _ text: String, answering message: MessageID? = nil, _ context: inout DispatchContext
    ) {
        let text = text.said
        guard !text.isEmpty, let index = rooms.index(of: id) else { return }
        guard rooms[index].canWrite, text.utf8.count <= RoomLimits.textBytes else {
            let reason = rooms[index].canWrite ? Wording.textTooLong : Wording.cannotWrite(rooms[index].statusText)
            return refuse(text, reason, in: index, &context)
        }
        // What was to be answered may be gone by now; what was typed is said all the same.
        let answered = message.flatMap { rooms[index].messages[$0]?.isAnswerable == true ? $0 : nil }
        let body = answered.map { Body.reply(to: $0, text: text) } ?? .text(text)
        // It may come again after a restart of the host, and stands here already.
        guard !rooms[index].messages.contains(MessageID(context.fresh.first)) else {
            return takeFromComposer(text, in: index, &context)
        }
        guard send(id, body, &context) else { return giveBack(text, in: index, &context) }
        takeFromComposer(text, in: index, &context)
        // What was said stands at the end.
        views.update(context.view ?? .main) { $0.shownMessage = nil }
        // To the peer a message ends the typing by itself.
        rooms[index].live.toldTypingAt = nil
        rooms[index].live.typingViews = []
    }

    /// Says why what was typed goes nowhere, and puts it back into the composer, if there is one.
    mutating func refuse(_ text: String, _ reason: Words, in index: Int, _ context: inout DispatchContext) {
        if rooms[index].canWrite { giveBack(text, in: index, &context) }
        notify(.problem, reason, room: rooms[index].id, context)
    }

    /// What was typed stays the person's until it is a message: it goes back into the composer, unless it still stands there.
    ///
    /// A composer holds no more than a field does. A program that hands over a longer text keeps it until it is a message.
    private mutating func giveBack(_ text: String, in index: Int, _ context: inout DispatchContext) {
        let draft = composers.text(in: rooms[index].id, of: context.view ?? .main)
        guard draft.said != text else { return }
        compose(draft.isEmpty ? text : draft + "\n" + text, in: index, &context)
    }

    /// What has become a message is no longer written, but anything else is.
    mutating func takeFromComposer(_ text: String, in index: Int, _ context: inout DispatchContext) {
        let draft = composers.text(in: rooms[index].id, of: context.view ?? .main)
        if draft.said == text { compose("", in: index, &context) }
    }

    private mutating func compose(_ text: String, in index: Int, _ context: inout DispatchContext) {
        let (room, view) = (rooms[index].id, context.view ?? .main)
        let text = text.limited(to: RoomLimits.draftBytes)
        guard composers.text(in: room, of: view) != text else { return }
        composers.set(text, in: room, of: view)
        context.changed(.composer(room))
    }

    /// Goes on here with what is written in this room in other views.
    private mutating func takeDraft(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, actingView(context).isIn(id) else { return }
        composers.take(id, to: context.view ?? .main)
        context.changed(.composer(id))
    }

    /// Puts a text behind what waits for the next view, whole or not at all, and tells every view.
    private mutating func leaveDraft(
        _ id: RoomID, _ text: String, by author: String, _ context: inout DispatchContext
    ) {
        let text = text.said
        guard !text.isEmpty, let index = rooms.index(of: id) else { return }
        let room = rooms[index]
        guard room.canWrite else { return notify(.problem, Wording.cannotWrite(room.statusText), room: id, context) }
        let waiting = composers.text(in: id, of: nil)
        let both = waiting.isEmpty ? text : waiting + "\n" + text
        guard text.utf8.count <= RoomLimits.textBytes, both.utf8.count <= RoomLimits.draftBytes else {
            return notify(.problem, Wording.textTooLong, room: id, context)
        }
        composers.set(both, in: id, of: nil)
        context.changed(.composer(id))
        let author = author.withoutControls.trimmed.limited(to: AgentListLimits.nameBytes)
        // Not only for the view in which it came.
        context.answer(to: nil)
        notify(.information, Wording.draftLeft(by: author), room: id, context)
    }

    /// Appends a message and has it delivered, now or when the link is back. False if it cannot be written here.
    @discardableResult mutating func send(_ id: RoomID, _ body: Body, _ context: inout DispatchContext) -> Bool {
        guard let index = rooms.index(of: id), rooms[index].canWrite, canKeepMore(in: id, context) else { return false }
        guard rooms[index].messages.pendingCount < RoomLimits.pendingMessages else {
            notify(.problem, Wording.tooManyPending, room: id, context)
            return false
        }
        let message = MessageID(context.fresh.first)
        guard !rooms[index].messages.contains(message) else { return false }
        let effect = issue(.deliver(room: id, message: message, body: body, sentAt: context.now), &context)
        append(
            index,
            Message(
                id: message, order: 0, direction: .sent, body: body, at: context.now, sentAt: context.now,
                status: .pending,
                effect: effect, transfer: body.isFile ? Transfer(state: .offered) : nil), &context)
        return true
    }

    private mutating func retryMessage(_ id: RoomID, _ message: MessageID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, let old = rooms[index].messages[message],
            old.status == .failed, rooms[index].messages.pendingCount < RoomLimits.pendingMessages,
            canKeepMore(in: id, context)
        else { return }
        let effect = issue(old.delivery(in: id), &context)
        rooms[index].messages.update(message) {
            $0.status = .pending
            $0.effect = effect
            $0.failure = nil
            if $0.transfer != nil { $0.transfer = Transfer(state: .offered) }
        }
        context.changed(.message(id, message))
    }

    /// Adds a message at the end, with the lifetime that is agreed now.
    mutating func append(_ index: Int, _ message: Message, _ context: inout DispatchContext) {
        makeRoom(for: message, in: index, &context)
        var message = message
        if case .reply(let answered, _) = message.body {
            message.quote = Quote(of: rooms[index].messages[answered], id: answered)
        }
        if let seconds = rooms[index].lifetime.seconds {
            let expiry = context.now.advanced(bySeconds: seconds)
            message.expiresAt = expiry
            wake(at: expiry, &context)
        }
        rooms[index].messages.append(message)
        context.changed(.message(rooms[index].id, message.id))
        logChanged(index, &context)
        limitMemory(index, &context)
    }

    /// Adds a line of the core's own.
    mutating func appendNote(_ index: Int, _ body: Body, _ context: inout DispatchContext) {
        let id = MessageID("note-\(rooms[index].messages.nextOrder)-\(context.fresh.first)")
        guard !rooms[index].messages.contains(id) else { return }
        let note = Message(
            id: id, order: 0, direction: .note, body: body, at: context.now, sentAt: context.now, status: .read)
        append(index, note, &context)
    }

    // MARK: - Typing

    private mutating func setDraft(_ id: RoomID, _ text: String, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite else { return }
        compose(text, in: index, &context)
        setTyping(id, !text.isEmpty, in: context.view ?? .main, &context)
    }

    mutating func setTyping(_ id: RoomID, _ on: Bool, in view: ViewID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].isTalking else { return }
        let told = rooms[index].live.toldTypingAt
        rooms[index].live.typingViews.removeAll { $0 == view }
        if on {
            rooms[index].live.typingViews.append(view)
            if let told, told.milliseconds(until: context.now) < RoomLimits.typingRepeat, told <= context.now { return }
            rooms[index].live.toldTypingAt = context.now
        } else {
            guard told != nil, rooms[index].live.typingViews.isEmpty else { return }
            rooms[index].live.toldTypingAt = nil
        }
        issue(.sendTyping(room: id, on: on), &context)
    }

    /// A view that leaves a chat, by whatever way, ends its typing.
    mutating func stopTyping(in view: ViewState, _ context: inout DispatchContext) {
        if view.screen.page == .chat, let room = view.screen.room { setTyping(room, false, in: view.id, &context) }
    }
}

extension Room {
    /// Whether a message can be written: it goes at once, or when the link is back.
    package var canWrite: Bool { status == .accepted && live.verification != .failed }
}

extension Body { var isFile: Bool { if case .file = self { true } else { false } } }
