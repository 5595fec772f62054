package import Wire

/// Cuts what comes over a socket into frames: four bytes of length in network order, and then that many bytes, the first of
/// which names the sort.
package struct FrameBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    package var limit: Int

    /// - Parameter limit: bytes of the longest frame.
    package init(limit: Int) { self.limit = limit }

    /// Bytes that it keeps, read ones included.
    package var capacity: Int { bytes.capacity }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
            start = 0
        } else if start > 1 << 20 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next frame without its length, or `nil` until more has come.
    package mutating func next() throws(WireError) -> ArraySlice<UInt8>? {
        guard bytes.count - start >= 4 else { return nil }
        var reader = ByteReader(bytes[start...])
        let length = Int(try reader.readInteger(UInt32.self))
        guard length <= limit else { throw WireError(.limitExceeded, "a frame is longer than \(limit) bytes") }
        guard length >= 1 else { throw WireError(.malformed, "a frame is empty") }
        guard bytes.count - start - 4 >= length else { return nil }
        let frame = bytes[start + 4..<start + 4 + length]
        start += 4 + length
        if start == bytes.count, bytes.capacity > 1 << 20 { (bytes, start) = ([], 0) }
        return frame
    }
}

/// Writes one frame.
package struct FrameWriter {
    private var writer: ByteWriter

    /// - Parameter capacity: bytes that will follow the sort.
    package init(_ sort: UInt8, capacity: Int = 0) {
        writer = ByteWriter(reserving: capacity + 5)
        writer.writeInteger(UInt32(truncatingIfNeeded: capacity + 1))
        writer.writeByte(sort)
    }

    /// Bytes that a text takes.
    package static func size(of text: String) -> Int { 4 + text.utf8.count }

    package mutating func write(_ text: String) {
        writer.writeInteger(UInt32(truncatingIfNeeded: text.utf8.count))
        writer.writeBytes(text.utf8)
    }

    package mutating func write(_ number: UInt64) { writer.writeInteger(number) }

    package mutating func write(rest bytes: [UInt8]) { writer.writeBytes(bytes) }

    package var bytes: [UInt8] { writer.bytes }
}

extension ByteReader {
    package mutating func readText() throws(WireError) -> String {
        let bytes = try readPrefixed(by: UInt32.self, atMost: remaining)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WireError(.malformed, "a text is not UTF-8")
        }
        return text
    }
}
