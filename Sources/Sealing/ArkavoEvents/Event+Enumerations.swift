// The enumerations of `event.fbs`.

extension Arkavo {
    /// What is done with a stream or a thing in it.
    public struct Action: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let unused: Action = 0
        public static let join: Action = 1
        public static let apply: Action = 2
        public static let approve: Action = 3
        public static let leave: Action = 4
        public static let cache: Action = 5
        public static let store: Action = 6
        public static let share: Action = 7
        public static let invite: Action = 8
    }

    /// How far an action has got.
    public struct ActionStatus: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let unused: ActionStatus = 0
        public static let preparing: ActionStatus = 1
        public static let fulfilling: ActionStatus = 2
        public static let fulfilled: ActionStatus = 3
        public static let failed: ActionStatus = 4
    }

    /// What takes part in an event.
    public struct EntityType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let unused: EntityType = 0
        public static let streamProfile: EntityType = 1
        public static let accountProfile: EntityType = 2
        public static let server: EntityType = 3
    }

    /// What an event is bound to.
    public struct AttributeType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let unused: AttributeType = 0
        public static let time: AttributeType = 1
        public static let location: AttributeType = 2
    }
}
