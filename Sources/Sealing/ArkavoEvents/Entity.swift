public import Wire

// The tables of `entity.fbs`.

extension Arkavo {
    /// What a server knows of one account, stream or thought.
    public struct EntityRoot: FlatBufferTable, Hashable, Sendable {
        public var entity: Entity?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.union(&entity)
        }
    }

    /// The public name of somebody or something.
    public struct PublicID: FlatBufferTable, Hashable, Sendable {
        public var id: [UInt8] = []

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.bytes(&id, atMost: idLimit)
        }
    }

    /// Somebody.
    public struct Account: FlatBufferTable, Hashable, Sendable {
        public var publicID: PublicID?
        public var profile: Profile?
        public var activity: Activity?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.table(&publicID)
            try fields.table(&profile)
            try fields.table(&activity)
        }
    }

    /// A place where several talk.
    public struct Stream: FlatBufferTable, Hashable, Sendable {
        public var publicID: PublicID?
        public var profile: Profile?
        public var activity: Activity?
        public var creator: PublicID?
        public var members: [PublicID] = []
        public var level: StreamLevel = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.table(&publicID)
            try fields.table(&profile)
            try fields.table(&activity)
            try fields.table(&creator)
            try fields.tables(&members, atMost: countLimit)
            try fields.enumeration(&level)
        }
    }

    /// Something that was said.
    public struct Thought: FlatBufferTable, Hashable, Sendable {
        public var publicID: PublicID?
        public var creator: PublicID?
        public var stream: PublicID?
        public var content: [UInt8] = []
        public var mediaType: MediaType = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.table(&publicID)
            try fields.table(&creator)
            try fields.table(&stream)
            try fields.bytes(&content, atMost: contentLimit)
            try fields.enumeration(&mediaType)
        }
    }

    /// What somebody, or a stream, tells of itself.
    public struct Profile: FlatBufferTable, Hashable, Sendable {
        public var name: String = ""
        public var blurb: String = ""
        public var interests: String = ""
        public var location: String = ""
        public var locationLevel: LocationLevel = 0
        public var identityAssuranceLevel: IdentityAssuranceLevel = 0
        public var encryptionLevel: EncryptionLevel = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.text(&name, atMost: textLimit)
            try fields.text(&blurb, atMost: textLimit)
            try fields.text(&interests, atMost: textLimit)
            try fields.text(&location, atMost: textLimit)
            try fields.enumeration(&locationLevel)
            try fields.enumeration(&identityAssuranceLevel)
            try fields.enumeration(&encryptionLevel)
        }
    }

    /// What somebody has done so far.
    public struct Activity: FlatBufferTable, Hashable, Sendable {
        public var created: Int64 = 0
        public var expertLevel: ExpertLevel = 0
        public var activityLevel: ActivityLevel = 0
        public var trustLevel: TrustLevel = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.number(&created)
            try fields.enumeration(&expertLevel)
            try fields.enumeration(&activityLevel)
            try fields.enumeration(&trustLevel)
        }
    }
}
