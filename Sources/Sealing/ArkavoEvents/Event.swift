public import Wire

// The tables of `event.fbs`.

extension Arkavo {
    /// Something that happened, as servers pass it on. At most ``eventLimit`` bytes: write it with ``serialized()``.
    public struct Event: FlatBufferTable, Hashable, Sendable {
        /// What is done.
        public var action: Action = 0
        /// Seconds since 1970.
        public var timestamp: UInt64 = 0
        /// How far it has got.
        public var status: ActionStatus = 0
        /// The participants and the content; nil if missing.
        public var data: EventData?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&action)
            try fields.number(&timestamp)
            try fields.enumeration(&status)
            try fields.union(&data)
        }
    }

    /// Somebody does something with somebody or something.
    public struct UserEvent: FlatBufferTable, Hashable, Sendable {
        /// What acts.
        public var sourceType: EntityType = 0
        /// What it is done with.
        public var targetType: EntityType = 0
        /// The identifier of the one who acts: 32 bytes are meant, at most 255 are read.
        public var sourceID: [UInt8] = []
        /// The identifier of the other: 32 bytes are meant, at most 255 are read.
        public var targetID: [UInt8] = []
        /// What the event is bound to, at most 10 000.
        public var attributeTypes: [AttributeType] = []
        /// What the event is about.
        public var entityType: EntityType = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&sourceType)
            try fields.enumeration(&targetType)
            try fields.bytes(&sourceID, atMost: idLimit)
            try fields.bytes(&targetID, atMost: idLimit)
            try fields.enumerations(&attributeTypes, atMost: countLimit)
            try fields.enumeration(&entityType)
        }
    }

    /// Keep these bytes for a while.
    public struct CacheEvent: FlatBufferTable, Hashable, Sendable {
        /// The identifier under which the bytes are kept: 32 bytes are meant, at most 255 are read.
        public var targetID: [UInt8] = []
        /// The bytes to keep, at most 16 MiB.
        public var targetPayload: [UInt8] = []
        /// Seconds.
        public var ttl: UInt32 = 0
        /// Whether they are deleted once they have been read.
        public var isOneTimeAccess: Bool = false

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.bytes(&targetID, atMost: idLimit)
            try fields.bytes(&targetPayload, atMost: contentLimit)
            try fields.number(&ttl)
            try fields.flag(&isOneTimeAccess)
        }
    }

    /// Carry these bytes there.
    public struct RouteEvent: FlatBufferTable, Hashable, Sendable {
        /// What the bytes are for.
        public var targetType: EntityType = 0
        /// The identifier of the receiver: 32 bytes are meant, at most 255 are read.
        public var targetID: [UInt8] = []
        /// What sends them.
        public var sourceType: EntityType = 0
        /// The identifier of the sender: 32 bytes are meant, at most 255 are read.
        public var sourceID: [UInt8] = []
        /// What the event is bound to.
        public var attributeType: AttributeType = 0
        /// What the event is about.
        public var entityType: EntityType = 0
        /// The content, at most 16 MiB.
        public var payload: [UInt8] = []

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&targetType)
            try fields.bytes(&targetID, atMost: idLimit)
            try fields.enumeration(&sourceType)
            try fields.bytes(&sourceID, atMost: idLimit)
            try fields.enumeration(&attributeType)
            try fields.enumeration(&entityType)
            try fields.bytes(&payload, atMost: contentLimit)
        }
    }
}

extension Arkavo.Event {
    /// The event as a FlatBuffer. Throws `limitExceeded` if it is larger than servers take.
    public func serialized() throws(WireError) -> [UInt8] {
        let bytes = try flatBuffer()
        guard bytes.count <= Arkavo.eventLimit else {
            throw WireError(
                .limitExceeded,
                "the event has \(bytes.count) bytes, and servers take \(Arkavo.eventLimit): shorten its payload")
        }
        return bytes
    }
}

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
