internal import Cryptography

/// The public half of an identity: who seals or opens in one pairing. Every pairing has its own identities, so that two
/// contacts who compare theirs cannot tell that they know the same person.
struct IdentityKey: Hashable, Sendable {
    /// 0x04, x, y.
    static let byteCount = 65
    static let hintByteCount = 6
    static let signatureByteCount = 64

    let bytes: [UInt8]
    let key: EllipticCurve.PublicKey
    /// Names the sender or receiver of a message, to find its pairing. It proves nothing.
    let hint: [UInt8]

    /// Throws if the bytes are no point on P-256 in uncompressed form.
    init(_ bytes: some Collection<UInt8>) throws(CryptographyError) {
        guard bytes.count == Self.byteCount else {
            throw CryptographyError(.invalidLength, "an identity has \(Self.byteCount) bytes")
        }
        self.bytes = Array(bytes)
        key = try EllipticCurve.PublicKey(.p256, encoded: bytes)
        let digest = HashFunction.sha256.digest(Array("alcove identity hint 1".utf8) + bytes)
        hint = Array(digest.prefix(Self.hintByteCount))
    }

    /// 32 bytes to compare by eye, if people do not compare the safety number.
    var fingerprint: [UInt8] {
        HashFunction.sha256.digest(Array("alcove identity fingerprint 1".utf8) + bytes)
    }

    func hasSigned(_ statement: [UInt8], as purpose: SignedPurpose, _ signature: [UInt8]) -> Bool {
        key.isSignature(signature, of: purpose.separated(statement))
    }
}

/// What a signature is for. A signature for one purpose is never valid for another.
enum SignedPurpose: String, CaseIterable {
    case introduction = "alcove introduction 1"
    case poolPart = "alcove pool part 1"
    case revocation = "alcove revocation 1"

    func separated(_ statement: [UInt8]) -> [UInt8] {
        Array(rawValue.utf8) + [0] + statement
    }
}

/// The private half of an identity.
struct Identity: Sendable {
    let publicKey: IdentityKey
    let key: EllipticCurve.PrivateKey

    init() throws(CryptographyError) {
        try self.init(EllipticCurve.PrivateKey(.p256))
    }

    init(scalar: SecretBytes) throws(CryptographyError) {
        try self.init(EllipticCurve.PrivateKey(.p256, scalar: scalar))
    }

    private init(_ key: EllipticCurve.PrivateKey) throws(CryptographyError) {
        self.key = key
        publicKey = try IdentityKey(key.publicKey.uncompressed)
    }

    func sign(_ statement: [UInt8], as purpose: SignedPurpose) throws(CryptographyError) -> [UInt8] {
        try key.sign(purpose.separated(statement))
    }
}
