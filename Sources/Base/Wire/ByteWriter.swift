/// Appends binary fields to a byte string, in network order: the other half of ``ByteReader``.
package struct ByteWriter: Sendable {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// Appends to existing bytes, without copying them if they are not shared.
    package init(continuing bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Writes one byte.
    package mutating func writeByte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// A big-endian integer of the type's own width.
    package mutating func writeInteger<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
        for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// A little-endian base-128 integer as in protobuf.
    package mutating func writeVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes bytes as they are, without a length.
    package mutating func writeBytes(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// A byte string preceded by its length as a big-endian integer of type `Length`; throws if it does not fit.
    package mutating func writePrefixed<Length: FixedWidthInteger & UnsignedInteger>(
        _ more: some Collection<UInt8>,
        by type: Length.Type
    ) throws(WireError) {
        guard let length = Length(exactly: more.count) else {
            throw WireError(.limitExceeded, "a byte string is longer than \(Length.max) bytes")
        }
        writeInteger(length)
        bytes.append(contentsOf: more)
    }
}
