internal import Cryptography

/// What OpenTDFKit's two key stores have in common: a curve, a count, and entries of one length.
///
/// On the wire: curve (1 byte, as in NanoTDF), count (4 bytes, big-endian), entries.
struct KeyStoreLayout {
    static let headByteCount = 5

    let curve: EllipticCurve
    let count: Int
    let entryByteCount: Int

    /// Reads the head and checks the count against the length, before memory is taken for the keys.
    init(
        of bytes: UnsafeRawBufferPointer, entryByteCount: (EllipticCurve) -> Int
    ) throws(KeyStoreError) {
        guard bytes.count >= Self.headByteCount else {
            throw KeyStoreError(.truncated, "a key store begins with a curve and a count, which are 5 bytes")
        }
        guard let curve = EllipticCurve(nanoTDFCode: bytes[0]), curve != .secp256k1 else {
            throw KeyStoreError(.unknownCurve, "there is no curve \(bytes[0]) in key stores")
        }
        self.curve = curve
        self.entryByteCount = entryByteCount(curve)
        count = bytes[1..<Self.headByteCount].reduce(0) { $0 << 8 | Int($1) }
        let (needed, present) = (count * self.entryByteCount, bytes.count - Self.headByteCount)
        guard present >= needed else {
            throw KeyStoreError(.truncated, "\(count) keys need \(needed) bytes, and there are \(present)")
        }
        guard present == needed else {
            throw KeyStoreError(.trailingBytes, "\(present - needed) bytes follow the last key")
        }
    }

    /// Where an entry lies.
    func range(_ index: Int) -> Range<Int> {
        let start = Self.headByteCount + index * entryByteCount
        return start..<start + entryByteCount
    }

    /// The compressed public key at the front of each entry, in order.
    func publicKeys(in bytes: UnsafeRawBufferPointer) throws(KeyStoreError) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        keys.reserveCapacity(count)
        for index in 0..<count {
            let start = range(index).lowerBound
            guard bytes[start] == 2 || bytes[start] == 3 else {
                throw KeyStoreError(.invalidKey, "entry \(index) has no compressed public key")
            }
            keys.append(Array(bytes[start..<start + curve.compressedByteCount]))
        }
        return keys
    }

    /// The place of each key; throws if one is there twice.
    static func index(_ keys: [[UInt8]]) throws(KeyStoreError) -> [[UInt8]: Int] {
        var index: [[UInt8]: Int] = [:]
        index.reserveCapacity(keys.count)
        for (place, key) in keys.enumerated() {
            guard index.updateValue(place, forKey: key) == nil else {
                throw KeyStoreError(.duplicateKey, "the key of entry \(place) is there twice")
            }
        }
        return index
    }

    static func head(curve: EllipticCurve, count: Int) -> [UInt8] {
        [curve.nanoTDFCode] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    }
}
