extension AppState {
    /// Where every input begins. A new slice is one line here.
    mutating func reduce(_ action: Action, _ context: inout DispatchContext) {
        switch action {
        case .app(let action): reduce(action, &context)
        case .rooms(let action): if !lock.isLocked { reduce(action, &context) }
        case .chat(let action): reduce(action, &context)
        case .circle(let action): if !lock.isLocked { reduce(action, &context) }
        case .notes(let action): if !lock.isLocked { reduce(action, &context) }
        case .apps(let action): if !lock.isLocked { reduce(action, &context) }
        case .event(let event): reduce(event, &context)
        }
        followNote(&context)
    }

    private mutating func reduce(_ action: AppAction, _ context: inout DispatchContext) {
        switch action {
        case .navigate(let screen): show(screen, &context)
        case .back: if screens.count > 1 { leaveScreen(&context) }
        case .dismissNotice(let notice): notices.removeAll { $0.id == notice }
        case .becameActive: becomeActive(&context)
        case .becameInactive: becomeInactive(&context)
        case .lock: lockNow(&context)
        case .unlock(let passphrase): unlock(passphrase, &context)
        case .setPassphrase(let passphrase, let current): setPassphrase(passphrase, current: current, &context)
        case .setAutoLock(let on): setAutoLock(on, &context)
        case .setServer(let url): setServer(url, &context)
        case .setIceServers(let servers): setIceServers(servers, &context)
        case .eraseAll: eraseAll(&context)
        }
    }

    // MARK: - Screens

    /// Goes to a screen: back to it, if it is on the path already.
    mutating func show(_ screen: Screen, _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        var screen = screen
        if screen.page.needsRoom {
            guard let room = screen.room, rooms[room] != nil else { return }
        } else {
            screen.room = nil
        }
        if !screen.page.needsNote { screen.note = nil } else if screen.note == nil { return }
        if screen.page != .folder { screen.folder = nil } else if screen.folder == nil { return }
        if !screen.page.needsApp { screen.app = nil } else if screen.app == nil { return }
        if screen.page.isOfNotes { openNotes(&context) }
        if screen.page.isOfApps { openApps(&context) }
        stopTyping(&context)
        if let position = screens.firstIndex(of: screen) {
            screens.removeSubrange((position + 1)...)
        } else {
            screens.append(screen)
        }
        lookAtScreen(&context)
    }

    private mutating func leaveScreen(_ context: inout DispatchContext) {
        stopTyping(&context)
        screens.removeLast()
        lookAtScreen(&context)
    }

    /// What is on the screen now counts as seen.
    private mutating func lookAtScreen(_ context: inout DispatchContext) {
        if let room = screen.room, isVisible(room), let index = rooms.index(of: room) { markSeen(index, &context) }
    }

    // MARK: - In front or not

    private mutating func becomeActive(_ context: inout DispatchContext) {
        guard !isActive else { return }
        isActive = true
        if !lock.isLocked { wakeUp(&context) }
    }

    /// Takes up everything that waits for the person, the network or the key.
    mutating func wakeUp(_ context: inout DispatchContext) {
        retryParked(&context)
        guard isActive else { return }
        for index in rooms.indices {
            startWaiting(index, &context)
            if rooms[index].wantsLink { openLink(index, &context) }
        }
        lookAtScreen(&context)
    }

    private mutating func becomeInactive(_ context: inout DispatchContext) {
        guard isActive else { return }
        stopTyping(&context)
        isActive = false
        for index in rooms.indices { rooms[index].live.nextCheck = nil }
        if settings.autoLock { lockNow(&context) }
    }

    mutating func reachabilityChanged(_ online: Bool, _ context: inout DispatchContext) {
        let cameBack = online && !isOnline
        isOnline = online
        if cameBack, !lock.isLocked { wakeUp(&context) }
    }

    /// Whether something new can be kept. If not, the person is told why, and it is not to be begun.
    mutating func canKeepMore(in room: RoomID? = nil) -> Bool {
        guard let storageFailure else { return true }
        notify(.problem, Wording.storage(storageFailure), room: room)
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
