package import Cryptography
internal import Wire

/// The beginning of an archive: how its key is derived from a passphrase. `docs/protocols/profile-archive.md` has the
/// table.
package struct ArchiveHeader: Hashable, Sendable {
    /// Bytes of a header.
    package static let byteCount = 64
    /// Bytes of a chunk before sealing.
    package static let chunkByteCount = 1 << 16

    private static let magic = Array("ALCARCHV".utf8)
    private static let version: UInt16 = 1
    private static let saltByteCount = 16
    private static let checkByteCount = 16
    private static let digestByteCount = 16
    private static let plainByteCount = 32

    /// What the key costs to derive from the passphrase.
    package let cost: Scrypt.Cost
    private let salt: [UInt8]
    /// A check of the passphrase, before anything is opened.
    private let check: [UInt8]

    /// A new header, and the key of what follows.
    static func make(
        _ passphrase: SecretBytes, cost: Scrypt.Cost
    ) throws(ArchiveError) -> (header: ArchiveHeader, key: SecretBytes) {
        let blank = ArchiveHeader(
            cost: cost, salt: SecureRandom.bytes(saltByteCount), check: [UInt8](repeating: 0, count: checkByteCount))
        let (check, key) = try blank.derive(passphrase)
        return (ArchiveHeader(cost: cost, salt: blank.salt, check: check), key)
    }

    private init(cost: Scrypt.Cost, salt: [UInt8], check: [UInt8]) {
        (self.cost, self.salt, self.check) = (cost, salt, check)
    }

    /// Total: any bytes give a header or an error.
    package init(_ bytes: [UInt8]) throws(ArchiveError) {
        guard bytes.starts(with: Self.magic) else {
            throw ArchiveError(.notAnArchive, "this file was not written by alcove profile export")
        }
        guard let version = Self.version(bytes) else { throw Self.damaged }
        guard version == Self.version else {
            throw ArchiveError(
                .otherVersion,
                "the file has version \(version) of the format, and this program reads version \(Self.version); "
                    + "use the program that wrote it, or a newer one")
        }
        var reader = ByteReader(bytes)
        do throws(WireError) {
            try reader.skip(Self.magic.count + 2)
            let (logN, r, p) = (try reader.readByte(), try reader.readByte(), try reader.readByte())
            try reader.skip(3)
            salt = try reader.readBytes(Self.saltByteCount)
            check = try reader.readBytes(Self.checkByteCount)
            guard let cost = try? Scrypt.Cost(logN: logN, r: r, p: p) else {
                throw WireError(.malformed, "the cost is out of bounds")
            }
            self.cost = cost
        } catch { throw Self.damaged }
        // This also compares the digest and the reserved bytes.
        guard self.bytes == bytes else { throw Self.damaged }
    }

    private static func version(_ bytes: [UInt8]) -> UInt16? {
        var reader = ByteReader(bytes.dropFirst(magic.count))
        return try? reader.readInteger(UInt16.self)
    }

    private static let damaged = ArchiveError(
        .damaged, "the beginning of the file is damaged; take another copy of it")

    /// The header as it is written at the beginning of an archive.
    package var bytes: [UInt8] {
        let bytes = plain + check
        return bytes + Self.digest(bytes)
    }

    /// What the keys depend on.
    private var plain: [UInt8] {
        var writer = ByteWriter(reserving: Self.plainByteCount)
        writer.writeBytes(Self.magic)
        writer.writeInteger(Self.version)
        writer.writeBytes([cost.logN, cost.r, cost.p, 0, 0, 0])
        writer.writeBytes(salt)
        return writer.bytes
    }

    private static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] {
        Array(HashFunction.sha256.digest(Array(bytes)).prefix(digestByteCount))
    }

    /// The key of what follows, if the passphrase is right. It costs what the header says: by default some tenths of a
    /// second and 64 MiB.
    func key(_ passphrase: SecretBytes) throws(ArchiveError) -> SecretBytes {
        let (check, key) = try derive(passphrase)
        guard ConstantTime.areEqual(check, self.check) else {
            throw ArchiveError(.wrongPassphrase, "the passphrase is not the one of this file")
        }
        return key
    }

    private func derive(_ passphrase: SecretBytes) throws(ArchiveError) -> (check: [UInt8], key: SecretBytes) {
        do throws(CryptographyError) {
            let root = try Scrypt.derive(passphrase, salt: salt, cost: cost, count: 32)
            let check = try HKDF.derive(
                root, salt: plain, info: Array("alcove archive 1 check".utf8), count: Self.checkByteCount)
            let key = try HKDF.derive(root, salt: plain, info: Array("alcove archive 1 chunks".utf8), count: 32)
            return (check.withUnsafeBytes { Array($0) }, key)
        } catch { throw ArchiveError(.failed, error.message) }
    }
}
