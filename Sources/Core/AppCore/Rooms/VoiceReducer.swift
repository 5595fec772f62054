// Voice messages: a view records them, one at a time, as long as its person is in the conversation.

extension AppState {
    mutating func recordVoice(_ id: RoomID, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard view.canRecord, view.recording == nil, view.shows(id), rooms[id]?.canWrite == true,
            canKeepMore(in: id, context)
        else { return }
        // What went wrong before does not hold any more.
        let audience = view.id == .main ? nil : view.id
        notices.removeAll { $0.view == audience && $0.room == id && Wording.ofRecordings.contains($0.text) }
        let effect = issue(.recordVoice(room: id, limit: RoomLimits.voiceMilliseconds), &context)
        views.update(view.id) { $0.recording = VoiceRecording(room: id, effect: effect) }
    }

    /// What was recorded goes: the view hands it over when it is whole. Meanwhile the person may go elsewhere, or record more.
    mutating func sendVoice(_ id: RoomID, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard let recording = view.recording, recording.room == id, recording.since != nil, canKeepMore(in: id, context)
        else { return }
        issue(.endVoice(recording: recording.effect, sends: true), &context)
        views.update(view.id) { $0.recording = nil }
    }

    mutating func cancelVoice(_ id: RoomID, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard let recording = view.recording, recording.room == id else { return }
        throwAway(recording, of: view.id, &context)
    }

    /// - Parameter reason: what its view is told, whoever did what ended it.
    private mutating func throwAway(
        _ recording: VoiceRecording, of view: ViewID, because reason: Words? = nil, _ context: inout DispatchContext
    ) {
        let asker = context.view
        context.answer(to: view)
        settle(recording.effect, &context)
        issue(.endVoice(recording: recording.effect, sends: false), &context)
        views.update(view) { $0.recording = nil }
        let room = rooms[recording.room]?.id
        if let reason { notify(.information, reason, room: room, context) }
        context.answer(to: asker)
    }

    // MARK: - Ending by itself

    /// Throws away what is recorded in conversations that their views have left, and where nothing can be said any more.
    mutating func endLeftRecordings(_ context: inout DispatchContext) {
        for view in views {
            guard let recording = view.recording else { continue }
            let room = rooms[recording.room]
            guard !view.shows(recording.room) || room?.canWrite != true else { continue }
            let reason = room.flatMap { $0.canWrite ? nil : Wording.recordingEnded($0.statusText) }
            throwAway(recording, of: view.id, because: reason ?? Wording.recordingLeft, &context)
        }
    }

    /// Throws away everything that is recorded: the profile is locked, or a view is gone.
    mutating func endRecordings(where isMeant: (ViewState) -> Bool = { _ in true }, _ context: inout DispatchContext) {
        for view in views where isMeant(view) {
            if let recording = view.recording { throwAway(recording, of: view.id, &context) }
        }
    }

    /// What a view that is gone was to hand over does not come any more.
    mutating func giveUpVoices(of view: ViewID, _ context: inout DispatchContext) {
        for effect in pendingEffects.inOrder where effect.view == view && effect.kind.isRecording {
            settle(effect.id, &context)
        }
    }

    /// A recording that is as long as it may be waits for its person.
    mutating func fillRecordings(_ context: DispatchContext) {
        views.updateAll { view in
            guard let recording = view.recording, recording.isOn, recording.until?.isDue(at: context.now) == true
            else { return }
            view.recording?.isFull = true
        }
    }

    // MARK: - What the view reports

    /// The microphone is on.
    mutating func voiceBegan(_ effect: EffectID, _ context: inout DispatchContext) {
        guard let view = views.first(where: { $0.recording?.effect == effect }), view.recording?.since == nil
        else { return }
        views.update(view.id) { $0.recording?.since = context.now }
        if let end = views[view.id]?.recording?.until { wake(at: end, &context) }
    }

    /// What was recorded is whole. It is sent only if the person said so.
    mutating func voiceRecorded(_ effect: EffectID, _ offer: FileOffer, _ context: inout DispatchContext) {
        guard case .recordVoice(let id, _) = pendingEffects[effect] else { return }
        guard !views.contains(where: { $0.recording?.effect == effect }) else {
            return voiceEnded(effect, Failure(.microphoneFailed), &context)
        }
        settle(effect, &context)
        guard let room = rooms[id] else { return }
        guard room.canWrite else { return notify(.problem, Wording.cannotWrite(room.statusText), room: id, context) }
        guard offer.media.kind == .voice else {
            return notify(.problem, Words(Failure(.fileUnreadable)), room: id, context)
        }
        sendFile(id, offer, &context)
    }

    /// Nothing is recorded any more: the microphone was refused, is missing or broke, or the view has lost what was said.
    mutating func voiceEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        guard case .recordVoice(let room, _) = settle(effect, &context) else { return }
        views.updateAll { if $0.recording?.effect == effect { $0.recording = nil } }
        if let failure { notify(.problem, Words(failure), room: room, context) }
    }
}

extension ViewState {
    /// Whether it has a microphone, as far as it knows.
    var canRecord: Bool { can?.contains(.microphone) == true }

    fileprivate func shows(_ room: RoomID) -> Bool { screen.page == .chat && screen.room == room }
}
