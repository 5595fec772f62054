extension NanoTDF {
    /// One field of a file, for people who want to see where everything is.
    public struct Field: Hashable, Sendable {
        /// Where it begins, in bytes from the start of the file.
        public let offset: Int
        public let bytes: [UInt8]
        public let name: String
        /// What the bytes say; empty for those that say nothing by themselves.
        public internal(set) var meaning: String

        /// The length in bytes.
        public var count: Int { bytes.count }
    }

    /// Every field of a file in order. Together they are all its bytes.
    public static func fields(of bytes: some Collection<UInt8>) throws(NanoTDFError) -> [Field] {
        try NanoTDFParser.parse(Array(bytes), recording: true).fields
    }
}
