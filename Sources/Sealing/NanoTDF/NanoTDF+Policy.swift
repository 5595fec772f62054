extension NanoTDF {
    /// Who may read the file. The format does not interpret it: OpenTDF writes JSON, others may write anything.
    public enum Policy: Hashable, Sendable {
        /// The policy is kept elsewhere.
        case remote(ResourceLocator)
        /// The policy in clear, JSON as a rule.
        case plain([UInt8])
        /// Encrypted with the key of the payload, tag included.
        case encrypted([UInt8])
        /// Encrypted with a key that another service gives out.
        case encryptedWithKeyAccess([UInt8], KeyAccess)

        /// The most bytes an embedded policy can have on the wire, tag included.
        public static let byteLimit = 0xffff

        /// The code of the kind on the wire.
        var code: UInt8 {
            switch self {
            case .remote: 0
            case .plain: 1
            case .encrypted: 2
            case .encryptedWithKeyAccess: 3
            }
        }

        /// The bytes that a binding covers: the locator, or the embedded bytes without their length.
        public var content: [UInt8] {
            switch self {
            case .remote(let locator): locator.bytes
            case .plain(let content), .encrypted(let content), .encryptedWithKeyAccess(let content, _): content
            }
        }

        /// The bytes after the code on the wire.
        var body: [UInt8] {
            switch self {
            case .remote(let locator): locator.bytes
            case .plain(let content), .encrypted(let content): Self.prefixed(content)
            case .encryptedWithKeyAccess(let content, let access):
                Self.prefixed(content) + access.locator.bytes + access.publicKey
            }
        }

        /// The bytes on the wire, without the binding.
        public var bytes: [UInt8] { [code] + body }

        /// The parser and the sealer, which make policies, enforce the limit.
        private static func prefixed(_ content: [UInt8]) -> [UInt8] {
            [UInt8(truncatingIfNeeded: content.count >> 8), UInt8(truncatingIfNeeded: content.count)] + content
        }
    }

    /// Where to get the key of an encrypted policy.
    public struct KeyAccess: Hashable, Sendable {
        /// The Key Access Service of the policy.
        public let locator: ResourceLocator
        /// The sender's public key for the policy, compressed.
        public let publicKey: [UInt8]
    }

    /// The binding of the policy to the header.
    public enum Binding: Hashable, Sendable {
        /// Eight bytes that the field calls GMAC: in the deployed dialect a digest, without any key; OpenTDFKit's is a tag.
        case code([UInt8])
        /// The ephemeral key's ECDSA signature, r and s.
        case signature([UInt8])
        /// The same, r and s each after a byte with its length, as Go and JavaScript write it. These are the bytes on the wire.
        case prefixedSignature([UInt8])

        static let codeByteCount = 8

        var isECDSA: Bool {
            switch self {
            case .code: false
            case .signature, .prefixedSignature: true
            }
        }

        /// What stands on the wire.
        public var bytes: [UInt8] {
            switch self {
            case .code(let bytes), .signature(let bytes), .prefixedSignature(let bytes): bytes
            }
        }
    }
}
