// Summaries: what was read is shown, and what was shown is sent, in a session of its own.

extension AppState {
    /// The screens decide what is read. What was read stays as it is until the person leaves, or asks for it anew.
    mutating func followSummaries(_ context: inout DispatchContext) {
        for view in views {
            let wanted = view.screens.last { $0.page == .summary }
            if let known = view.summary, known.room == wanted?.room, known.note == wanted?.note { continue }
            guard wanted != nil || view.summary != nil else { continue }
            if let effect = view.summary?.effect { settle(effect, &context) }
            guard let wanted else {
                views.update(view.id) { $0.summary = nil }
                continue
            }
            read(SummaryRequest(room: wanted.room, note: wanted.note), for: view.id, &context)
        }
    }

    /// Has the host say what would be sent. Of a room that keeps nothing no copy is to be kept either.
    private mutating func read(_ request: SummaryRequest, for view: ViewID, _ context: inout DispatchContext) {
        var request = request.unread
        if request.room.flatMap({ rooms[$0]?.keepsNothing }) != true {
            let asker = context.view
            context.answer(to: view)
            request.effect = issue(.readForSummary(room: request.room, note: request.note), &context)
            context.answer(to: asker)
        }
        views.update(view) { $0.summary = request }
    }

    mutating func retrySummary(_ context: inout DispatchContext) {
        let view = actingView(context)
        guard let request = view.summary, !request.isReading else { return }
        read(request, for: view.id, &context)
    }

    mutating func chooseSummaryModel(_ agent: AgentID, _ context: DispatchContext) {
        guard agents.byID[agent]?.isModelServer == true else { return }
        views.update(context.view ?? .main) { $0.summary?.agent = agent }
    }

    mutating func summaryText(
        _ effect: EffectID, _ text: CutText, expiresAt: Timestamp?, _ context: inout DispatchContext
    ) {
        guard case .readForSummary(_, let note) = settle(effect, &context) else { return }
        let material = SummaryMaterial(note == nil ? .conversation : .note, text, expiresAt: expiresAt)
        // Nobody who wrote the text can know what the host drew at random after that.
        let prompt = material.isEmpty ? "" : material.prompt(mark: "data-" + context.fresh.first)
        updateSummary(of: effect) { ($0.prompt, $0.expiresAt) = (prompt, expiresAt) }
        if let expiresAt { wake(at: expiresAt, &context) }
    }

    mutating func summaryFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        updateSummary(of: effect) { $0.failure = failure }
    }

    private mutating func updateSummary(of effect: EffectID, _ change: (inout SummaryRequest) -> Void) {
        guard let view = views.first(where: { $0.summary?.effect == effect && $0.summary?.isReading == true }),
            var request = view.summary
        else { return }
        change(&request)
        views.update(view.id) { $0.summary = request }
    }

    // MARK: Sending

    /// - Parameter effect: names what the person saw.
    mutating func sendSummary(_ agent: AgentID, of effect: EffectID, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard let request = view.summary else { return }
        guard request.effect == effect, let prompt = request.prompt, !prompt.isEmpty,
            request.room.flatMap({ rooms[$0]?.keepsNothing }) != true
        else { return notify(.problem, Wording.summaryChanged, context) }
        guard agents.byID[agent]?.isModelServer == true else { return notify(.problem, Wording.agentGone, context) }
        let summary = AgentSummary(of: words(for: request), expiresAt: request.expiresAt)
        guard let session = makeSession(agent, nil, summary: summary, &context) else { return }
        guard beginTurn(session, prompt, nil, &context) else { return removeAgentSession(session, &context) }
        if let expiresAt = request.expiresAt { wake(at: expiresAt, &context) }
        // The way back from the answer leads to what was summarised.
        views.update(view.id) { $0.hide { $0.page == .summary } }
        show(Screen(.agent, session: session), in: view.id, &context)
    }

    /// What the room or the note is called.
    func words(for request: SummaryRequest) -> Words {
        let room = request.room.flatMap { rooms[$0]?.titleWords }
        return room ?? request.note.flatMap { notes.list[$0]?.title.noteWords } ?? "note"
    }

    // MARK: Going

    /// A copy of messages goes with the last of them.
    mutating func expireSummaries(_ context: inout DispatchContext) {
        for talk in talks.inOrder {
            guard let time = talk.session.summary?.expiresAt, time <= context.now else { continue }
            removeAgentSession(talk.id, &context)
            notify(.information, Wording.summaryGone, context)
        }
        for view in views {
            guard let request = view.summary, let time = request.expiresAt, time <= context.now else { continue }
            read(request, for: view.id, &context)
        }
    }

    /// What is not in a room any more, or was changed there, is not sent out of it.
    mutating func rereadSummaries(of room: RoomID, _ context: inout DispatchContext) {
        for view in views {
            guard let request = view.summary, request.room == room, request.prompt != nil else { continue }
            read(request, for: view.id, &context)
        }
    }

    var nextSummaryExpiry: Timestamp? {
        let times = talks.byID.values.compactMap(\.session.summary?.expiresAt) + views.compactMap(\.summary?.expiresAt)
        return times.min()
    }
}
