extension Core {
    /// What there is to see and to do in the main view.
    package var tree: SemanticNode { tree(for: .main) ?? SemanticNode(.screen, "cover.screen") }

    /// What there is to see and to do in a view now; `nil` for one that is not open.
    ///
    /// - Parameter windows: which part of a list is wanted, by the list's id; lists that are not named come whole.
    package func tree(for view: ViewID, windows: [String: Window.Request] = [:]) -> SemanticNode? {
        guard let view = state.views[view] else { return nil }
        if view.screen.room.map(state.isVisible) != true { messageNodes.forget(view.id) }
        let whole = Presentation(of: state, in: view, windows: windows).tree(messageNodes)
        return windows.isEmpty ? whole : whole.cut(to: windows)
    }

    /// What a view offers at a node now, by the verb; `nil` if that is gone.
    ///
    /// A view that is not in front shows a cover, but what was done in it before, and comes late, still counts.
    package func offer(
        _ verb: Offer.Verb, at node: String, in view: ViewID, windows: [String: Window.Request] = [:]
    ) -> Offer? {
        guard var view = state.views[view] else { return nil }
        view.isFront = true
        return Presentation(of: state, in: view, windows: windows).tree(messageNodes).cut(to: windows)
            .offer(verb, at: node)
    }
}

extension SemanticNode {
    /// The tree with no more of long lists than is wanted.
    fileprivate func cut(to windows: [String: Window.Request]) -> SemanticNode {
        var node = self
        if let request = windows[id], window == nil {
            let place = request.anchor.flatMap { anchor in children.firstIndex { $0.id == anchor } }
            let rows = request.rows(of: children.count, around: place)
            node.window = Window(count: children.count, first: rows.lowerBound)
            node.children = ChunkedArray(children[rows])
        }
        guard role == .screen || role == .section else { return node }
        for index in node.children.indices where !node.children[index].children.isEmpty {
            node.children[index] = node.children[index].cut(to: windows)
        }
        return node
    }
}

/// The state as one view shows it.
struct Presentation {
    let state: AppState
    let view: ViewState
    let windows: [String: Window.Request]

    init(of state: AppState, in view: ViewState, windows: [String: Window.Request] = [:]) {
        self.state = state
        self.view = view
        self.windows = windows
    }

    var screen: Screen { view.screen }
    var settings: Settings { state.settings }
    var rooms: RoomList { state.rooms }
    var circle: Circle { state.circle }
    var notes: Notebook { state.notes }
    var apps: AppsState { state.apps }
    var agents: AgentList { state.agents }
    var talks: AgentTalks { state.talks }
    var lock: Lock { state.lock }
    var isOnline: Bool { state.isOnline }
    var storageFailure: Failure? { state.storageFailure }
    var pendingEffects: PendingEffects { state.pendingEffects }

    /// What this view tells, and what all tell.
    var notices: [Notice] { state.notices.filter { $0.view == nil || $0.view == view.id } }

    /// What stands in this view's composer of a room.
    func draft(in room: RoomID) -> String { state.composers.text(in: room, of: view.id) }
}

extension Presentation {
    func tree(_ messages: MessageNodes) -> SemanticNode {
        // The lock shows nothing that a cover would hide.
        guard view.isFront || lock.isLocked else { return coverScreen }
        var shown = lock.isLocked ? lockScreen : shown(messages).within(screen.page.region)
        (shown.facts.theme, shown.facts.covers) = (settings.theme, settings.coversWhenAway)
        shown.facts.language = settings.language
        if lock.isLocked { return shown }
        if windows[Self.beside] != nil, shown.id != "rooms" {
            let isOfNotes = screen.page.isOfNotes && shown.id != "notes"
            let isOfAgents = screen.page.isOfAgents && shown.id != "agents"
            let lists = [roomsBeside] + (isOfNotes ? [notesBeside] : []) + (isOfAgents ? [agentsBeside] : [])
            shown.children = ChunkedArray(lists + Array(shown.children))
        }
        if windows[Self.beside] != nil { shown.children.append(palette) }
        return shown
    }

    /// That a microphone is on hides behind nothing, and the title of a window tells how much is new.
    private var coverScreen: SemanticNode {
        let shown = [SemanticNode(.cover, "cover"), view.recording.map(recordingNode)]
        var cover = SemanticNode(.screen, "cover.screen", shown.compactMap(\.self))
        let unread = rooms.reduce(0) { $0 + $1.unreadCount }
        cover.facts.unread = unread > 0 ? unread : nil
        return cover
    }

    /// A window of this name asks for the rooms on every screen, for the list of notes on every screen about notes, and for that of sessions on
    /// every screen about agents: the renderer has space for them beside it.
    static let beside = "beside"

