/// Everything the product knows. A value: equal states are equal bytes (see ``JSON``).
public struct AppState: Sendable, Hashable, Codable {
    public internal(set) var settings = Settings()
    public internal(set) var rooms = RoomList()
    public internal(set) var circle = Circle()
    public internal(set) var notes = Notebook()
    public internal(set) var apps = AppsState()
    /// The path of screens from the list of rooms to what is shown.
    public internal(set) var screens: [Screen] = [Screen(.rooms)]
    public internal(set) var createForm = CreateForm()
    public internal(set) var joinForm = JoinForm()
    /// What the person should know, oldest first.
    public internal(set) var notices: [Notice] = []
    public internal(set) var lock = Lock()
    /// Whether the app is in front. Content is covered, and links stay as they are, while it is not.
    public internal(set) var isActive = false
    public internal(set) var isOnline = true
    /// Why what changes cannot be saved now: the disk is full, or cannot be written. Nothing new begins meanwhile.
    public internal(set) var storageFailure: Failure?
    public internal(set) var pendingEffects = PendingEffects()

    public init() {}

    private enum CodingKeys: String, CodingKey {
        case settings, rooms, circle, notes, apps, screens, createForm, joinForm, notices, lock, isActive, isOnline
        case storageFailure
        case pendingEffects = "ledger"
    }

    /// What is shown.
    public var screen: Screen { screens.last ?? Screen(.rooms) }

    /// Whether the person looks at this room's messages.
    func isVisible(_ room: RoomID) -> Bool { isActive && !lock.isLocked && screen.page == .chat && screen.room == room }
}

/// The form that makes a room.
public struct CreateForm: Sendable, Hashable, Codable {
    public var name = ""
    public var expiresIn = RoomLimits.defaultExpiry
}

/// The form that joins one.
public struct JoinForm: Sendable, Hashable, Codable {
    public var code = ""
    public var words: SecretRef?
    public var name = ""
}

/// Whether content is out of reach.
public struct Lock: Sendable, Hashable, Codable {
    public var isLocked = false
    /// The unlocking that is under way.
    public var attempt: EffectID?
    /// When the next attempt is possible.
    public var retryAt: Timestamp?
}

/// Something a person should know.
public struct Notice: Sendable, Hashable, Codable, Identifiable {
    public let id: UInt64
    public var kind: Kind
    public var text: String
    public var room: RoomID?
    /// The app that it is about.
    public var app: AppID?

    public enum Kind: String, Sendable, Hashable, Codable { case information, problem }
}
