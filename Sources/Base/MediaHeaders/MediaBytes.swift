import Wire

/// Bytes of a file of pictures or sound, read piece by piece wherever its headers lead.
///
/// A reader never reads past the end, and gives up after ``readings`` looks at the file, whatever its headers say.
package struct MediaBytes {
    /// Bytes of one look.
    static let window = 32 << 10
    /// Looks at one file.
    static let readings = 1024

    /// Bytes of the file.
    package let count: Int64
    private let read: (_ offset: Int64, _ count: Int) -> [UInt8]?
    private var start: Int64 = 0
    private var bytes: [UInt8] = []
    private var left = MediaBytes.readings

    /// - Parameter read: gives bytes of the file from an offset, fewer where it ends; nil if it cannot be read.
    package init(count: Int64, read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]?) {
        self.count = max(count, 0)
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(count: Int64(bytes.count)) { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    }

    /// Bytes of the file, at most ``window``.
    /// - Throws: `truncated` if the file ends before or cannot be read, `limitExceeded` if too much of it was read.
    mutating func slice(at offset: Int64, _ length: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard (0...count).contains(offset), (0...Self.window).contains(length), Int64(length) <= count - offset else {
            throw WireError(.truncated, "the file ends before its header does")
        }
        if offset < start || offset - start > Int64(bytes.count - length) {
            guard left > 0 else { throw WireError(.limitExceeded, "the headers of the file have too many parts") }
            left -= 1
            (start, bytes) = (offset, read(offset, Self.window) ?? [])
        }
        let begin = Int(offset - start)
        guard bytes.count - begin >= length else { throw WireError(.truncated, "the file could not be read") }
        return bytes[begin..<begin + length]
    }

    /// A reader of the bytes from an offset.
    mutating func reader(at offset: Int64, _ length: Int) throws(WireError) -> ByteReader {
        ByteReader(try slice(at: offset, length))
    }

    /// Four letters.
    mutating func tag(at offset: Int64) throws(WireError) -> String {
        String(decoding: try slice(at: offset, 4), as: UTF8.self)
    }

    /// An integer of the type's own width, the lowest byte first.
    mutating func littleEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, at offset: Int64
    ) throws(WireError) -> Value {
        var reader = try reader(at: offset, Value.bitWidth / 8)
        return try reader.readInteger(type).byteSwapped
    }

    /// An integer of the type's own width, the highest byte first.
    mutating func bigEndian<Value: FixedWidthInteger & UnsignedInteger>(
        _ type: Value.Type, at offset: Int64
    ) throws(WireError) -> Value {
        var reader = try reader(at: offset, Value.bitWidth / 8)
        return try reader.readInteger(type)
    }
}