    private func shown(_ messages: MessageNodes) -> SemanticNode {
        let room = screen.room.flatMap { rooms[$0] }
        switch (screen.page, room) {
        case (.create, _): return createScreen
        case (.join, _): return joinScreen
        case (.search, _): return searchScreen
        case (.settings, _): return settingsScreen
        case (.identities, _): return identitiesScreen
        case (.circle, _): return circleScreen
        case (.notes, _): return notesScreen
        case (.folders, _): return foldersScreen
        case (.note, _): return screen.note.map(noteScreen) ?? notesScreen
        case (.noteSettings, _): return screen.note.map(noteSettingsScreen) ?? notesScreen
        case (.purgeNote, _): return screen.note.map(purgeNoteScreen) ?? notesScreen
        case (.folder, _): return screen.folder.map(folderScreen) ?? foldersScreen
        case (.apps, _): return appsScreen
        case (.app, _): return screen.app.map(appScreen) ?? appsScreen
        case (.appLog, _): return screen.app.map(appLogScreen) ?? appsScreen
        case (.removeApp, _): return screen.app.map(removeAppScreen) ?? appsScreen
        case (.installApp, _): return installAppScreen
        case (.appsCore, _): return appsCoreScreen
        case (.agents, _): return agentsScreen
        case (.addAgent, _): return addAgentScreen
        case (.agentSettings, _):
            return screen.agent.flatMap { agents.byID[$0] }.map(agentSettingsScreen) ?? agentsScreen
        case (.agentThreads, _):
            return screen.agent.flatMap { agents.byID[$0] }.map(agentThreadsScreen) ?? agentsScreen
        case (.agentDevices, _): return agentDevicesScreen
        case (.agent, _): return screen.session.flatMap { talks[$0] }.map(agentScreen) ?? agentsScreen
        case (.sessionSettings, _):
            return screen.session.flatMap { talks[$0] }.map(sessionSettingsScreen) ?? agentsScreen
        case (.agentLog, _): return agentLogScreen
        case (.summary, _): return summaryScreen
        case (.member, let room?): return memberScreen(room)
        case (.revoke, let room?): return revokeScreen(room)
        case (.chat, let room?): return chatScreen(room, messages)
        case (.roomSettings, let room?): return roomSettingsScreen(room)
        case (.safetyNumber, let room?): return safetyNumberScreen(room)
        default: return roomsScreen
        }
    }

    /// A screen with what every screen has: its name, the notices, and the way back.
    func page(_ id: String, _ children: [SemanticNode]) -> SemanticNode { page(id, .key(id), children) }

    func page(_ id: String, _ title: Words, _ children: [SemanticNode]) -> SemanticNode {
        var all = [SemanticNode(.heading, "\(id).title", title)]
        if view.screens.count > 1 { all.append(.button("back", .app(.back)).within(.navigation)) }
        if !isOnline { all.append(SemanticNode(.status, "offline").within(.notices)) }
        all += storageNodes
        if !notices.isEmpty { all.append(noticesNode) }
        return SemanticNode(.screen, id, title, all + children)
    }

    /// Stands as long as nothing can be saved.
    var storageNodes: [SemanticNode] {
        storageFailure.map { [SemanticNode(.banner, "storage", Wording.storage($0)).within(.notices)] } ?? []
    }

    var noticesNode: SemanticNode {
        SemanticNode(
            .section, "notices",
            notices.map { notice in
                SemanticNode(
                    .banner, "notice.\(notice.id)", notice.text,
                    detail: notice.room.flatMap { rooms[$0]?.titleWords }
                        ?? notice.app.map { .said(apps.title(of: $0)) },
                    [
                        .button(
                            "notice.\(notice.id).dismiss", .key("notice.dismiss"),
                            .app(.dismissNotice(notice: notice.id)))
                    ])
            }
        ).within(.notices)
    }
}

extension SemanticNode {
    static func button(_ id: String, _ action: Action, isEnabled: Bool = true, isBusy: Bool = false) -> SemanticNode {
        button(id, .key(id), action, isEnabled: isEnabled, isBusy: isBusy)
    }

    @inline(never) static func button(
        _ id: String, _ label: Words, _ action: Action, isEnabled: Bool = true, isBusy: Bool = false
    )
        -> SemanticNode
    { SemanticNode(.button, id, label, isEnabled: isEnabled, isBusy: isBusy, offers: [.tap(action)]) }

    @inline(never) static func field(
        _ id: String, _ label: Words? = nil, text: String, _ action: Action, input: String, kind: Offer.Kind = .text,
        isEnabled: Bool = true, isFocused: Bool = false
    ) -> SemanticNode {
        SemanticNode(
            .textField, id, label ?? .key(id), value: .text(text), isEnabled: isEnabled, isFocused: isFocused,
            offers: [Offer(.setText, action, inputs: [input: kind])])
    }

    static func toggle(_ id: String, _ label: Words? = nil, isOn: Bool, _ action: Action, isEnabled: Bool = true)
        -> SemanticNode
    { SemanticNode(.toggle, id, label ?? .key(id), isEnabled: isEnabled, isSelected: isOn, offers: [.tap(action)]) }
}
