// The enumerations of `event.fbs`.

extension Arkavo {
    /// What is done with a stream or a thing in it.
    public struct Action: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: Action = 0
        /// Joins a stream at once.
        public static let join: Action = 1
        /// Asks to join.
        public static let apply: Action = 2
        /// Lets somebody join who asked.
        public static let approve: Action = 3
        /// Leaves a stream.
        public static let leave: Action = 4
        /// Keeps bytes for a while.
        public static let cache: Action = 5
        /// Keeps bytes for good.
        public static let store: Action = 6
        /// Gives something to others.
        public static let share: Action = 7
        /// Asks somebody to join.
        public static let invite: Action = 8
    }

    /// How far an action has got.
    public struct ActionStatus: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: ActionStatus = 0
        /// It has not begun.
        public static let preparing: ActionStatus = 1
        /// It is under way.
        public static let fulfilling: ActionStatus = 2
        /// It is done.
        public static let fulfilled: ActionStatus = 3
        /// It came to nothing.
        public static let failed: ActionStatus = 4
    }

    /// What takes part in an event.
    public struct EntityType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: EntityType = 0
        /// The profile of a stream.
        public static let streamProfile: EntityType = 1
        /// The profile of an account.
        public static let accountProfile: EntityType = 2
        /// The server itself.
        public static let server: EntityType = 3
    }

    /// What an event is bound to.
    public struct AttributeType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: AttributeType = 0
        /// A time.
        public static let time: AttributeType = 1
        /// A place.
        public static let location: AttributeType = 2
    }
}
