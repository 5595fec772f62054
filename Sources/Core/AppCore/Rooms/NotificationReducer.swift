// Notifications of the desktop: one for each room in which something new is, until somebody has seen it.

extension AppState {
    /// Tells of a message that has come, unless a person looks at its room. A notification that was shown a moment ago is
    /// replaced a little later, once for all that came meanwhile.
    mutating func announce(_ message: Message, in index: Int, _ context: inout DispatchContext) {
        let room = rooms[index].id
        guard settings.notificationContent != .off, rooms[index].isMuted != true, !isVisible(room) else { return }
        var all = notifications ?? []
        let place = all.firstIndex { $0.room == room } ?? all.endIndex
        if place == all.endIndex { all.append(RoomNotification(room: room, message: message.id)) }
        all[place].message = message.id
        if let next = all[place].pauseEnd, all[place].pauses(at: context.now) {
            all[place].dueAt = next
            wake(at: next, &context)
        } else {
            show(&all[place], &context)
        }
        notifications = all
    }

    /// Shows what waited for the pause of its room to end.
    mutating func showDueNotifications(_ context: inout DispatchContext) {
        closeNotifications(&context)
        guard var all = notifications else { return }
        for index in all.indices where all[index].dueAt?.isDue(at: context.now) == true { show(&all[index], &context) }
        notifications = all
    }

    private mutating func show(_ notification: inout RoomNotification, _ context: inout DispatchContext) {
        guard let room = rooms[notification.room], let message = room.messages[notification.message] else { return }
        notification.shownAt = context.now
        notification.isShown = true
        notification.dueAt = nil
        // What is to be kept nowhere is not given to a program that may keep it.
        let isFull = settings.notificationContent == .full && !room.keepsNothing
        issue(
            .showNotification(
                room: room.id, title: isFull ? room.titleWords : "notification.title",
                text: isFull ? message.announcement : "notification.message"), &context)
    }

    /// Closes what nobody needs to be told any more.
    mutating func closeNotifications(_ context: inout DispatchContext) {
        guard var all = notifications else { return }
        for index in all.indices where !isNews(all[index]) {
            if all[index].isShown { issue(.closeNotification(room: all[index].room), &context) }
            all[index].isShown = false
            all[index].dueAt = nil
        }
        // A room whose notification was closed still pauses: the other person could send and delete without end.
        all.removeAll { !$0.isShown && $0.dueAt == nil && !$0.pauses(at: context.now) }
        notifications = all.isEmpty ? nil : all
    }

    private func isNews(_ notification: RoomNotification) -> Bool {
        guard settings.notificationContent != .off, let room = rooms[notification.room], !isVisible(room.id),
            room.isMuted != true, let message = room.messages[notification.message]
        else { return false }
        return room.messages.isUnread(message) && message.body != .deleted
    }

    /// The person has chosen a notification. A window goes to the room, but not one in which they are in a conversation.
    mutating func notificationOpened(_ room: RoomID, _ context: inout DispatchContext) {
        guard !lock.isLocked, rooms[room] != nil, !isVisible(room) else { return }
        lead(to: Screen(.chat, room: room), &context)
    }

    /// Shows in a window what a notification is about. Without a window one is opened.
    mutating func lead(to screen: Screen, _ context: inout DispatchContext) {
        if let view = windowForNotification { return show(screen, in: view, &context) }
        guard !views.contains(where: \.isWindow) else { return }
        // A browser takes its time to start.
        let isComing = awaited?.isFresh(for: NotificationLimits.opening, at: context.now) == true
        awaited = AwaitedScreen(screen: screen, at: isComing ? awaited?.at ?? context.now : context.now)
        if !isComing { issue(.openPage, &context) }
    }

    /// A window has opened.
    mutating func showAwaited(in view: ViewID, _ context: inout DispatchContext) {
        guard let known = awaited, !lock.isLocked else { return }
        awaited = nil
        guard known.isFresh(for: NotificationLimits.patience, at: context.now) else { return }
        show(known.screen, in: view, &context)
    }

    /// The view in which what a notification is about is shown. A view that does not say what its person sees may have no window: opening a
    /// room there would mark it as seen.
    var windowForNotification: ViewID? {
        let windows = views.filter { $0.isWindow && !($0.isLookedAt && $0.screen.page == .chat) }
        return (windows.first(where: \.isFront) ?? windows.first)?.id
    }

    mutating func setNotifications(_ content: Settings.NotificationContent, _ context: inout DispatchContext) {
        guard !lock.isLocked, settings.notificationContent != content else { return }
        settings.notifications = content
        context.changed(.settings)
    }
}

/// The notification of one room.
package struct RoomNotification: Sendable, Hashable, Codable {
    package let room: RoomID
    /// The newest message: the one that it tells of, or will tell of at ``dueAt``.
    var message: MessageID
    /// When it was last shown.
    var shownAt: Timestamp?
    package var isShown = false
    /// When it is shown anew, because more has come.
    var dueAt: Timestamp?

    init(room: RoomID, message: MessageID) {
        self.room = room
        self.message = message
    }

    /// When the next one of this room may be shown.
    var pauseEnd: Timestamp? { shownAt?.advanced(byMilliseconds: NotificationLimits.pause) }

    func pauses(at now: Timestamp) -> Bool {
        guard let shownAt, let pauseEnd else { return false }
        return shownAt <= now && now < pauseEnd
    }
}

/// What the next window shows, and since when it is awaited.
package struct AwaitedScreen: Sendable, Hashable, Codable {
    let screen: Screen
    let at: Timestamp

    func isFresh(for milliseconds: Int64, at now: Timestamp) -> Bool {
        at <= now && now < at.advanced(byMilliseconds: milliseconds)
    }
}

/// Bounds of notifications.
package enum NotificationLimits {
    /// Milliseconds between two notifications of one room.
    package static let pause: Int64 = 4000
    /// Milliseconds in which a window that is being opened is not opened once more, and after which it shows nothing of its own.
    package static let opening: Int64 = 15_000
    package static let patience: Int64 = 60_000
    /// Bytes of UTF-8 of a message that a notification shows.
    package static let textBytes = 200
}

extension Message {
    /// What a notification says of it: the first line of a text.
    fileprivate var announcement: Words {
        switch body {
        case .text(let text), .reply(_, let text):
            let line = text.split(whereSeparator: \.isNewline).lazy.map { $0.prefix(NotificationLimits.textBytes) }
                .map { String($0).withoutControls.trimmed.limited(to: NotificationLimits.textBytes) }
                .first { !$0.isEmpty }
            return line.map(Words.said) ?? "notification.message"
        case .file(let offer) where offer.media.kind == .voice: return "message.voice"
        case .file(let offer): return .key("notification.file", ["name": .said(offer.name)])
        case .location: return "message.place.other"
        default: return "notification.message"
        }
    }
}
