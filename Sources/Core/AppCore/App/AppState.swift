/// Everything the product knows. A value: equal states are equal bytes (see ``JSON``).
package struct AppState: Sendable, Hashable, Codable {
    package internal(set) var settings = Settings()
    package internal(set) var rooms = RoomList()
    package internal(set) var circle = Circle()
    package internal(set) var notes = Notebook()
    package internal(set) var apps = AppsState()
    /// The path of screens from the list of rooms to what is shown.
    package internal(set) var screens: [Screen] = [Screen(.rooms)]
    package internal(set) var createForm = CreateForm()
    package internal(set) var joinForm = JoinForm()
    /// What the person should know, oldest first.
    package internal(set) var notices: [Notice] = []
    package internal(set) var lock = Lock()
    /// Whether the app is in front. Content is covered, and links stay as they are, while it is not.
    package internal(set) var isActive = false
    package internal(set) var isOnline = true
    /// Why what changes cannot be saved now: the disk is full, or cannot be written. Nothing new begins meanwhile.
    package internal(set) var storageFailure: Failure?
    package internal(set) var pendingEffects = PendingEffects()

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case settings, rooms, circle, notes, apps, screens, createForm, joinForm, notices, lock, isActive, isOnline
        case storageFailure
        case pendingEffects = "ledger"
    }

    /// What is shown.
    package var screen: Screen { screens.last ?? Screen(.rooms) }

    /// Whether the person looks at this room's messages.
    func isVisible(_ room: RoomID) -> Bool { isActive && !lock.isLocked && screen.page == .chat && screen.room == room }
}

/// The form that makes a room.
package struct CreateForm: Sendable, Hashable, Codable {
    package var name = ""
    package var expiresIn = RoomLimits.defaultExpiry
}

/// The form that joins one.
package struct JoinForm: Sendable, Hashable, Codable {
    package var code = ""
    package var words: SecretRef?
    package var name = ""
}

/// Whether content is out of reach.
package struct Lock: Sendable, Hashable, Codable {
    package var isLocked = false
    /// The unlocking that is under way.
    package var attempt: EffectID?
    /// When the next attempt is possible.
    package var retryAt: Timestamp?
}

/// Something a person should know.
package struct Notice: Sendable, Hashable, Codable, Identifiable {
    package let id: UInt64
    package var kind: Kind
    package var text: String
    package var room: RoomID?
    /// The app that it is about.
    package var app: AppID?

    package enum Kind: String, Sendable, Hashable, Codable { case information, problem }
}
