/// Reads binary fields from the front of a byte string, in network order.
///
/// A reader never reads past its end and never allocates more than the input holds. Copies of a reader share
/// the input, so looking ahead is `var ahead = reader`.
package struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    /// Bytes read so far.
    package var offset: Int { position - bytes.startIndex }
    /// Bytes that are left.
    package var remaining: Int { bytes.endIndex - position }
    /// Whether everything was read.
    package var isAtEnd: Bool { remaining == 0 }

    /// The next byte; throws `truncated` at the end.
    package mutating func readByte() throws(WireError) -> UInt8 {
        guard position < bytes.endIndex else { throw truncated(needing: 1) }
        defer { position += 1 }
        return bytes[position]
    }

    /// A big-endian integer of the type's own width.
    package mutating func readInteger<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        let width = Value.bitWidth / 8
        guard remaining >= width else { throw truncated(needing: width) }
        var value: Value = 0
        for byte in bytes[position..<position + width] {
            value = (value << 8) | Value(truncatingIfNeeded: byte)
        }
        position += width
        return value
    }

    /// A little-endian base-128 integer as in protobuf: at most ten bytes, at most 64 bits.
    package mutating func readVarint() throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try readByte()
            // The tenth byte has room for one bit only.
            guard shift < 63 || byte <= 1 else { throw WireError(.malformed, "a varint is longer than 64 bits") }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw WireError(.malformed, "a varint is longer than ten bytes")
    }

    /// The next `count` bytes, shared with the input.
    package mutating func readSlice(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw truncated(needing: count) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A copy of the next `count` bytes.
    package mutating func readBytes(_ count: Int) throws(WireError) -> [UInt8] {
        Array(try readSlice(count))
    }

    /// A byte string that is preceded by its length as a big-endian integer of type `Length`.
    package mutating func readPrefixed<Length: FixedWidthInteger & UnsignedInteger>(
        by type: Length.Type,
        atMost limit: Int
    ) throws(WireError) -> ArraySlice<UInt8> {
        let length = try readInteger(type)
        guard length <= limit else { throw WireError(.limitExceeded, "a byte string is longer than \(limit) bytes") }
        return try readSlice(Int(length))
    }

    /// Everything that is left.
    package mutating func readRemaining() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// Skips bytes; throws `truncated` if there are fewer.
    package mutating func skip(_ count: Int) throws(WireError) {
        _ = try readSlice(count)
    }

    /// Throws unless everything has been read.
    package func expectEnd() throws(WireError) {
        guard isAtEnd else { throw WireError(.trailingBytes, "\(remaining) bytes follow the end of the value") }
    }

    private func truncated(needing count: Int) -> WireError {
        WireError(.truncated, "\(count) bytes are needed and \(remaining) are left")
    }
}
