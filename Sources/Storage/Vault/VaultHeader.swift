package import Cryptography
package import Wire

/// The vault's file: the vault key, wrapped by another key.
///
///     "ALCOVE V" · version 1 · protection · log2 N · r · p · salt (16) · nonce, wrapped key, tag (60) · checksum (8)
///
/// The checksum tells damage from a wrong passphrase; it protects nothing. What stands before the wrapped key is bound
/// to it.
package struct VaultHeader: Equatable, Sendable {
    package enum Protection: Equatable, Sendable {
        case deviceKey
        case passphrase(Scrypt.Cost)
    }

    static let saltByteCount = 16
    static let keyByteCount = 32
    static let byteCount = 13 + saltByteCount + AESGCM.overhead + keyByteCount + checksumByteCount
    private static let magic = Array("ALCOVE V".utf8)
    private static let version: UInt8 = 1
    private static let checksumByteCount = 8

    package let protection: Protection
    let salt: [UInt8]
    private let wrapped: [UInt8]

    /// Wraps `key` by `wrappingKey`.
    init(
        wrapping key: SecretBytes, by wrappingKey: SecretBytes, protection: Protection, salt: [UInt8]
    ) throws(CryptographyError) {
        self.protection = protection
        self.salt = salt
        wrapped = try AESGCM.seal(key, key: wrappingKey, context: Self.prefix(protection, salt: salt))
    }

    /// The vault key; throws `authenticationFailed` if `wrappingKey` is the wrong one.
    func unwrap(by wrappingKey: SecretBytes) throws(CryptographyError) -> SecretBytes {
        try AESGCM.openSecret(wrapped, key: wrappingKey, context: Self.prefix(protection, salt: salt))
    }

    package var bytes: [UInt8] {
        let body = Self.prefix(protection, salt: salt) + wrapped
        return body + Self.checksum(body)
    }

    /// Throws unless the bytes are one whole, undamaged header.
    package init(_ bytes: [UInt8]) throws(WireError) {
        guard bytes.count == Self.byteCount else { throw WireError(.malformed, "a vault file has another length") }
        let body = Array(bytes.dropLast(Self.checksumByteCount))
        var reader = ByteReader(bytes)
        guard try reader.readBytes(Self.magic.count) == Self.magic else {
            throw WireError(.malformed, "the file is not a vault")
        }
        guard Self.checksum(body) == Array(bytes.suffix(Self.checksumByteCount)) else {
            throw WireError(.malformed, "the vault file is damaged")
        }
        guard try reader.readByte() == Self.version else {
            throw WireError(.malformed, "the vault file is of a newer version")
        }
        protection = try Self.readProtection(&reader)
        salt = try reader.readBytes(Self.saltByteCount)
        wrapped = try reader.readBytes(AESGCM.overhead + Self.keyByteCount)
    }

    private static func readProtection(_ reader: inout ByteReader) throws(WireError) -> Protection {
        let kind = try reader.readByte()
        let (logN, r, p) = (try reader.readByte(), try reader.readByte(), try reader.readByte())
        switch kind {
        case 0 where (logN, r, p) == (0, 0, 0): return .deviceKey
        case 1:
            guard let cost = try? Scrypt.Cost(logN: logN, r: r, p: p) else {
                throw WireError(.limitExceeded, "the vault file names a cost that is out of bounds")
            }
            return .passphrase(cost)
        default: throw WireError(.malformed, "the vault file names an unknown protection")
        }
    }

    private static func prefix(_ protection: Protection, salt: [UInt8]) -> [UInt8] {
        let parameters: [UInt8] =
            switch protection {
            case .deviceKey: [0, 0, 0, 0]
            case .passphrase(let cost): [1, cost.logN, cost.r, cost.p]
            }
        return magic + [version] + parameters + salt
    }

    private static func checksum(_ body: [UInt8]) -> [UInt8] {
        Array(HashFunction.sha256.digest(body).prefix(checksumByteCount))
    }
}
