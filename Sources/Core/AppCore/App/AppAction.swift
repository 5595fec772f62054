/// What a person does outside a room, and what the system does to the app.
package enum AppAction: Sendable, Hashable, Codable {
    /// A window opens, under the name that comes with the input.
    case openView
    /// The window is gone. The main view stays.
    case closeView
    case navigate(to: Screen)
    case back
    case dismissNotice(notice: UInt64)
    /// The view came to the front: links open, content shows.
    case becameActive
    /// The view went away from the front: its content is covered.
    case becameInactive

    /// Whether another window is in front of the view's, which still shows what it showed: nobody looks at it.
    case tellAway(on: Bool)
    /// Whether the view has a window now. One that was closed, or lost its connection, may come back to what it showed.
    case tellWindow(on: Bool)
    /// What the renderer of the view can do.
    case tellAbilities(can: [ViewAbility])
    /// From now on the view says itself what its person has seen: an open conversation alone no longer counts.
    case tellSeen
    /// The messages of a room up to this one have been on the screen.
    case seen(room: RoomID, upTo: MessageID)

    /// Opens or closes this view's command palette: everything that has a name, to be found from everywhere.
    case setPalette(on: Bool)

    /// Forgets the key and everything it protects, until ``unlock(passphrase:)``.
    case lock
    case unlock(passphrase: SecretRef)
    /// Sets, changes or (without `passphrase`) removes the passphrase; `current` is needed when there is one.
    case setPassphrase(passphrase: SecretRef?, current: SecretRef?)
    /// Whether everything is locked as soon as no view is in front.
    case setAutoLock(on: Bool)

    /// What notifications of the desktop tell.
    case setNotifications(content: Settings.NotificationContent)

    /// The colours of pages.
    case setTheme(theme: Settings.Theme)
    /// Whether a page hides what it shows while another window is in front.
    case setCover(on: Bool)
    /// The language in which pages and notifications speak.
    case setLanguage(language: Settings.Language)
    /// What the person is called; empty for what the system calls them.
    case setName(name: String)

    /// Puts the welcome of a new profile away.
    case endWelcome
    /// The rendezvous server for new rooms: an `http` or `https` URL.
    case setServer(url: String)
    case setIceServers(servers: [IceServer])
    /// A STUN or TURN server beside those of ``setIceServers(servers:)``: `stun:host[:port]` or `turn:host[:port][?transport=udp|tcp]`.
    /// TURN takes a name and a password, STUN neither.
    case addIceServer(url: String, username: String?, credential: SecretRef?)
    case removeIceServer(server: IceServerID)
    /// Tries the STUN and TURN servers.
    case checkIceServers
    /// Asks the server for new rooms whether it is there.
    case checkServer
    /// Measures what the profile takes of the disk.
    case measureStorage
    /// Whether an archive of the profile that this view makes holds received files, too.
    case setArchiveFiles(on: Bool)
    /// Seals a copy of the whole profile into an archive, under a passphrase of its own.
    case exportProfile(passphrase: SecretRef)
    /// Puts what an archive holds in the place of this profile, which has to hold nothing. The host begins anew then.
    case restoreProfile(handle: String, passphrase: SecretRef)
    /// Deletes every room here and at the servers, and everything else in the profile.
    case eraseAll
}

/// A place in the app.
package struct Screen: Sendable, Hashable, Codable {
    package enum Page: String, Sendable, Hashable, Codable, CaseIterable {
        case rooms
        case create
        case join
        /// Looks for words in conversations; with a room in that one alone.
        case search
        case settings
        /// Every room's ephemeral identity, by the room's current name.
        case identities
        case chat
        case roomSettings = "room_settings"
        case safetyNumber = "safety_number"
        /// The people who are trusted, and what is left of trust that has ended.
        case circle
        /// The other person of a room: who they are, and the trust between the two.
        case member
        /// Asks whether the trust is really to end.
        case revoke
        /// The list of notes.
        case notes
        case note
        /// Folder, sharing, and the end of a note.
        case noteSettings = "note_settings"
        /// Asks whether the note is really to go for good.
        case purgeNote = "purge_note"
        case folders
        case folder
        /// The list of apps.
        case apps
        /// One app: what it may do, what runs.
        case app
        case appLog = "app_log"
        /// Asks whether an app is really to go, and whether with its files.
        case removeApp = "remove_app"
        /// Asks what an app that is to be installed may do.
        case installApp = "install_app"
        /// What serves apps.
        case appsCore = "apps_core"
        /// The sessions with agents, and the agents.
        case agents
        /// The form for another agent.
        case addAgent = "add_agent"
        /// One agent: where it is, and the way to a new session with it.
        case agentSettings = "agent_settings"
        /// The sessions that an agent has already.
        case agentThreads = "agent_threads"
        /// The devices that a gateway in front of the agents has let in.
        case agentDevices = "agent_devices"
        /// A session with an agent.
        case agent
        /// What may happen in a session unasked, and its end.
        case sessionSettings = "session_settings"
        /// What became of the questions of agents.
        case agentLog = "agent_log"
        /// Asks whether a room or a note is really to be sent to a model, and shows all of it.
        case summary

        var needsRoom: Bool {
            switch self {
            case .chat, .roomSettings, .safetyNumber, .member, .revoke: true
            default: false
            }
        }

        var needsNote: Bool { self == .note || self == .noteSettings || self == .purgeNote }

        var isOfNotes: Bool { needsNote || self == .notes || self == .folders || self == .folder }

        var needsApp: Bool { self == .app || self == .appLog || self == .removeApp }

        var needsAgent: Bool { self == .agentSettings || self == .agentThreads }

        var needsSession: Bool { self == .agent || self == .sessionSettings }

        var isOfAgents: Bool {
            needsSession || needsAgent || [.agents, .addAgent, .agentDevices, .agentLog].contains(self)
        }

        var isOfApps: Bool { needsApp || self == .apps || self == .installApp || self == .appsCore }
    }

    package var page: Page
    /// The room of the pages inside one.
    package var room: RoomID?
    /// The note of the pages about one.
    package var note: NoteID?
    /// The folder of the page about one.
    package var folder: FolderID?
    /// The app of the pages about one.
    package var app: AppID?
    /// The agent of the page about one.
    package var agent: AgentID?
    /// The session of the pages about one.
    package var session: AgentSessionID?

    package init(
        _ page: Page, room: RoomID? = nil, note: NoteID? = nil, folder: FolderID? = nil, app: AppID? = nil,
        agent: AgentID? = nil, session: AgentSessionID? = nil
    ) {
        self.page = page
        self.room = room
        self.note = note
        self.folder = folder
        self.app = app
        self.agent = agent
        self.session = session
    }
}
