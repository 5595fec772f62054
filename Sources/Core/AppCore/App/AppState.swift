/// Everything the product knows. A value: equal states are equal bytes (see ``JSON``).
package struct AppState: Sendable, Hashable, Codable {
    package internal(set) var settings = Settings()
    package internal(set) var rooms = RoomList()
    package internal(set) var circle = Circle()
    package internal(set) var notes = Notebook()
    package internal(set) var apps = AppsState()
    package internal(set) var agents = AgentList()
    package internal(set) var talks = AgentTalks()
    package internal(set) var views = ViewList()
    /// What is written in rooms and not sent.
    package internal(set) var composers = Composers()
    /// What the person should know, oldest first.
    package internal(set) var notices: [Notice] = []
    /// The notifications of the desktop; `nil` if there are none.
    package internal(set) var notifications: [RoomNotification]?
    /// What the next window shows that opens: the person has chosen a notification, and there was none.
    package internal(set) var awaited: AwaitedScreen?
    package internal(set) var lock = Lock()
    package internal(set) var isOnline = true
    /// Why what changes cannot be saved now: the disk is full, or cannot be written. Nothing new begins meanwhile.
    package internal(set) var storageFailure: Failure?
    /// Whether the server for new rooms answers; `nil` if nobody has asked.
    package internal(set) var serverCheck: ServerCheck?
    /// What came of the STUN and TURN servers that were tried; `nil` if none was.
    package internal(set) var iceServerChecks: [IceServerCheck]?
    /// What the profile takes of the disk; `nil` if it was not measured.
    package internal(set) var storageUsage: StorageUsage?
    package internal(set) var pendingEffects = PendingEffects()
    /// How many of the newest messages of a room stay in memory, because the host hands back older ones when they are wanted;
    /// `nil` if all do.
    package internal(set) var recentMessages: Int?

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case settings, rooms, circle, notes, apps, agents, talks, views, composers, notices, notifications, awaited,
            lock, isOnline, storageFailure, serverCheck, iceServerChecks, storageUsage, recentMessages
        case pendingEffects = "ledger"
    }
}

/// Whether content is out of reach.
package struct Lock: Sendable, Hashable, Codable {
    package var isLocked = false
    /// The unlocking that is under way.
    package var attempt: EffectID?
    /// How many messages of an older profile have been moved meanwhile; `nil` if none are.
    package var moved: Moved?
    /// When the next attempt is possible.
    package var retryAt: Timestamp?
    /// Whether agents that ran were ended when it was locked; `nil` if it was locked when the process began.
    package var endedAgents: Bool?
}

/// Messages that an older version kept elsewhere on the disk, on their way.
package struct Moved: Sendable, Hashable, Codable {
    package var done: Int
    package var total: Int
}

/// Something a person should know.
package struct Notice: Sendable, Hashable, Codable, Identifiable {
    package let id: UInt64
    package var kind: Kind
    package var text: Words
    package var room: RoomID?
    /// The app that it is about.
    package var app: AppID?
    /// The view that asked for what went wrong; `nil` for what every view should tell.
    package var view: ViewID?

    package enum Kind: String, Sendable, Hashable, Codable { case information, problem }
}
