/// Password-authenticated key exchange: SPAKE2 over P-256 with SHA-256, HKDF and HMAC (RFC 9382).
///
/// Two people who know one short password get a strong common key. An attacker in the middle learns only whether one
/// guess per exchange was right. An exchange sends one share, takes one share, and gives an ``SPAKE2Agreement``, which
/// is worth something only after both sides have confirmed it.
package struct SPAKE2Exchange: Sendable {
    /// The two sides differ in the fixed point that blinds their share, so they must agree on who is who.
    package enum Side: Hashable, Sendable {
        case a
        case b
    }

    /// What both sides have to know before they begin. Both are bound into the keys.
    package struct Identities: Hashable, Sendable {
        package let a: [UInt8]
        package let b: [UInt8]

        package init(a: [UInt8], b: [UInt8]) {
            self.a = a
            self.b = b
        }
    }

    /// Bytes of a share: a point that is not compressed.
    package static let shareByteCount = 65

    /// What to send to the other side: an uncompressed point.
    package let share: [UInt8]
    private let side: Side
    private let password: P256.Scalar
    private let secret: P256.Scalar
    private let identities: Identities

    /// - Parameter password: from ``passwordScalar(_:salt:cost:)``, the same on both sides.
    package init(side: Side, password: P256.Scalar, identities: Identities) throws(CryptographyError) {
        try self.init(side: side, password: password, identities: identities, secret: .random())
    }

    /// With a chosen secret, for the test vectors of the RFC.
    package init(
        side: Side,
        password: P256.Scalar,
        identities: Identities,
        secret: P256.Scalar
    ) throws(CryptographyError) {
        self.side = side
        self.password = password
        self.secret = secret
        self.identities = identities
        let mask = try Self.blindingPoint(of: side).multiplied(by: password)
        share = try P256.Point(multiplyingBaseBy: secret).adding(mask).encoded()
    }

    /// The number that stands for a password: 40 bytes of scrypt, modulo the group order (RFC 9382, section 3.2).
    ///
    /// - Parameter salt: what is public and belongs to this password only, such as the name of a room.
    package static func passwordScalar(
        _ password: SecretBytes,
        salt: [UInt8],
        cost: Scrypt.Cost = .passphrase
    ) throws(CryptographyError) -> P256.Scalar {
        try P256.Scalar(reducing: Scrypt.derive(password, salt: salt, cost: cost, count: 40))
    }

    /// Takes the other side's share. Throws if it is no point on the curve or leads to none.
    package func agree(with peerShare: [UInt8]) throws(CryptographyError) -> SPAKE2Agreement {
        let peer = try P256.Point(encoded: peerShare)
        let mask = try Self.blindingPoint(of: side == .a ? .b : .a).multiplied(by: password)
        // The cofactor of P-256 is 1, so it is enough to check that the point is on the curve.
        let common = try peer.subtracting(mask).multiplied(by: secret)
        // The share may have been sent compressed; the transcript holds the uncompressed encoding.
        let encodedPeer = try peer.encoded()
        let transcript = Self.transcript([
            SecretBytes(copying: identities.a),
            SecretBytes(copying: identities.b),
            SecretBytes(copying: side == .a ? share : encodedPeer),
            SecretBytes(copying: side == .a ? encodedPeer : share),
            try common.secretEncoding(),
            password.bytes,
        ])
        return try SPAKE2Agreement(side: side, transcript: transcript)
    }

    /// Each part after its length in eight little-endian bytes (RFC 9382, section 3.3).
    private static func transcript(_ parts: [SecretBytes]) -> SecretBytes {
        var pieces: [SecretBytes] = []
        for part in parts {
            let length = (0..<8).map { UInt8(truncatingIfNeeded: UInt64(part.count) >> (8 * $0)) }
            pieces += [SecretBytes(copying: length), part]
        }
        return SecretBytes(joining: pieces)
    }

    /// M and N of RFC 9382, section 4: points whose logarithms nobody knows.
    private static func blindingPoint(of side: Side) throws(CryptographyError) -> P256.Point {
        switch side {
        case .a: try P256.Point(encoded: pointM)
        case .b: try P256.Point(encoded: pointN)
        }
    }

    private static let pointM: [UInt8] = [
        0x02, 0x88, 0x6e, 0x2f, 0x97, 0xac, 0xe4, 0x6e, 0x55, 0xba, 0x9d, 0xd7, 0x24, 0x25, 0x79, 0xf2, 0x99,
        0x3b, 0x64, 0xe1, 0x6e, 0xf3, 0xdc, 0xab, 0x95, 0xaf, 0xd4, 0x97, 0x33, 0x3d, 0x8f, 0xa1, 0x2f,
    ]
    private static let pointN: [UInt8] = [
        0x03, 0xd8, 0xbb, 0xd6, 0xc6, 0x39, 0xc6, 0x29, 0x37, 0xb0, 0x4d, 0x99, 0x7f, 0x38, 0xc3, 0x77, 0x07,
        0x19, 0xc6, 0x29, 0xd7, 0x01, 0x4d, 0x49, 0xa2, 0x4b, 0x4f, 0x98, 0xba, 0xa1, 0x29, 0x2b, 0x49,
    ]
}
