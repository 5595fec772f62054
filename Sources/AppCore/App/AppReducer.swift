extension AppState {
    /// Where every input begins. A new slice is one line here.
    mutating func reduce(_ action: Action, _ turn: inout Turn) {
        switch action {
        case .app(let action): reduce(action, &turn)
        case .rooms, .chat, .event: break
        }
    }

    private mutating func reduce(_ action: AppAction, _ turn: inout Turn) {
        switch action {
        case .navigate(let screen): show(screen)
        case .back: if screens.count > 1 { screens.removeLast() }
        case .dismissNotice(let notice): notices.removeAll { $0.id == notice }
        default: break
        }
    }

    /// Goes to a screen: back to it, if it is on the path already.
    mutating func show(_ screen: Screen) {
        var screen = screen
        if screen.page.needsRoom {
            guard let room = screen.room, rooms[room] != nil else { return }
        } else {
            screen.room = nil
        }
        if let position = screens.firstIndex(of: screen) {
            screens.removeSubrange((position + 1)...)
        } else {
            screens.append(screen)
        }
    }
}
