/// Reads one table of a FlatBuffer in place.
///
/// A table begins with the distance back to its vtable, which gives the position of each field, or says that it is
/// missing. Every offset is checked before it is followed. Tables may share what they point to. Limits on depth, counts
/// and lengths therefore bound how much a small input can expand to.
struct FlatBufferReader {
    private let bytes: [UInt8]
    private let table: Int
    private let tableSize: Int
    private let vtable: Int
    private let vtableSize: Int
    private let depth: Int

    /// The root table of a buffer without a size in front.
    init(root bytes: [UInt8], depth: Int) throws(WireError) {
        guard let offset = Self.integer(UInt32.self, at: 0, in: bytes) else { throw Self.outside("root table") }
        try self.init(bytes, table: Int(offset), depth: depth)
    }

    private init(_ bytes: [UInt8], table: Int, depth: Int) throws(WireError) {
        guard depth > 0 else { throw WireError(.limitExceeded, "tables are nested too deeply") }
        guard let distance = Self.integer(Int32.self, at: table, in: bytes) else { throw Self.outside("table") }
        vtable = table - Int(distance)
        guard let vtableSize = Self.integer(UInt16.self, at: vtable, in: bytes),
            let tableSize = Self.integer(UInt16.self, at: vtable + 2, in: bytes),
            vtableSize >= 4, vtableSize.isMultiple(of: 2), vtable + Int(vtableSize) <= bytes.count
        else { throw Self.outside("vtable") }
        guard tableSize >= 4, table + Int(tableSize) <= bytes.count else { throw Self.outside("table") }
        self.bytes = bytes
        self.table = table
        self.depth = depth
        self.tableSize = Int(tableSize)
        self.vtableSize = Int(vtableSize)
    }

    /// A number, or nil if the field is left out.
    func integer<Value: FixedWidthInteger>(_ slot: Int, _ type: Value.Type = Value.self) throws(WireError) -> Value? {
        guard let offset = offset(slot) else { return nil }
        guard offset >= 4, offset + Value.bitWidth / 8 <= tableSize,
            let value = Self.integer(Value.self, at: table + offset, in: bytes)
        else { throw Self.outside("number") }
        return value
    }

    /// The elements of a vector, each `width` bytes wide, or nil if the field is left out.
    func vector(_ slot: Int, width: Int, atMost limit: Int) throws(WireError) -> ArraySlice<UInt8>? {
        guard let start = try target(slot) else { return nil }
        guard let count = Self.integer(UInt32.self, at: start, in: bytes) else { throw Self.outside("vector") }
        guard count <= limit else { throw WireError(.limitExceeded, "a vector has more than \(limit) elements") }
        // The limit keeps this product far from overflowing.
        let end = start + 4 + Int(count) * width
        guard end <= bytes.count else { throw Self.outside("vector") }
        return bytes[start + 4..<end]
    }

    func table(_ slot: Int) throws(WireError) -> FlatBufferReader? {
        guard let start = try target(slot) else { return nil }
        return try FlatBufferReader(bytes, table: start, depth: depth - 1)
    }

    func tables(_ slot: Int, atMost limit: Int) throws(WireError) -> [FlatBufferReader] {
        guard let offsets = try vector(slot, width: 4, atMost: limit) else { return [] }
        var tables: [FlatBufferReader] = []
        for position in stride(from: offsets.startIndex, to: offsets.endIndex, by: 4) {
            guard let offset = Self.integer(UInt32.self, at: position, in: bytes) else { throw Self.outside("table") }
            tables.append(try FlatBufferReader(bytes, table: position + Int(offset), depth: depth - 1))
        }
        return tables
    }

    /// The position of a field, counted from the table. Nil if it is missing, or newer than the writer.
    private func offset(_ slot: Int) -> Int? {
        let entry = 4 + 2 * slot
        guard entry + 2 <= vtableSize, let offset = Self.integer(UInt16.self, at: vtable + entry, in: bytes),
            offset != 0
        else { return nil }
        return Int(offset)
    }

    /// The position that a field points to.
    private func target(_ slot: Int) throws(WireError) -> Int? {
        guard let distance: UInt32 = try integer(slot), let offset = offset(slot) else { return nil }
        return table + offset + Int(distance)
    }

    /// A little-endian number, or nil if it is not within the bytes.
    private static func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, at position: Int, in bytes: [UInt8]
    ) -> Value? {
        let width = Value.bitWidth / 8
        guard position >= 0, position <= bytes.count - width else { return nil }
        var value: Value = 0
        for byte in bytes[position..<position + width].reversed() {
            value = (value &<< 8) | Value(truncatingIfNeeded: byte)
        }
        return value
    }

    private static func outside(_ what: String) -> WireError {
        WireError(.truncated, "a \(what) does not lie within the buffer")
    }
}
