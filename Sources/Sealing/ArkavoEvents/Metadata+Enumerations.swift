// The enumerations of `metadata.fbs`.

extension Arkavo {
    /// How much of something a content has.
    public struct RatingLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let unused: RatingLevel = 0
        public static let none: RatingLevel = 1
        public static let mild: RatingLevel = 2
        public static let moderate: RatingLevel = 3
        public static let severe: RatingLevel = 4
    }

    /// The file format of a content. Zero is plain text.
    public struct FormatType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let plain: FormatType = 0
        public static let html: FormatType = 1
        public static let csv: FormatType = 2
        public static let xml: FormatType = 3
        public static let json: FormatType = 4
        public static let jpeg: FormatType = 10
        public static let png: FormatType = 11
        public static let svg: FormatType = 12
        public static let gif: FormatType = 13
        public static let pdf: FormatType = 30
    }

    /// How a content is put into bytes. Zero is binary.
    public struct DataEncoding: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let binary: DataEncoding = 0
        public static let utf8: DataEncoding = 1
        public static let utf16: DataEncoding = 2
        public static let ascii: DataEncoding = 3
        public static let base64: DataEncoding = 4
        public static let quotedPrintable: DataEncoding = 5
    }

    /// How a content is packed. Zero is not at all.
    public struct ArchiveType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let none: ArchiveType = 0
        public static let zip: ArchiveType = 1
        public static let tar: ArchiveType = 2
        public static let gzip: ArchiveType = 3
        public static let bzip2: ArchiveType = 4
        public static let xz: ArchiveType = 5
        public static let zstd: ArchiveType = 6
        public static let lz4: ArchiveType = 7
    }
}
