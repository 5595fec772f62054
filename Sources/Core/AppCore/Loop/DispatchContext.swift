/// One dispatch under way: what came with the input, and what it leads to.
struct DispatchContext {
    let now: Timestamp
    let fresh: Fresh
    /// The view in which the person acts. For an answer it is the view that asked; `nil` for what happens by itself.
    private(set) var view: ViewID?
    private var outcome = Outcome()

    init(_ input: Input) {
        now = input.at
        fresh = input.fresh
        if case .event = input.action {} else { view = input.view ?? .main }
    }

    /// What answers a request goes to the view that made it.
    mutating func answer(to asker: ViewID?) { view = asker }

    mutating func perform(_ effect: Effect) { outcome.effects.append(effect) }

    mutating func changed(_ key: RecordKey) { outcome.changes.append(key) }

    mutating func unreadable(_ key: RecordKey) { outcome.unreadable.append(key) }

    /// The outcome, each key named once.
    consuming func finish() -> Outcome {
        var outcome = outcome
        Self.removeRepetitions(&outcome.changes)
        Self.removeRepetitions(&outcome.unreadable)
        return outcome
    }

    private static func removeRepetitions(_ keys: inout [RecordKey]) {
        guard keys.count > 1 else { return }
        var seen: Set<RecordKey> = []
        keys.removeAll { !seen.insert($0).inserted }
    }
}

extension AppState {
    /// Issues an effect and remembers it until it is answered.
    @inline(never) @discardableResult mutating func issue(_ kind: Effect.Kind, _ context: inout DispatchContext)
        -> EffectID
    {
        let (id, reserves) = pendingEffects.number()
        if reserves { context.changed(.counters) }
        for key in kind.recordKeys(id) { context.changed(key) }
        pendingEffects.add(id, kind, for: context.view)
        context.perform(pendingEffects.effect(id, kind))
        return id
    }

    /// Removes an answered effect; `nil` if it was not open (answered before, or never asked for).
    @inline(never) @discardableResult mutating func settle(_ effect: EffectID, _ context: inout DispatchContext)
        -> Effect.Kind?
    {
        guard let kind = pendingEffects.remove(effect) else { return nil }
        for key in kind.recordKeys(effect) { context.changed(key) }
        return kind
    }

    /// Makes sure that a tick comes at `time` at the latest.
    @inline(never) mutating func wake(at time: Timestamp, _ context: inout DispatchContext) {
        if let alarm = pendingEffects.alarm {
            guard time < alarm.at else { return }
            pendingEffects.remove(alarm.effect)
        }
        let effect = issue(.schedule(at: time), &context)
        pendingEffects.setAlarm(.init(effect: effect, at: time))
    }

    /// Tells the person something, in the view that asked for it, or in all views. An equal notice from before gives way to this
    /// one, which has a number of its own: what happened again is told again. The oldest notice goes when there are too many.
    @inline(never) mutating func notify(
        _ kind: Notice.Kind, _ text: Words, room: RoomID? = nil, app: AppID? = nil, _ context: DispatchContext
    ) {
        let view = audience(of: context)
        let id = (notices.lazy.map(\.id).max() ?? 0) &+ 1
        let notice = Notice(id: id, kind: kind, text: text, room: room, app: app, view: view)
        notices.removeAll { $0.says(the: notice) && $0.view == view }
        notices.append(notice)
        guard notices.count(where: { $0.view == view }) > Self.noticeLimit,
            let oldest = notices.firstIndex(where: { $0.view == view })
        else { return }
        notices.remove(at: oldest)
    }

    /// Tells the person what comes about without them: what others do, and what is tried again by itself. As long as it
    /// is shown it is not told again.
    @inline(never) mutating func notifyOnce(
        _ kind: Notice.Kind, _ text: Words, room: RoomID? = nil, app: AppID? = nil, _ context: DispatchContext
    ) {
        let view = audience(of: context)
        let notice = Notice(id: 0, kind: kind, text: text, room: room, app: app)
        guard !notices.contains(where: { $0.says(the: notice) && ($0.view == nil || $0.view == view) }) else { return }
        notify(kind, text, room: room, app: app, context)
    }

    /// What the main view is told, all are told: it is the view of hosts that have one, and of a host's own doing.
    private func audience(of context: DispatchContext) -> ViewID? {
        context.view.flatMap { $0 == .main ? nil : views[$0]?.id }
    }

    /// Notices that one view shows, and those that all views show, each.
    static let noticeLimit = 8
}

extension Notice {
    /// Whether both tell the same about the same.
    fileprivate func says(the other: Notice) -> Bool { text == other.text && room == other.room && app == other.app }
}

extension Effect.Kind {
    /// Whether the effect is saved under ``RecordKey/effect(_:)`` until it is answered.
    ///
    /// Messages imply their own delivery, and drafts their own saving; a link, a watch or a poll is asked for anew after a restart.
    var hasRecord: Bool {
        switch self {
        case .createRoom, .joinRoom, .deleteRooms, .withdraw, .forgetSecrets, .declineFile, .cancelFile, .pauseFile,
            .resumeFile,
            .revokeTrust, .createNote, .appendToNote, .changeNote, .changeFolder, .installApp, .removeApp, .setGrant,
            .setBackground, .startCore, .forgetShare, .forgetPictures,
            .deliver(_, _, .lifetimeProposal, _), .deliver(_, _, .lifetimeAnswer, _),
            .deliver(_, _, .trust, _):
            true
        // What the servers are to be told. That everything is erased is ``RecordKey/erasing``, which a locked vault takes.
        case .eraseAll(let rooms): !rooms.isEmpty
        default: false
        }
    }

    /// The records of an effect of this kind, from when it is issued until it is answered.
    func recordKeys(_ id: EffectID) -> [RecordKey] {
        let own: [RecordKey] = hasRecord ? [.effect(id)] : []
        if case .eraseAll = self { return own + [.erasing] }
        return own
    }
}
