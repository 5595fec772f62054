extension AppState {
    /// Where every input begins. A new slice is one line here.
    mutating func reduce(_ action: Action, _ turn: inout DispatchContext) {
        switch action {
        case .app(let action): reduce(action, &turn)
        case .rooms(let action): if !lock.isLocked { reduce(action, &turn) }
        case .chat(let action): reduce(action, &turn)
        case .circle(let action): if !lock.isLocked { reduce(action, &turn) }
        case .notes(let action): if !lock.isLocked { reduce(action, &turn) }
        case .apps(let action): if !lock.isLocked { reduce(action, &turn) }
        case .event(let event): reduce(event, &turn)
        }
        followNote(&turn)
    }

    private mutating func reduce(_ action: AppAction, _ turn: inout DispatchContext) {
        switch action {
        case .navigate(let screen): show(screen, &turn)
        case .back: if screens.count > 1 { leaveScreen(&turn) }
        case .dismissNotice(let notice): notices.removeAll { $0.id == notice }
        case .becameActive: becomeActive(&turn)
        case .becameInactive: becomeInactive(&turn)
        case .lock: lockNow(&turn)
        case .unlock(let passphrase): unlock(passphrase, &turn)
        case .setPassphrase(let passphrase, let current): setPassphrase(passphrase, current: current, &turn)
        case .setAutoLock(let on): setAutoLock(on, &turn)
        case .setServer(let url): setServer(url, &turn)
        case .setIceServers(let servers): setIceServers(servers, &turn)
        case .eraseAll: eraseAll(&turn)
        }
    }

    // MARK: - Screens

    /// Goes to a screen: back to it, if it is on the path already.
    mutating func show(_ screen: Screen, _ turn: inout DispatchContext) {
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
        if screen.page.isOfNotes { openNotes(&turn) }
        if screen.page.isOfApps { openApps(&turn) }
        stopTyping(&turn)
        if let position = screens.firstIndex(of: screen) {
            screens.removeSubrange((position + 1)...)
        } else {
            screens.append(screen)
        }
        lookAtScreen(&turn)
    }

    private mutating func leaveScreen(_ turn: inout DispatchContext) {
        stopTyping(&turn)
        screens.removeLast()
        lookAtScreen(&turn)
    }

    /// What is on the screen now counts as seen.
    private mutating func lookAtScreen(_ turn: inout DispatchContext) {
        if let room = screen.room, isVisible(room), let index = rooms.index(of: room) { markSeen(index, &turn) }
    }

    // MARK: - In front or not

    private mutating func becomeActive(_ turn: inout DispatchContext) {
        guard !isActive else { return }
        isActive = true
        if !lock.isLocked { wakeUp(&turn) }
    }

    /// Takes up everything that waits for the person, the network or the key.
    mutating func wakeUp(_ turn: inout DispatchContext) {
        retryParked(&turn)
        guard isActive else { return }
        for index in rooms.indices {
            startWaiting(index, &turn)
            if rooms[index].wantsLink { openLink(index, &turn) }
        }
        lookAtScreen(&turn)
    }

    private mutating func becomeInactive(_ turn: inout DispatchContext) {
        guard isActive else { return }
        stopTyping(&turn)
        isActive = false
        for index in rooms.indices { rooms[index].live.nextCheck = nil }
        if settings.autoLock { lockNow(&turn) }
    }

    mutating func reachabilityChanged(_ online: Bool, _ turn: inout DispatchContext) {
        let cameBack = online && !isOnline
        isOnline = online
        if cameBack, !lock.isLocked { wakeUp(&turn) }
    }

    /// Whether something new can be kept. If not, the person is told why, and it is not to be begun.
    mutating func canKeepMore(in room: RoomID? = nil) -> Bool {
        guard let storageFailure else { return true }
        notify(.problem, Wording.storage(storageFailure), room: room)
        return false
    }

    // MARK: - Effects that failed for now

    /// Tries the effects again that were set aside: those whose time has come, or all of them.
    mutating func retryParked(until now: Timestamp? = nil, _ turn: inout DispatchContext) {
        for effect in pendingEffects.unpark(until: now) { turn.perform(effect) }
    }

    /// Sets an effect aside for a while.
    mutating func park(_ effect: EffectID, after failure: Failure, _ turn: inout DispatchContext) {
        let wait = max(failure.retryAfter ?? Self.retryInterval, 1000)
        let time = turn.now.advanced(byMilliseconds: wait)
        pendingEffects.park(effect, until: time)
        wake(at: time, &turn)
    }

    /// Milliseconds between two attempts when nobody says otherwise.
    static let retryInterval: Int64 = 30_000
}
