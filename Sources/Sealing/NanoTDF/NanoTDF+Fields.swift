extension NanoTDF {
    /// One field of a file, for people who want to see where everything is.
    public struct Field: Hashable, Sendable {
        /// Where it begins, in bytes from the start of the file.
        public let offset: Int
        /// What the file has at ``offset``.
        public let bytes: [UInt8]
        /// The name of the field, for example `ephemeral key`.
        public let name: String
        /// What the bytes say; empty for those that say nothing by themselves.
        public internal(set) var meaning: String

        /// The length in bytes.
        public var count: Int { bytes.count }
    }

    /// Every field of a file, or of a dataset, in order: together they are all its bytes. If the bytes are no NanoTDF, the
    /// fields before the first wrong one and what is wrong with it.
    public static func inspect(_ bytes: some Collection<UInt8>) -> (fields: [Field], problem: NanoTDFError?) {
        NanoTDFParser.inspect(Array(bytes))
    }
}
