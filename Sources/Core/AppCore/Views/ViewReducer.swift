// Views come and go, come to the front and leave it, and go from screen to screen.

extension AppState {
    /// The view in which the person acts; the main one for what happens by itself.
    func actingView(_ context: DispatchContext) -> ViewState { views[context.view ?? .main] ?? views.main }

    mutating func openView(_ context: inout DispatchContext) {
        if let id = context.view { _ = views.open(id) }
    }

    /// The window is gone. What was written in it stays, for the next one.
    mutating func closeView(_ context: inout DispatchContext) {
        guard let id = context.view, id != .main, views[id] != nil else { return }
        becomeInactive(id, &context)
        endRecordings(where: { $0.id == id }, &context)
        giveUpVoices(of: id, &context)
        guard let closed = views.close(id) else { return }
        forget([closed.joinForm.words, closed.agents.key].compactMap(\.self), &context)
        for effect in closed.notes.effects
            + [closed.search?.effect, closed.summary?.effect, closed.threads?.effect, closed.devices?.effect]
            .compactMap(\.self)
        {
            settle(effect, &context)
        }
        notices.removeAll { $0.view == id }
        removeUnasked(&context) { $0.startedFor == id }
        unfollowNotes(&context)
        unfollowApps(&context)
    }

    // MARK: - Screens

    /// Goes to a screen: back to it, if it is on the path already.
    mutating func show(_ screen: Screen, in id: ViewID, _ context: inout DispatchContext) {
        guard !lock.isLocked, let view = views[id], let screen = possible(screen) else { return }
        if screen.page.isOfNotes { followNotes(in: id, &context) }
        if screen.page.isOfApps { followApps(in: id, &context) }
        if screen.page == .settings { measureStorage(&context) }
        stopTyping(in: view, &context)
        if screen.page == .chat, let room = screen.room, !view.isIn(room) {
            composers.adopt(room, by: id)
            views.update(id) { $0.unseen = nil }
            noteUnseen(of: room, in: id, &context)
        }
        views.update(id) { view in
            view.shownMessage = nil
            view.notes.making = nil
            if let position = view.screens.firstIndex(of: screen) {
                view.screens.removeSubrange((position + 1)...)
            } else {
                view.screens.append(screen)
            }
        }
        lookAtScreen(of: id, &context)
    }

    private mutating func followNotes(in id: ViewID, _ context: inout DispatchContext) {
        views.update(id) { $0.notes.isFollowing = true }
        openNotes(&context)
    }

    private mutating func followApps(in id: ViewID, _ context: inout DispatchContext) {
        views.update(id) { $0.apps.isFollowing = true }
        openApps(&context)
    }

    /// Opens or closes the command palette. It names notes and apps, so whoever opens it follows both.
    mutating func setPalette(_ on: Bool, in id: ViewID, _ context: inout DispatchContext) {
        guard !lock.isLocked else { return }
        views.update(id) { $0.hasPalette = on ? true : nil }
        guard on else { return }
        followNotes(in: id, &context)
        followApps(in: id, &context)
    }

    /// The screen with what its page needs and nothing else; `nil` if something is missing.
    private func possible(_ screen: Screen) -> Screen? {
        var screen = screen
        if screen.page.needsRoom {
            guard let room = screen.room, rooms[room] != nil else { return nil }
        } else if ![.search, .summary].contains(screen.page) || screen.room.flatMap({ rooms[$0] }) == nil {
            screen.room = nil
        }
        if screen.page == .summary {
            // One of both.
            if screen.room != nil { screen.note = nil } else if screen.note == nil { return nil }
        } else if !screen.page.needsNote {
            screen.note = nil
        } else if screen.note == nil {
            return nil
        }
        if screen.page != .folder { screen.folder = nil } else if screen.folder == nil { return nil }
        if !screen.page.needsApp { screen.app = nil } else if screen.app == nil { return nil }
        if screen.page.needsAgent {
            guard let agent = screen.agent, agents.byID[agent] != nil else { return nil }
        } else {
            screen.agent = nil
        }
        if screen.page.needsSession {
            guard let session = screen.session, talks[session] != nil else { return nil }
        } else {
            screen.session = nil
        }
        return screen
    }

