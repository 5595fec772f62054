internal import Cryptography

/// The sealed chunks of an archive. Each is bound to its number and to whether it is the last one, so that no chunk can
/// be left out, exchanged, repeated, or taken from another archive.
enum ArchiveChunks {
    static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
        [0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) } + [isLast ? 1 : 0]
    }
}

/// Seals a stream of bytes into a file, in constant memory.
struct ArchiveSealer: ~Copyable {
    private let file: FileDescriptor
    private let key: SecretBytes
    private var pending: [UInt8] = []
    private var number: UInt64 = 0
    /// Bytes that were written.
    private(set) var byteCount: Int64 = 0

    private init(_ file: FileDescriptor, key: SecretBytes) {
        self.file = file
        self.key = key
        pending.reserveCapacity(2 * ArchiveHeader.chunkByteCount)
    }

    /// - Parameter file: is empty.
    static func begin(
        _ file: FileDescriptor, passphrase: SecretBytes, cost: Scrypt.Cost
    ) throws(ArchiveError) -> ArchiveSealer {
        let (header, key) = try ArchiveHeader.make(passphrase, cost: cost)
        var sealer = ArchiveSealer(file, key: key)
        try sealer.put(header.bytes)
        return sealer
    }

    mutating func write(_ bytes: some Collection<UInt8>) throws(ArchiveError) {
        pending += bytes
        // The last chunk is never empty, so a full chunk is kept until more bytes come or the archive ends.
        while pending.count > ArchiveHeader.chunkByteCount { try seal(ArchiveHeader.chunkByteCount, isLast: false) }
    }

    /// Seals the last chunk. Everything is on the disk when this returns.
    mutating func finish() throws(ArchiveError) {
        try seal(pending.count, isLast: true)
        try archiving { () throws(FileError) in try file.synchronize() }
    }

    private mutating func seal(_ count: Int, isLast: Bool) throws(ArchiveError) {
        let sealed: [UInt8]
        do throws(CryptographyError) {
            sealed = try AESGCM.seal(
                pending[..<count], key: key, nonce: ArchiveChunks.nonce(number, isLast: isLast), context: [])
        } catch { throw ArchiveError(.failed, error.message) }
        pending.removeSubrange(..<count)
        number += 1
        try put(sealed)
    }

    private mutating func put(_ bytes: [UInt8]) throws(ArchiveError) {
        try archiving { () throws(FileError) in try file.write(bytes[...]) }
        byteCount += Int64(bytes.count)
    }
}

/// Opens the chunks of an archive one after another. It returns only authentic bytes.
struct ArchiveOpener: ~Copyable {
    private static let sealedByteCount = ArchiveHeader.chunkByteCount + AESGCM.tagByteCount

    private let file: FileDescriptor
    private let key: SecretBytes
    private var number: UInt64 = 0
    /// Bytes that were read.
    private(set) var offset: Int64
    let size: Int64
    private var isOver = false

    private init(_ file: FileDescriptor, key: SecretBytes, size: Int64) {
        self.file = file
        (self.key, self.size) = (key, size)
        offset = Int64(ArchiveHeader.byteCount)
    }

    static func begin(
        _ file: FileDescriptor, passphrase: SecretBytes
    ) throws(ArchiveError) -> ArchiveOpener {
        let (size, start): (Int64, [UInt8])
        do throws(FileError) {
            size = Int64(try file.size())
            start = try file.read(at: 0, atMost: ArchiveHeader.byteCount)
        } catch { throw ArchiveError(error) }
        let key = try ArchiveHeader(start).key(passphrase)
        return ArchiveOpener(file, key: key, size: size)
    }

    /// The content of the next chunk; nil after the last one.
    mutating func next() throws(ArchiveError) -> [UInt8]? {
        guard !isOver else { return nil }
        let place = offset
        let sealed = try archiving { () throws(FileError) in
            try file.read(at: place, atMost: Self.sealedByteCount)
        }
        let isLast = place + Int64(sealed.count) >= size
        guard sealed.count > AESGCM.tagByteCount else {
            throw ArchiveError(.damaged, "the file ends too early; take another copy of it")
        }
        guard let bytes = open(sealed, isLast: isLast) else {
            // The file ends after a whole chunk that is not marked as the last one.
            guard isLast, open(sealed, isLast: false) != nil else {
                throw ArchiveError(
                    .damaged, "the file is damaged at byte \(place) or behind its end; take another copy of it")
            }
            throw ArchiveError(.damaged, "the file ends too early; take another copy of it")
        }
        offset += Int64(sealed.count)
        number += 1
        isOver = isLast
        return bytes
    }

    private func open(_ sealed: [UInt8], isLast: Bool) -> [UInt8]? {
        try? AESGCM.open(sealed, key: key, nonce: ArchiveChunks.nonce(number, isLast: isLast), context: [])
    }
}
