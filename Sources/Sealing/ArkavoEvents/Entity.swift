public import Wire

// The tables of `entity.fbs`.

extension Arkavo {
    /// What a server knows about one account, stream or thought.
    public struct EntityRoot: FlatBufferTable, Hashable, Sendable {
        /// The account, stream or thought; nil if missing.
        public var entity: Entity?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.union(&entity)
        }
    }

    /// The public name of somebody or something.
    public struct PublicID: FlatBufferTable, Hashable, Sendable {
        /// The identifier: 32 bytes are meant, at most 255 are read.
        public var id: [UInt8] = []

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.bytes(&id, atMost: idLimit)
        }
    }

    /// Somebody.
    public struct Account: FlatBufferTable, Hashable, Sendable {
        /// The public identifier of the account.
        public var publicID: PublicID?
        /// What its owner says about themselves.
        public var profile: Profile?
        /// What its owner has done so far.
        public var activity: Activity?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.table(&publicID)
            try fields.table(&profile)
            try fields.table(&activity)
        }
    }

    /// A place where several people talk.
    public struct Stream: FlatBufferTable, Hashable, Sendable {
        /// The public identifier of the stream.
        public var publicID: PublicID?
        /// What the stream says about itself.
        public var profile: Profile?
        /// The activity in it so far.
        public var activity: Activity?
        /// The account that made it.
        public var creator: PublicID?
        /// The accounts in it, at most 10 000.
        public var members: [PublicID] = []
        /// Its grade.
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
        /// The public identifier of the thought.
        public var publicID: PublicID?
        /// The account that wrote it.
        public var creator: PublicID?
        /// The stream that it belongs to.
        public var stream: PublicID?
        /// What was said, opaque here: at most 16 MiB.
        public var content: [UInt8] = []
        /// What the content is for the senses.
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

    /// What an account or a stream says about itself.
    public struct Profile: FlatBufferTable, Hashable, Sendable {
        /// The name to show, at most 64 KiB as all texts here.
        public var name: String = ""
        /// A few words about it.
        public var blurb: String = ""
        /// What it is about.
        public var interests: String = ""
        /// A place, as text.
        public var location: String = ""
        /// How exactly the place is given.
        public var locationLevel: LocationLevel = 0
        /// How well it was checked who this is.
        public var identityAssuranceLevel: IdentityAssuranceLevel = 0
        /// How strongly the profile asks to be encrypted.
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
        /// When it began, as a number of the sender: the schema names no unit.
        public var created: Int64 = 0
        /// How well somebody knows the matter.
        public var expertLevel: ExpertLevel = 0
        /// How much somebody does.
        public var activityLevel: ActivityLevel = 0
        /// How far somebody is trusted.
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

extension Arkavo {
    /// One of the things that have a public name.
    public enum Entity: FlatBufferUnion, Hashable, Sendable {
        /// Somebody.
        case account(Account)
        /// A place where several talk.
        case stream(Stream)
        /// Something that was said.
        case thought(Thought)

        public init?(kind: UInt8) {
            switch kind {
            case 1: self = .account(Account())
            case 2: self = .stream(Stream())
            case 3: self = .thought(Thought())
            default: return nil
            }
        }

        public var kind: UInt8 {
            switch self {
            case .account: 1
            case .stream: 2
            case .thought: 3
            }
        }

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            switch self {
            case .account(var account):
                try account.visit(&fields)
                self = .account(account)
            case .stream(var stream):
                try stream.visit(&fields)
                self = .stream(stream)
            case .thought(var thought):
                try thought.visit(&fields)
                self = .thought(thought)
            }
        }
    }
}
