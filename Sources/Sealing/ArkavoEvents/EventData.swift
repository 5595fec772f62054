public import Wire

extension Arkavo {
    /// What an event is about.
    public enum EventData: FlatBufferUnion, Hashable, Sendable {
        /// Somebody does something.
        case user(UserEvent)
        /// Bytes to keep for a while.
        case cache(CacheEvent)
        /// Bytes to carry.
        case route(RouteEvent)

        public init?(kind: UInt8) {
            switch kind {
            case 1: self = .user(UserEvent())
            case 2: self = .cache(CacheEvent())
            case 3: self = .route(RouteEvent())
            default: return nil
            }
        }

        public var kind: UInt8 {
            switch self {
            case .user: 1
            case .cache: 2
            case .route: 3
            }
        }

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            switch self {
            case .user(var user):
                try user.visit(&fields)
                self = .user(user)
            case .cache(var cache):
                try cache.visit(&fields)
                self = .cache(cache)
            case .route(var route):
                try route.visit(&fields)
                self = .route(route)
            }
        }
    }
}
