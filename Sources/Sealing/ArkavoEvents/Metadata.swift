public import Wire

// The tables of `metadata.fbs`.

extension Arkavo {
    /// What a content is: the policy that Arkavo puts into the header of a NanoTDF.
    public struct Metadata: FlatBufferTable, Hashable, Sendable {
        /// When the content was made, as a number of the sender: the schema names no unit.
        public var created: Int64 = 0
        /// 32 bytes are meant, here and in the next two.
        public var id: [UInt8] = []
        /// The stream it belongs to.
        public var related: [UInt8] = []
        /// The account that made it.
        public var creator: [UInt8] = []
        /// Ratings of content that not everybody wants to see.
        public var rating: Rating?
        /// What it is for.
        public var purpose: Purpose?
        /// Numbers of topics, at most 10 000.
        public var topics: [UInt32] = []
        /// How it is packed.
        public var archive: ArchiveInfo?
        /// How its bytes are to be read.
        public var content: ContentFormat?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.number(&created)
            try fields.bytes(&id, atMost: idLimit)
            try fields.bytes(&related, atMost: idLimit)
            try fields.bytes(&creator, atMost: idLimit)
            try fields.table(&rating)
            try fields.table(&purpose)
            try fields.numbers(&topics, atMost: countLimit)
            try fields.table(&archive)
            try fields.table(&content)
        }
    }

    /// Ratings of content that not everybody wants to see.
    public struct Rating: FlatBufferTable, Hashable, Sendable {
        /// Violence.
        public var violent: RatingLevel = 0
        /// Sex.
        public var sexual: RatingLevel = 0
        /// Bad language.
        public var profane: RatingLevel = 0
        /// Drugs, alcohol, tobacco.
        public var substance: RatingLevel = 0
        /// Hatred.
        public var hate: RatingLevel = 0
        /// Harm to oneself.
        public var harm: RatingLevel = 0
        /// Other things for adults.
        public var mature: RatingLevel = 0
        /// Bullying.
        public var bully: RatingLevel = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&violent)
            try fields.enumeration(&sexual)
            try fields.enumeration(&profane)
            try fields.enumeration(&substance)
            try fields.enumeration(&hate)
            try fields.enumeration(&harm)
            try fields.enumeration(&mature)
            try fields.enumeration(&bully)
        }
    }

    /// What a content is for: weights from 0 to 1.
    public struct Purpose: FlatBufferTable, Hashable, Sendable {
        /// To teach.
        public var educational: Float = 0
        /// To entertain.
        public var entertainment: Float = 0
        /// To tell news.
        public var news: Float = 0
        /// To advertise.
        public var promotional: Float = 0
        /// To share something personal.
        public var personal: Float = 0
        /// To argue.
        public var opinion: Float = 0
        /// To do business.
        public var transactional: Float = 0
        /// To do harm.
        public var harmful: Float = 0
        /// How sure these weights are.
        public var confidence: Float = 0

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.number(&educational)
            try fields.number(&entertainment)
            try fields.number(&news)
            try fields.number(&promotional)
            try fields.number(&personal)
            try fields.number(&opinion)
            try fields.number(&transactional)
            try fields.number(&harmful)
            try fields.number(&confidence)
        }
    }

    /// A file format.
    public struct FormatInfo: FlatBufferTable, Hashable, Sendable {
        /// The format.
        public var type: FormatType = 0
        /// Its version, as text.
        public var version: String = ""
        /// A profile of the format, as text.
        public var profile: String = ""

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&type)
            try fields.text(&version, atMost: textLimit)
            try fields.text(&profile, atMost: textLimit)
        }
    }

    /// A packing.
    public struct ArchiveInfo: FlatBufferTable, Hashable, Sendable {
        /// The packing.
        public var type: ArchiveType = 0
        /// Its version, as text.
        public var version: String = ""
        /// A profile of the packing, as text.
        public var profile: String = ""

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&type)
            try fields.text(&version, atMost: textLimit)
            try fields.text(&profile, atMost: textLimit)
        }
    }

    /// How the bytes of a content are to be read.
    public struct ContentFormat: FlatBufferTable, Hashable, Sendable {
        /// What the content is for the senses.
        public var mediaType: MediaType = 0
        /// How it is put into bytes.
        public var dataEncoding: DataEncoding = 0
        /// The file format.
        public var format: FormatInfo?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&mediaType)
            try fields.enumeration(&dataEncoding)
            try fields.table(&format)
        }
    }
}
