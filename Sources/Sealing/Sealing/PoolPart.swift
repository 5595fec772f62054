internal import Cryptography
internal import Wire

/// Some keys of one epoch, as their owner announces and signs them.
package struct PoolPart: Hashable, Sendable {
    /// Each epoch of a pool has a higher number than the one before; the first is 1.
    var epoch: UInt32
    /// The index of the first key.
    var first: UInt32
    /// How many keys the epoch will have when it is complete.
    var capacity: UInt32
    /// The end of the time for sealing to these keys, in milliseconds since 1970.
    var notAfter: Int64
    /// One key after the other, 65 bytes each.
    var keys: [UInt8]
    /// The last-resort key, which may be used more than once when no other key is left.
    var lastResort: [UInt8]
    /// When its owner signed it, by the owner's clock, in milliseconds since 1970.
    var signedAt: Int64

    static let keyByteCount = 65
    /// The most keys in one part, so that it stays far below the largest control message.
    static let keyLimit = 256
    /// Parts begin and end at multiples of this, except at the end of the epoch, because keys are kept and reserved in
    /// blocks.
    static let blockCount = 16
    private static let curve: UInt64 = 1

    var count: Int { keys.count / Self.keyByteCount }

    package var bytes: [UInt8] {
        var writer = ProtobufWriter(reserving: keys.count + 128)
        writer.write(UInt64(epoch), 1)
        writer.write(UInt64(first), 2)
        writer.write(UInt64(capacity), 3)
        writer.write(UInt64(clamping: notAfter), 4)
        writer.write(Self.curve, 5)
        writer.write(keys, 6)
        writer.write(lastResort, 7)
        writer.write(UInt64(clamping: signedAt), 8)
        return writer.bytes
    }

    /// Reads a part and checks its bounds and every key in it.
    package init(_ bytes: [UInt8]) throws(SealingError) {
        do {
            try self.init(reading: ProtobufReader(bytes))
        } catch { throw SealingError(.invalidAnnouncement, error.message) }
        try check()
    }

    /// - Parameter signedAt: nil for the beginning of the epoch, as in parts without this field.
    init(
        epoch: UInt32, first: UInt32, capacity: UInt32, notAfter: Int64, keys: [UInt8], lastResort: [UInt8],
        signedAt: Int64? = nil
    ) {
        self.epoch = epoch
        self.first = first
        self.capacity = capacity
        self.notAfter = notAfter
        self.keys = keys
        self.lastResort = lastResort
        self.signedAt = signedAt ?? Self.begun(notAfter: notAfter)
    }

    /// The beginning of an epoch, computed from its end.
    static func begun(notAfter: Int64) -> Int64 { max(0, notAfter - SealingLimits.lifetime) }

    private init(reading reader: ProtobufReader) throws(WireError) {
        var reader = reader
        var curve: UInt64 = 0
        var signedAt: Int64?
        self.init(epoch: 0, first: 0, capacity: 0, notAfter: 0, keys: [], lastResort: [])
        while let field = try reader.next() {
            switch field.number {
            case 1: epoch = try field.uint32()
            case 2: first = try field.uint32()
            case 3: capacity = try field.uint32()
            case 4: notAfter = Int64(clamping: try field.uint64())
            case 5: curve = try field.uint64()
            case 6: keys = try field.bytes(atMost: Self.keyLimit * Self.keyByteCount)
            case 7: lastResort = try field.bytes(atMost: Self.keyByteCount)
            case 8: signedAt = Int64(clamping: try field.uint64())
            default: break
            }
        }
        self.signedAt = signedAt ?? Self.begun(notAfter: notAfter)
        guard curve == Self.curve else { throw WireError(.malformed, "the keys are on another curve than P-256") }
    }

    private func check() throws(SealingError) {
        let block = UInt32(Self.blockCount)
        guard epoch > 0, capacity > 0, capacity <= UInt32(SealingLimits.capacity), capacity.isMultiple(of: block),
            keys.count.isMultiple(of: Self.keyByteCount), count > 0, count.isMultiple(of: Self.blockCount),
            first.isMultiple(of: block), first < capacity, UInt32(count) <= capacity - first
        else { throw SealingError(.invalidAnnouncement, "the announced keys lie outside of their pool") }
        for start in stride(from: 0, to: keys.count, by: Self.keyByteCount) {
            try Self.checkKey(keys[start..<start + Self.keyByteCount])
        }
        try Self.checkKey(lastResort[...])
    }

    private static func checkKey(_ bytes: ArraySlice<UInt8>) throws(SealingError) {
        guard bytes.count == keyByteCount, (try? EllipticCurve.PublicKey(.p256, encoded: bytes)) != nil else {
            throw SealingError(.invalidAnnouncement, "an announced key is not a point on P-256")
        }
    }

    /// The bytes that the owner signs: the part, its own identity and the other side's.
    static func statement(_ bytes: [UInt8], owner: IdentityKey, reader: IdentityKey) -> [UInt8] {
        owner.bytes + reader.bytes + bytes
    }
}
