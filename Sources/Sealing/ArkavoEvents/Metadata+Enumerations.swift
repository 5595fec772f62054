// The enumerations of `metadata.fbs`.

extension Arkavo {
    /// How much of something a content has.
    public struct RatingLevel: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Nothing was said.
        public static let unused: RatingLevel = 0
        /// Nothing of it.
        public static let none: RatingLevel = 1
        /// A little.
        public static let mild: RatingLevel = 2
        /// Some.
        public static let moderate: RatingLevel = 3
        /// Much.
        public static let severe: RatingLevel = 4
    }

    /// The file format of a content. Zero is plain text.
    public struct FormatType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Plain text, or unsaid.
        public static let plain: FormatType = 0
        /// HTML.
        public static let html: FormatType = 1
        /// Comma-separated values (RFC 4180).
        public static let csv: FormatType = 2
        /// XML.
        public static let xml: FormatType = 3
        /// JSON (RFC 8259).
        public static let json: FormatType = 4
        /// JPEG.
        public static let jpeg: FormatType = 10
        /// PNG.
        public static let png: FormatType = 11
        /// SVG.
        public static let svg: FormatType = 12
        /// GIF.
        public static let gif: FormatType = 13
        /// PDF.
        public static let pdf: FormatType = 30
    }

    /// How a content is put into bytes. Zero is binary.
    public struct DataEncoding: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// The bytes themselves, or unsaid.
        public static let binary: DataEncoding = 0
        /// UTF-8 (RFC 3629).
        public static let utf8: DataEncoding = 1
        /// UTF-16; the byte order is not said.
        public static let utf16: DataEncoding = 2
        /// ASCII.
        public static let ascii: DataEncoding = 3
        /// Base64 (RFC 4648).
        public static let base64: DataEncoding = 4
        /// Quoted-printable (RFC 2045).
        public static let quotedPrintable: DataEncoding = 5
    }

    /// How a content is packed. Zero is not at all.
    public struct ArchiveType: ArkavoEnumeration {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }

        /// Not packed, or unsaid.
        public static let none: ArchiveType = 0
        /// ZIP.
        public static let zip: ArchiveType = 1
        /// A tar archive.
        public static let tar: ArchiveType = 2
        /// gzip (RFC 1952).
        public static let gzip: ArchiveType = 3
        /// bzip2.
        public static let bzip2: ArchiveType = 4
        /// xz.
        public static let xz: ArchiveType = 5
        /// Zstandard (RFC 8878).
        public static let zstd: ArchiveType = 6
        /// LZ4.
        public static let lz4: ArchiveType = 7
    }
}