    mutating func leaveScreen(of id: ViewID, _ context: inout DispatchContext) {
        guard let view = views[id], view.screens.count > 1 else { return }
        stopTyping(in: view, &context)
        views.update(id) {
            $0.screens.removeLast()
            $0.shownMessage = nil
        }
        lookAtScreen(of: id, &context)
    }

    /// Takes the screens of these rooms, and what follows them, off the path.
    mutating func hide(_ ids: Set<RoomID>, in id: ViewID, _ context: inout DispatchContext) {
        guard let view = views[id],
            let position = view.screens.firstIndex(where: { $0.room.map(ids.contains) ?? false })
        else { return }
        stopTyping(in: view, &context)
        views.update(id) { view in
            view.screens.removeSubrange(position...)
            if view.screens.isEmpty { view.screens = [Screen(.rooms)] }
        }
    }

    /// What is on the screen now counts as seen.
    private mutating func lookAtScreen(of id: ViewID, _ context: inout DispatchContext) {
        guard let room = views[id]?.screen.room, isSeen(room), let index = rooms.index(of: room) else { return }
        markSeen(index, &context)
    }

    /// Whether a person looks at this room's messages.
    package func isVisible(_ room: RoomID) -> Bool {
        !lock.isLocked && views.contains { $0.isLookedAt && $0.screen.page == .chat && $0.screen.room == room }
    }

    /// Whether what comes in this room is seen at once, because an open conversation counts.
    func isSeen(_ room: RoomID) -> Bool {
        !lock.isLocked
            && views.contains { view in
                view.isLookedAt && view.screen.page == .chat && view.screen.room == room && view.tellsSeen != true
            }
    }

    /// What the person sees of this room from now on was new to them.
    private mutating func noteUnseen(of id: RoomID, in view: ViewID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].unreadCount > 0 else { return }
        let (seen, count) = (rooms[index].seenUpTo ?? 0, rooms[index].unreadCount)
        let first = rooms[index].messages.firstUnseen.map { $0.order - 1 }
        views.update(view) { $0.unseen = Unseen(room: id, after: first ?? seen, count: count) }
        if first == nil { findUnseen(index, &context) }
    }

    // MARK: - In front or not

    /// Whether a person may be looking. Links open, and stay as they are when nobody does.
    package var isActive: Bool { views.contains(where: \.isFront) }

    mutating func becomeActive(_ id: ViewID, _ context: inout DispatchContext) {
        guard views[id]?.isFront == false else { return }
        views.update(id) { $0.isFront = true }
        if let screen = views[id]?.screen, screen.page == .chat, let room = screen.room {
            noteUnseen(of: room, in: id, &context)
        }
        if !lock.isLocked { wakeUp(&context) }
    }

    /// Whoever comes back finds what came meanwhile marked as new.
    mutating func tellAway(_ isAway: Bool, of id: ViewID, _ context: inout DispatchContext) {
        guard let view = views[id], (view.isAway ?? false) != isAway else { return }
        views.update(id) { $0.isAway = isAway ? true : nil }
        guard !isAway, view.isFront, !lock.isLocked else { return }
        if view.screen.page == .chat, let room = view.screen.room { noteUnseen(of: room, in: id, &context) }
        lookAtScreen(of: id, &context)
    }

    /// Takes up everything that waits for the person, the network or the key.
    mutating func wakeUp(_ context: inout DispatchContext) {
        retryParked(&context)
        guard isActive else { return }
        for index in rooms.indices {
            startWaiting(index, &context)
            if rooms[index].wantsLink { openLink(index, &context) }
        }
        for view in views where view.isFront { lookAtScreen(of: view.id, &context) }
    }

    mutating func becomeInactive(_ id: ViewID, _ context: inout DispatchContext) {
        guard let view = views[id], view.isFront else { return }
        stopTyping(in: view, &context)
        views.update(id) { $0.isFront = false }
        guard !isActive else { return }
        for index in rooms.indices { rooms[index].live.nextCheck = nil }
        if settings.autoLock { lockNow(&context) }
    }
}
