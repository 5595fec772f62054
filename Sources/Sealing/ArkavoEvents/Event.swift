public import Wire

// The tables of `event.fbs`.

extension Arkavo {
    /// Something that happened, as servers pass it on. At most ``eventLimit`` bytes: write it with ``serialized()``.
    public struct Event: FlatBufferTable, Hashable, Sendable {
        public var action: Action = 0
        /// Seconds since 1970.
        public var timestamp: UInt64 = 0
        public var status: ActionStatus = 0
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
        public var sourceType: EntityType = 0
        public var targetType: EntityType = 0
        public var sourceID: [UInt8] = []
        public var targetID: [UInt8] = []
        public var attributeTypes: [AttributeType] = []
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
        public var targetID: [UInt8] = []
        public var targetPayload: [UInt8] = []
        /// Seconds.
        public var ttl: UInt32 = 0
        /// Whether they are gone once they were read.
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
        public var targetType: EntityType = 0
        public var targetID: [UInt8] = []
        public var sourceType: EntityType = 0
        public var sourceID: [UInt8] = []
        public var attributeType: AttributeType = 0
        public var entityType: EntityType = 0
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
