extension AppState {
    mutating func reduce(_ action: RoomAction, _ context: inout DispatchContext) {
        switch action {
        case .createRoom(let name, let expiresIn): createRoom(name: name, expiresIn: expiresIn, &context)
        case .joinRoom(let code, let words, let name): joinRoom(code: code, words: words, name: name, &context)
        case .retryRoom(let room): retryRoom(room, &context)
        case .openRoom(let room): openRoom(room, &context)
        case .closeRoom(let room): hide([room], in: context.view ?? .main, &context)
        case .leaveRoom(let room): leaveRoom(room, &context)
        case .renameRoom(let room, let name): renameRoom(room, name, &context)
        case .pinRoom(let room, let pinned): pinRoom(room, pinned, &context)
        case .muteRoom(let room, let muted): muteRoom(room, muted, &context)
        case .movePin(let room, let place): movePin(room, to: place, &context)
        case .deleteRoom(let room): delete([room], &context)
        case .clearClosed: delete(Set(rooms.lazy.filter(\.status.isOver).map(\.id)), &context)
        case .searchMessages(let query, let room): searchMessages(query, in: room, &context)
        case .showMessage(let room, let message): showMessage(room, message, &context)
        case .editCreate(let name, let expiresIn): editCreate(name: name, expiresIn: expiresIn, context)
        case .editJoin(let code, let words, let name): editJoin(code: code, words: words, name: name, &context)
        }
    }

    // MARK: - Opening and leaving

    private mutating func openRoom(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id) else { return }
        enter(id, &context)
        guard !rooms[index].status.isOver else { return }
        rooms[index].live.linkFailure = nil
        if !rooms[index].wantsLink {
            rooms[index].wantsLink = true
            context.changed(.room(id))
        }
        openLink(index, &context)
    }

    /// Ends the link on purpose. The host closes the link to the peer first and leaves at the server then, so that
    /// no renegotiation starts in between.
    private mutating func leaveRoom(_ id: RoomID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id) else { return }
        if rooms[index].wantsLink {
            rooms[index].wantsLink = false
            context.changed(.room(id))
        }
        stopSeeking(index, &context)
        dropLink(index, says: .leaveRoom(address: rooms[index].address), &context)
        if rooms[index].keepsNothing { clearMessages(index, &context) }
        hide([id], in: context.view ?? .main, &context)
    }

    // MARK: - Names and pins

    /// One name, in one place: the list, the chat and the identities show it from here.
    mutating func renameRoom(_ id: RoomID, _ name: String, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id) else { return }
        let name = Self.roomName(name)
        guard rooms[index].name != name else { return }
        rooms[index].name = name
        context.changed(.room(id))
    }

    static func roomName(_ text: String) -> String {
        String(text.withoutControls.trimmed.prefix(RoomLimits.nameCharacters)).trimmed.limited(to: 256)
    }

    private mutating func pinRoom(_ id: RoomID, _ pinned: Bool, _ context: inout DispatchContext) {
        guard let room = rooms[id], pinned != (room.pin != nil) else { return }
        setPins(pinnedRooms.filter { $0 != id } + (pinned ? [id] : []), &context)
    }

    private mutating func muteRoom(_ id: RoomID, _ muted: Bool, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].isMuted ?? false != muted else { return }
        rooms[index].isMuted = muted ? true : nil
        context.changed(.room(id))
    }

    private mutating func movePin(_ id: RoomID, to place: Int, _ context: inout DispatchContext) {
        guard rooms[id]?.pin != nil else { return }
        var order = pinnedRooms.filter { $0 != id }
        order.insert(id, at: min(max(place, 0), order.count))
        setPins(order, &context)
    }

    /// The pinned rooms in their order.
    var pinnedRooms: [RoomID] {
        rooms.filter { $0.pin != nil }.sorted { ($0.pin ?? 0, $0.id) < ($1.pin ?? 0, $1.id) }.map(\.id)
    }

    private mutating func setPins(_ order: [RoomID], _ context: inout DispatchContext) {
        let places = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        for index in rooms.indices where rooms[index].pin != places[rooms[index].id] {
            rooms[index].pin = places[rooms[index].id]
            context.changed(.room(rooms[index].id))
        }
    }

    // MARK: - Deleting

    /// Forgets rooms here at once; the servers forget this device's identities as soon as they can be reached. Trust that
    /// is left ends first: the host forgets those rooms when that is done.
    private mutating func delete(_ ids: Set<RoomID>, _ context: inout DispatchContext) {
        for id in ids.sorted() {
            if let index = rooms.index(of: id), rooms[index].canRevoke {
                endTrust(index, by: .own, reason: nil, &context)
            }
        }
        let gone = rooms.filter { ids.contains($0.id) }
        guard !gone.isEmpty else { return }
        for view in views { hide(ids, in: view.id, &context) }
        composers.remove(ids)
        for room in gone {
            context.changed(.room(room.id))
            context.changed(.composer(room.id))
            recordsGo(of: room, &context)
        }
        forgetEffects(of: ids, &context)
        rooms.remove(ids)
        setPins(pinnedRooms, &context)
        notices.removeAll { $0.room.map(ids.contains) ?? false }
        let revoked = roomsBeingRevoked
        let addresses = gone.map(\.address).filter { !revoked.contains($0.room) }
        if !addresses.isEmpty { issue(.deleteRooms(rooms: addresses), &context) }
        forget(gone.compactMap(\.words), &context)
    }

    private mutating func forgetEffects(of ids: Set<RoomID>, _ context: inout DispatchContext) {
        for effect in pendingEffects.inOrder where effect.kind.hasRecord && effect.kind.room.map(ids.contains) ?? false
        {
            context.changed(.effect(effect.id))
        }
        pendingEffects.keep { !($0.room.map(ids.contains) ?? false) }
    }

    /// Back to the day before the first one.
    mutating func eraseAll(_ context: inout DispatchContext) {
        endRecordings(&context)
        for effect in pendingEffects.inOrder { for key in effect.kind.recordKeys(effect.id) { context.changed(key) } }
        for room in rooms {
            context.changed(.room(room.id))
            recordsGo(of: room, &context)
        }
        for tombstone in circle.inOrder { context.changed(.tombstone(tombstone.id)) }
        for draft in notes.drafts { context.changed(.draft(draft.note)) }
        for composer in composers.all { context.changed(.composer(composer.room)) }
        for agent in agents.inOrder { context.changed(.agent(agent.id)) }
        for talk in talks.inOrder { for key in talk.recordKeys { context.changed(key) } }
        context.changed(.agentLog)
        context.changed(.settings)
        let addresses = rooms.map(\.address)
        var fresh = AppState()
        fresh.pendingEffects = pendingEffects
        fresh.pendingEffects.keep { _ in false }
        fresh.pendingEffects.setAlarm(nil)
        fresh.views = views
        fresh.views.updateAll { $0 = $0.emptied }
        fresh.isOnline = isOnline
        fresh.notifications = notifications
        fresh.storageFailure = storageFailure
        self = fresh
        issue(.eraseAll(rooms: addresses), &context)
    }

    // MARK: - Forms

    private mutating func editCreate(name: String?, expiresIn: Int64?, _ context: DispatchContext) {
        views.update(context.view ?? .main) { view in
            if let name { view.createForm.name = name.withoutControls.limited(to: 256) }
            if let expiresIn, RoomLimits.expiryChoices.contains(expiresIn) { view.createForm.expiresIn = expiresIn }
        }
    }

    private mutating func editJoin(code: String?, words: SecretRef?, name: String?, _ context: inout DispatchContext) {
        var form = actingView(context).joinForm
        // Digits and separators only: words that were typed along do not belong into the state.
        if let code {
            form.code = String(code.filter { $0.isASCII && $0.isNumber || $0 == " " || $0 == "-" }.prefix(16))
        }
        if let name { form.name = name.withoutControls.limited(to: 256) }
        if let words, words != form.words {
            if let old = form.words { forget([old], &context) }
            form.words = words
        }
        views.update(context.view ?? .main) { $0.joinForm = form }
    }
}

