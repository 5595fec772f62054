public import Cryptography

extension NanoTDF {
    /// The version of a file, which is its third byte.
    public enum Version: UInt8, Hashable, Sendable, CaseIterable {
        /// Version 12 of the OpenTDF specification; its first three bytes are `L1L`.
        case l1l = 0x4c
        /// Arkavo's, May 2025 to June 2026, never in the specification. It names the reader's public key.
        case l1m = 0x4d

        /// The first three bytes of a file.
        public var magic: [UInt8] { [0x4c, 0x31, rawValue] }
    }

    /// AES-256 in Galois/counter mode with six lengths of tag.
    public enum Cipher: UInt8, Hashable, Sendable, CaseIterable {
        /// A tag of 8 bytes.
        case aes256GCM64 = 0
        /// A tag of 12 bytes.
        case aes256GCM96 = 1
        /// A tag of 13 bytes.
        case aes256GCM104 = 2
        /// A tag of 14 bytes.
        case aes256GCM112 = 3
        /// A tag of 15 bytes.
        case aes256GCM120 = 4
        /// A tag of 16 bytes.
        case aes256GCM128 = 5

        /// The length of the tag in bytes.
        public var tagByteCount: Int {
            switch self {
            case .aes256GCM64: 8
            case .aes256GCM96: 12
            case .aes256GCM104: 13
            case .aes256GCM112: 14
            case .aes256GCM120: 15
            case .aes256GCM128: 16
            }
        }

        /// "AES-256-GCM-128"; the last number is the length of the tag in bits.
        public var name: String { "AES-256-GCM-\(tagByteCount * 8)" }
    }
}

extension EllipticCurve {
    /// The code of the curve in NanoTDF.
    public var nanoTDFCode: UInt8 {
        switch self {
        case .p256: 0
        case .p384: 1
        case .p521: 2
        case .secp256k1: 3
        }
    }

    /// The curve with this code; nil if there is none.
    public init?(nanoTDFCode code: UInt8) {
        guard let curve = Self.allCases.first(where: { $0.nanoTDFCode == code }) else { return nil }
        self = curve
    }
}
