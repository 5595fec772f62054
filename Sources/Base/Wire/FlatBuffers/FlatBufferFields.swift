/// A table of a FlatBuffers schema as a Swift value.
///
/// The fields are named once, in the order of the schema, for reading and for writing:
///
///     mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
///         try fields.number(&ttl)
///         try fields.bytes(&payload, atMost: 2000)
///     }
public protocol FlatBufferTable {
    /// The table with every field left out.
    init()
    /// Names every field in the order of the schema, to read or to write it. Throws if the bytes do not match the
    /// schema.
    mutating func visit(_ fields: inout FlatBufferFields) throws(WireError)
}

/// A union: one of several tables.
public protocol FlatBufferUnion {
    /// The empty table of a kind, 1 to 255; nil if the schema has no such kind.
    init?(kind: UInt8)
    /// Which of the tables it is, 1 to 255, as the schema counts them.
    var kind: UInt8 { get }
    /// Names every field of its table. Throws if the bytes do not match the schema.
    mutating func visit(_ fields: inout FlatBufferFields) throws(WireError)
}

extension FlatBufferTable {
    /// Reads the root table of a buffer. Total: any bytes give a value or an error.
    /// - Parameter depth: how deeply tables may be nested.
    public init(flatBuffer bytes: [UInt8], depth: Int = 8) throws(WireError) {
        self.init()
        var fields = FlatBufferFields(reading: try FlatBufferReader(root: bytes, depth: depth))
        try visit(&fields)
    }

    /// The buffer with this table as its root. Throws if a field is longer than a reader would take.
    public func flatBuffer() throws(WireError) -> [UInt8] {
        try FlatBufferFields.written { fields throws(WireError) in
            var copy = self
            try copy.visit(&fields)
        }.serialized()
    }
}

/// The fields of one table, which are read from bytes or written to them one after another. Fields that are missing are
/// zero, empty or nil, and such values are not written.
public struct FlatBufferFields {
    private let reader: FlatBufferReader?
    private var writer = FlatBufferWriter()
    private var next = 0

    fileprivate init(reading reader: FlatBufferReader?) { self.reader = reader }

    fileprivate static func written(
        _ visit: (inout FlatBufferFields) throws(WireError) -> Void
    ) throws(WireError) -> FlatBufferWriter {
        var fields = FlatBufferFields(reading: nil)
        try visit(&fields)
        return fields.writer
    }

    private mutating func slot() -> Int {
        defer { next += 1 }
        return next
    }

    public mutating func number<Number: FixedWidthInteger>(_ value: inout Number) throws(WireError) {
        let slot = slot()
        if let reader { value = try reader.integer(slot) ?? 0 } else { writer.write(value, slot) }
    }

    public mutating func number(_ value: inout Float) throws(WireError) {
        var bits = value.bitPattern
        try number(&bits)
        value = Float(bitPattern: bits)
    }

    public mutating func flag(_ value: inout Bool) throws(WireError) {
        var number: UInt8 = value ? 1 : 0
        try self.number(&number)
        value = number != 0
    }

    /// An enumeration over signed bytes. Values that are not known are kept.
    public mutating func enumeration<Value: RawRepresentable<Int8>>(_ value: inout Value) throws(WireError) {
        var raw = value.rawValue
        try number(&raw)
        guard let read = Value(rawValue: raw) else { throw WireError(.malformed, "an enumeration has no such value") }
        value = read
    }

    /// A vector of at most `limit` values of an enumeration over signed bytes.
    public mutating func enumerations<Value: RawRepresentable<Int8>>(
        _ values: inout [Value], atMost limit: Int
    ) throws(WireError) {
        var raw = values.map { UInt8(bitPattern: $0.rawValue) }
        try bytes(&raw, atMost: limit)
        values = raw.compactMap { Value(rawValue: Int8(bitPattern: $0)) }
    }

    /// `[ubyte]` of at most `limit` bytes.
    public mutating func bytes(_ value: inout [UInt8], atMost limit: Int) throws(WireError) {
        let slot = slot()
        if let reader {
            value = try reader.vector(slot, width: 1, atMost: limit).map(Array.init) ?? []
        } else {
            try check(value.count, limit)
            if !value.isEmpty { writer.write(vector: value, count: value.count, slot) }
        }
    }

    /// `string` of at most `limit` bytes of UTF-8.
    public mutating func text(_ value: inout String, atMost limit: Int) throws(WireError) {
        let slot = slot()
        if let reader {
            let bytes = try reader.vector(slot, width: 1, atMost: limit) ?? []
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw WireError(.malformed, "a string is not UTF-8")
            }
            value = text
        } else {
            try check(value.utf8.count, limit)
            if !value.isEmpty { writer.write(vector: Array(value.utf8), count: value.utf8.count, isText: true, slot) }
        }
    }

    /// `[uint32]` of at most `limit` numbers.
    public mutating func numbers(_ values: inout [UInt32], atMost limit: Int) throws(WireError) {
        let slot = slot()
        if let reader {
            let bytes = Array(try reader.vector(slot, width: 4, atMost: limit) ?? [])
            values = stride(from: 0, to: bytes.count, by: 4).map { start in
                bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
            }
        } else {
            try check(values.count, limit)
            let bytes = values.flatMap { value in
                stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
            }
            if !values.isEmpty { writer.write(vector: bytes, count: values.count, slot) }
        }
    }

    /// A table that may be left out. A present one is written even when all its fields are left out.
    public mutating func table<Table: FlatBufferTable>(_ value: inout Table?) throws(WireError) {
        let slot = slot()
        if let reader {
            value = try reader.table(slot).map { inner throws(WireError) in try Self.read(inner) }
        } else if let value {
            writer.write(table: try Self.write(value), slot)
        }
    }

    /// A vector of at most `limit` tables.
    public mutating func tables<Table: FlatBufferTable>(
        _ values: inout [Table], atMost limit: Int
    ) throws(WireError) {
        let slot = slot()
        if let reader {
            values = try reader.tables(slot, atMost: limit).map { inner throws(WireError) in try Self.read(inner) }
        } else {
            try check(values.count, limit)
            let tables = try values.map { value throws(WireError) in try Self.write(value) }
            if !tables.isEmpty { writer.write(tables: tables, slot) }
        }
    }

    /// A union, which takes two slots: the kind, then the table. A kind that is not known is refused.
    public mutating func union<Union: FlatBufferUnion>(_ value: inout Union?) throws(WireError) {
        var kind = value?.kind ?? 0
        try number(&kind)
        let slot = slot()
        guard let reader else {
            guard var value else { return }
            let table = try Self.written { fields throws(WireError) in try value.visit(&fields) }
            return writer.write(table: table, slot)
        }
        value = nil
        guard kind != 0 else { return }
        guard var union = Union(kind: kind) else { throw WireError(.wrongType, "a union is of a kind not known here") }
        guard let table = try reader.table(slot) else { throw WireError(.malformed, "a union has no table") }
        var fields = FlatBufferFields(reading: table)
        try union.visit(&fields)
        value = union
    }

    private static func read<Table: FlatBufferTable>(_ reader: FlatBufferReader) throws(WireError) -> Table {
        var table = Table()
        var fields = FlatBufferFields(reading: reader)
        try table.visit(&fields)
        return table
    }

    private static func write(_ table: some FlatBufferTable) throws(WireError) -> FlatBufferWriter {
        var copy = table
        return try written { fields throws(WireError) in try copy.visit(&fields) }
    }

    private func check(_ count: Int, _ limit: Int) throws(WireError) {
        guard count <= limit else { throw WireError(.limitExceeded, "a field has more than \(limit) elements") }
    }
}