extension Effect.Kind {
    /// The one room that this effect is about; `nil` if there is none, or if the effect outlives it.
    package var room: RoomID? {
        switch self {
        case .createRoom(let address, _), .joinRoom(let address), .watchRoom(let address), .checkRoom(let address),
            .openLink(let address, _, _), .leaveRoom(let address), .meet(let address, _):
            address.room
        case .closeLink(let room), .confirmSafetyNumber(let room, _), .deliver(let room, _, _, _),
            .withdraw(let room, _), .acknowledge(let room, _), .sendRead(let room, _), .sendTyping(let room, _),
            .acceptFile(let room, _), .declineFile(let room, _), .cancelFile(let room, _), .pauseFile(let room, _),
            .resumeFile(let room, _), .stopMeeting(let room),
            .renewKeys(let room), .sealByHand(let room, _, _, _), .acknowledgeByHand(let room, _),
            .shareNote(let room, _), .stopSharingNote(let room, _), .loadHistory(let room, _, _, _, _),
            .findMessage(let room, _, _, _), .findUnseen(let room, _, _), .listReceived(let room, _, _, _),
            .forgetHistory(let room, _, _), .showNotification(let room, _, _),
            .closeNotification(let room), .saveFile(let room, _, _), .offerAgents(let room, _),
            .recordVoice(let room, _),
            .refuseMember(let room, _, _, _, _):
            room
        case .readForSummary(let room, _): room
        // A revocation outlives its room.
        case .revokeTrust, .openByHand, .deleteRooms, .schedule, .setPassphrase, .unlock, .lock, .eraseAll,
            .forgetSecrets, .openNotes, .closeNotes, .readNote, .releaseNote, .followNote, .unfollowNote,
            .listVersions, .readVersion, .exportNotes, .packNotes, .importNote, .createNote, .writeNote, .appendToNote,
            .changeNote, .changeFolder, .searchNotes, .openApps, .closeApps, .inspectApp, .installApp, .removeApp,
            .setGrant, .setBackground, .startApp, .stopApp, .openUrl, .openFile, .startCore, .searchMessages,
            .checkServer, .openPage, .checkIceServer, .measureStorage, .exportProfile, .restoreProfile,
            .startAgentSession, .promptAgent, .cancelAgentTurn, .answerAgent, .closeAgentSession, .chooseForAgent,
            .giveAgent, .keepPicture, .forgetPictures, .moveToolGrants, .forgetShare, .listAgentThreads, .readDevices,
            .pairGateway,
            .askOnDesktop, .interject, .takeBackInterjection, .sendToolToBackground,
            .showAgentNotification, .closeAgentNotification, .endVoice:
            nil
        }
    }
}
