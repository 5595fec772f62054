/// Collects the fields of one table, and lays tables out as a FlatBuffer.
///
/// Offsets point forward only, so a buffer is written front to back: each vtable, its table, then what the table
/// points to. Nothing is shared.
struct FlatBufferWriter {
    private enum Value {
        /// A number, little-endian; it is aligned to its own width.
        case number([UInt8])
        /// A vector of `count` elements without pointers; strings have a zero after it.
        case vector([UInt8], count: Int, isText: Bool)
        case table(FlatBufferWriter)
        case tables([FlatBufferWriter])

        /// Bytes within the table: a number itself, or the offset to anything else.
        var width: Int {
            if case .number(let bytes) = self { bytes.count } else { 4 }
        }
    }

    private var fields: [(slot: Int, value: Value)] = []

    mutating func write<Number: FixedWidthInteger>(_ number: Number, _ slot: Int) {
        guard number != 0 else { return }
        let width = Number.bitWidth / 8
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
        fields.append((slot, .number(bytes)))
    }

    mutating func write(vector bytes: [UInt8], count: Int, isText: Bool = false, _ slot: Int) {
        fields.append((slot, .vector(bytes, count: count, isText: isText)))
    }

    mutating func write(table: FlatBufferWriter, _ slot: Int) { fields.append((slot, .table(table))) }

    mutating func write(tables: [FlatBufferWriter], _ slot: Int) { fields.append((slot, .tables(tables))) }

    /// The buffer whose root is this table.
    func serialized() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4)
        Self.point(from: 0, to: append(to: &buffer), in: &buffer)
        return buffer
    }

    /// Appends the table with all it points to. Returns where it begins.
    private func append(to buffer: inout [UInt8]) -> Int {
        let layout = Layout(fields.map { (slot: $0.slot, width: $0.value.width) })
        Self.align(&buffer, to: 2)
        let vtable = buffer.count
        for entry in [layout.vtableSize, layout.tableSize] + layout.offsets { Self.append(UInt16(entry), to: &buffer) }
        // The widest field is aligned to eight bytes within the table, so the table must be, too.
        Self.align(&buffer, to: 8)
        let table = buffer.count
        Self.append(UInt32(table - vtable), to: &buffer)
        buffer += [UInt8](repeating: 0, count: layout.tableSize - 4)
        for field in fields {
            let position = table + layout.offsets[field.slot]
            switch field.value {
            case .number(let bytes): buffer.replaceSubrange(position..<position + bytes.count, with: bytes)
            case .table(let child): Self.point(from: position, to: child.append(to: &buffer), in: &buffer)
            case .vector(let bytes, let count, let isText):
                Self.point(from: position, to: Self.append(count: count, to: &buffer), in: &buffer)
                buffer += isText ? bytes + [0] : bytes
            case .tables(let children):
                let start = Self.append(count: children.count, to: &buffer)
                Self.point(from: position, to: start, in: &buffer)
                buffer += [UInt8](repeating: 0, count: 4 * children.count)
                for (index, child) in children.enumerated() {
                    Self.point(from: start + 4 + 4 * index, to: child.append(to: &buffer), in: &buffer)
                }
            }
        }
        return table
    }

    /// Begins a vector. Returns where.
    private static func append(count: Int, to buffer: inout [UInt8]) -> Int {
        align(&buffer, to: 4)
        defer { append(UInt32(count), to: &buffer) }
        return buffer.count
    }

    private static func append<Number: FixedWidthInteger & UnsignedInteger>(
        _ number: Number, to buffer: inout [UInt8]
    ) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            buffer.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    private static func point(from position: Int, to target: Int, in buffer: inout [UInt8]) {
        var distance: [UInt8] = []
        append(UInt32(target - position), to: &distance)
        buffer.replaceSubrange(position..<position + 4, with: distance)
    }

    private static func align(_ buffer: inout [UInt8], to width: Int) {
        while !buffer.count.isMultiple(of: width) { buffer.append(0) }
    }

    /// The layout of a table: the widest fields first, so that only the first may need padding.
    private struct Layout {
        /// The position of each slot, counted from the table; zero if it is missing.
        private(set) var offsets: [Int]
        private(set) var tableSize = 4

        init(_ fields: [(slot: Int, width: Int)]) {
            offsets = [Int](repeating: 0, count: (fields.map(\.slot).max() ?? -1) + 1)
            for (slot, width) in fields.sorted(by: { ($1.width, $0.slot) < ($0.width, $1.slot) }) {
                tableSize = (tableSize + width - 1) / width * width
                offsets[slot] = tableSize
                tableSize += width
            }
        }

        var vtableSize: Int { 4 + 2 * offsets.count }
    }
}
