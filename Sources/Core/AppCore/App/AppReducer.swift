extension AppState {
    /// Where every input begins. A new slice is one line here.
    mutating func reduce(_ action: Action, _ context: inout DispatchContext) {
        guard isHeard(action, from: context.view) else { return }
        switch action {
        case .app(let action): reduce(action, &context)
        case .rooms(let action): if !lock.isLocked { reduce(action, &context) }
        case .chat(let action): reduce(action, &context)
        case .circle(let action): if !lock.isLocked { reduce(action, &context) }
        case .notes(let action): if !lock.isLocked { reduce(action, &context) }
        case .apps(let action): if !lock.isLocked { reduce(action, &context) }
        case .agents(let action): if !lock.isLocked { reduce(action, &context) }
        case .event(let event): reduce(event, &context)
        }
        takeEarlyPrompts(&context)
        followNotes(&context)
        followSummaries(&context)
        followThreads(&context)
        followDevices(&context)
        closeNotifications(&context)
        closeAgentNotices(&context)
        endLeftRecordings(&context)
        for room in composers.release(from: views) { context.changed(.composer(room)) }
    }

    /// A view that is not open, or no longer, can only open.
    private func isHeard(_ action: Action, from view: ViewID?) -> Bool {
        switch action {
        case .event, .app(.openView): true
        default: views[view ?? .main] != nil
        }
    }

    private mutating func reduce(_ action: AppAction, _ context: inout DispatchContext) {
        let view = context.view ?? .main
        switch action {
        case .openView: openView(&context)
        case .closeView: closeView(&context)
        case .navigate(let screen): show(screen, in: view, &context)
        case .back: leaveScreen(of: view, &context)
        case .dismissNotice(let notice): notices.removeAll { $0.id == notice }
        case .becameActive: becomeActive(view, &context)
        case .becameInactive: becomeInactive(view, &context)
        case .tellAway(let on): tellAway(on, of: view, &context)
        case .tellAbilities(let can): views.update(view) { $0.able(to: can) }
        case .tellWindow(let on):
            views.update(view) { $0.isLeft = on ? nil : true }
            if on, views[view]?.tellsSeen == true { showAwaited(in: view, &context) }
        case .tellSeen:
            views.update(view) { $0.tellsSeen = true }
            showAwaited(in: view, &context)
        case .seen(let room, let message): seen(room, upTo: message, &context)
        case .setPalette(let on): setPalette(on, in: view, &context)
        case .lock: lockNow(&context)
        case .unlock(let passphrase): unlock(passphrase, &context)
        case .setPassphrase(let passphrase, let current): setPassphrase(passphrase, current: current, &context)
        case .setAutoLock(let on): setAutoLock(on, &context)
        case .setNotifications(let content): setNotifications(content, &context)
        case .setTheme(let theme): setTheme(theme, &context)
        case .setCover(let on): setCover(on, &context)
        case .setLanguage(let language): setLanguage(language, &context)
        case .setName(let name): setName(name, &context)
        case .endWelcome: endWelcome(&context)
        case .setServer(let url): setServer(url, &context)
        case .setIceServers(let servers): setIceServers(servers, &context)
        case .addIceServer(let url, let username, let credential): addIceServer(url, username, credential, &context)
        case .removeIceServer(let id): removeIceServer(id, &context)
        case .checkIceServers: checkIceServers(&context)
        case .checkServer: checkServer(&context)
        case .measureStorage: measureStorage(&context)
        case .setArchiveFiles(let on): if !lock.isLocked { views.update(view) { $0.archive.hasFiles = on } }
        case .exportProfile(let passphrase): exportProfile(passphrase, for: view, &context)
        case .restoreProfile(let handle, let passphrase): restoreProfile(handle, passphrase, &context)
        case .eraseAll: eraseAll(&context)
        }
    }

    mutating func reachabilityChanged(_ online: Bool, _ context: inout DispatchContext) {
        let cameBack = online && !isOnline
        isOnline = online
        if cameBack, !lock.isLocked { wakeUp(&context) }
    }

    /// Whether something new can be kept. If not, the person is told why, and it is not to be begun.
    mutating func canKeepMore(in room: RoomID? = nil, _ context: DispatchContext) -> Bool {
        guard let storageFailure else { return true }
        notify(.problem, Wording.storage(storageFailure), room: room, context)
        return false
    }

    // MARK: - Effects that failed for now

    /// Tries the effects again that were set aside: those whose time has come, or all of them.
    mutating func retryParked(until now: Timestamp? = nil, _ context: inout DispatchContext) {
        for effect in pendingEffects.unpark(until: now) { context.perform(effect) }
    }

    /// Sets an effect aside for a while.
    mutating func park(_ effect: EffectID, after failure: Failure, _ context: inout DispatchContext) {
        let wait = max(failure.retryAfter ?? Self.retryInterval, 1000)
        let time = context.now.advanced(byMilliseconds: wait)
        pendingEffects.park(effect, until: time)
        wake(at: time, &context)
    }

    /// Milliseconds between two attempts unless a failure names another time.
    static let retryInterval: Int64 = 30_000
}
