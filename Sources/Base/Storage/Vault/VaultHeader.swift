package import Cryptography
package import Wire

/// The vault's file: the vault's keys, wrapped by another key.
///
///     "ALCOVE V" · version 2 · protection · log2 N · r · p · salt (16) · generation (4) · number of keys (1)
///         · nonce, wrapped keys (32 each, the newest first), tag (28) · checksum (8)
///
/// Version 1 has neither generation nor number: one key, of generation 0. The checksum distinguishes damage from a
/// wrong passphrase; it is no protection. The bytes before the wrapped keys are authenticated with them.
package struct VaultHeader: Equatable, Sendable {
    package enum Protection: Equatable, Sendable {
        case deviceKey
        case passphrase(Scrypt.Cost)
    }

    static let saltByteCount = 16
    static let keyByteCount = 32
    private static let magic = Array("ALCOVE V".utf8)
    private static let checksumByteCount = 8

    private let version: UInt8
    package let protection: Protection
    let salt: [UInt8]
    /// The number of the newest key.
    package let generation: UInt32
    private let keyCount: UInt8
    private let wrapped: [UInt8]

    /// Wraps `ring` by `wrappingKey`.
    init(
        wrapping ring: VaultKeyRing, by wrappingKey: SecretBytes, protection: Protection, salt: [UInt8]
    ) throws(CryptographyError) {
        version = 2
        self.protection = protection
        self.salt = salt
        generation = ring.generation
        keyCount = UInt8(ring.count)
        wrapped = try AESGCM.seal(
            ring.bytes, key: wrappingKey,
            context: Self.prefix(version, protection, salt: salt, generation: generation, keyCount: keyCount))
    }

    /// The vault's keys; throws `authenticationFailed` if `wrappingKey` is the wrong one.
    func unwrap(by wrappingKey: SecretBytes) throws(CryptographyError) -> VaultKeyRing {
        let bytes = try AESGCM.openSecret(wrapped, key: wrappingKey, context: prefix)
        guard let ring = VaultKeyRing(bytes, generation: generation) else {
            throw CryptographyError(.authenticationFailed, "the vault holds another number of keys than it says")
        }
        return ring
    }

    package var bytes: [UInt8] {
        let body = prefix + wrapped
        return body + Self.checksum(body)
    }

    /// Throws unless the bytes are one whole, undamaged header.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let body = Array(bytes.dropLast(Self.checksumByteCount))
        var reader = ByteReader(bytes)
        guard try reader.readBytes(Self.magic.count) == Self.magic else {
            throw WireError(.malformed, "the file is not a vault")
        }
        guard Self.checksum(body) == Array(bytes.suffix(Self.checksumByteCount)) else {
            throw WireError(.malformed, "the vault file is damaged")
        }
        version = try reader.readByte()
        guard version == 1 || version == 2 else {
            throw WireError(.malformed, "the vault file is of a newer version")
        }
        protection = try Self.readProtection(&reader)
        salt = try reader.readBytes(Self.saltByteCount)
        generation = version == 1 ? 0 : try reader.readInteger()
        keyCount = version == 1 ? 1 : try reader.readByte()
        guard (1...VaultKeyRing.limit).contains(Int(keyCount)) else {
            throw WireError(.limitExceeded, "the vault file names a number of keys that is out of bounds")
        }
        wrapped = try reader.readBytes(AESGCM.overhead + Int(keyCount) * Self.keyByteCount)
        _ = try reader.readBytes(Self.checksumByteCount)
        try reader.expectEnd()
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

    private var prefix: [UInt8] {
        Self.prefix(version, protection, salt: salt, generation: generation, keyCount: keyCount)
    }

    private static func prefix(
        _ version: UInt8, _ protection: Protection, salt: [UInt8], generation: UInt32, keyCount: UInt8
    ) -> [UInt8] {
        let parameters: [UInt8] =
            switch protection {
            case .deviceKey: [0, 0, 0, 0]
            case .passphrase(let cost): [1, cost.logN, cost.r, cost.p]
            }
        var writer = ByteWriter()
        writer.writeBytes(magic + [version] + parameters + salt)
        guard version > 1 else { return writer.bytes }
        writer.writeInteger(generation)
        writer.writeByte(keyCount)
        return writer.bytes
    }

    private static func checksum(_ body: [UInt8]) -> [UInt8] {
        Array(HashFunction.sha256.digest(body).prefix(checksumByteCount))
    }
}
