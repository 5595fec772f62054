public import Wire

// The tables of `metadata.fbs`.

extension Arkavo {
    /// What a content is: the policy that Arkavo puts into the header of a NanoTDF.
    public struct Metadata: FlatBufferTable, Hashable, Sendable {
        public var created: Int64 = 0
        /// 32 bytes are meant, here and in the next two.
        public var id: [UInt8] = []
        /// The stream it belongs to.
        public var related: [UInt8] = []
        public var creator: [UInt8] = []
        public var rating: Rating?
        public var purpose: Purpose?
        public var topics: [UInt32] = []
        public var archive: ArchiveInfo?
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

    /// How much a content has of what not everybody wants to see.
    public struct Rating: FlatBufferTable, Hashable, Sendable {
        public var violent: RatingLevel = 0
        public var sexual: RatingLevel = 0
        public var profane: RatingLevel = 0
        public var substance: RatingLevel = 0
        public var hate: RatingLevel = 0
        public var harm: RatingLevel = 0
        public var mature: RatingLevel = 0
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
        public var educational: Float = 0
        public var entertainment: Float = 0
        public var news: Float = 0
        public var promotional: Float = 0
        public var personal: Float = 0
        public var opinion: Float = 0
        public var transactional: Float = 0
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
        public var type: FormatType = 0
        public var version: String = ""
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
        public var type: ArchiveType = 0
        public var version: String = ""
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
        public var mediaType: MediaType = 0
        public var dataEncoding: DataEncoding = 0
        public var format: FormatInfo?

        public init() {}

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            try fields.enumeration(&mediaType)
            try fields.enumeration(&dataEncoding)
            try fields.table(&format)
        }
    }
}
