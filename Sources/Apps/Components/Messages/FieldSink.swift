import Wire

/// Where a message writes its fields: first to a count of bytes, then to as many bytes.
public protocol FieldSink {
    /// Takes a field of wire type 0.
    mutating func writeVarint(_ value: UInt64, _ number: Int)
    /// Takes a text as a field of wire type 2.
    mutating func writeText(_ value: String, _ number: Int)
    /// Takes bytes as a field of wire type 2.
    mutating func writeBytes(_ value: ArraySlice<UInt8>, _ number: Int)
    /// Takes numbers as one packed field.
    mutating func writePacked(_ values: [UInt64], _ number: Int)
    /// Takes a message as a field of wire type 2.
    mutating func writeMessage(_ message: some ComponentMessage, _ number: Int)
}

extension FieldSink {
    mutating func write(_ value: some FieldValue, _ number: Int) {
        value.write(number, to: &self)
    }

    mutating func write(optional value: (some FieldValue)?, _ number: Int) {
        value?.write(number, to: &self)
    }

    mutating func write(nonzero value: some FieldValue, _ number: Int) {
        if !value.isZero { value.write(number, to: &self) }
    }

    mutating func write(each values: [some FieldValue], _ number: Int) {
        for value in values { value.write(number, to: &self) }
    }

    mutating func write(packed values: [UInt64], _ number: Int) {
        if !values.isEmpty { writePacked(values, number) }
    }
}

/// Counts the bytes of a message.
struct FieldSizes: FieldSink {
    private(set) var count = 0

    mutating func writeVarint(_ value: UInt64, _ number: Int) {
        count += Self.key(number) + Self.varint(value)
    }

    mutating func writeText(_ value: String, _ number: Int) {
        add(delimited: value.utf8.count, number)
    }

    mutating func writeBytes(_ value: ArraySlice<UInt8>, _ number: Int) {
        add(delimited: value.count, number)
    }

    mutating func writePacked(_ values: [UInt64], _ number: Int) {
        add(delimited: Self.packed(values), number)
    }

    mutating func writeMessage(_ message: some ComponentMessage, _ number: Int) {
        add(delimited: message.encodedSize, number)
    }

    static func packed(_ values: [UInt64]) -> Int {
        values.reduce(0) { $0 + varint($1) }
    }

    private mutating func add(delimited size: Int, _ number: Int) {
        count += Self.key(number) + Self.varint(UInt64(size)) + size
    }

    private static func key(_ number: Int) -> Int { varint(UInt64(number) << 3) }

    private static func varint(_ value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }
}

/// Writes the bytes of a message. Nested messages tell their size first, so that nothing is copied twice.
struct FieldWriter: FieldSink {
    private var writer: ByteWriter

    init(reserving size: Int) {
        writer = ByteWriter(reserving: size)
    }

    /// Writes behind what is there already.
    init(continuing bytes: [UInt8]) {
        writer = ByteWriter(continuing: bytes)
    }

    var bytes: [UInt8] { writer.bytes }

    mutating func writeVarint(_ value: UInt64, _ number: Int) {
        writer.writeVarint(UInt64(number) << 3)
        writer.writeVarint(value)
    }

    mutating func writeText(_ value: String, _ number: Int) {
        begin(delimited: value.utf8.count, number)
        writer.writeBytes(value.utf8)
    }

    mutating func writeBytes(_ value: ArraySlice<UInt8>, _ number: Int) {
        begin(delimited: value.count, number)
        writer.writeBytes(value)
    }

    mutating func writePacked(_ values: [UInt64], _ number: Int) {
        begin(delimited: FieldSizes.packed(values), number)
        for value in values { writer.writeVarint(value) }
    }

    mutating func writeMessage(_ message: some ComponentMessage, _ number: Int) {
        begin(delimited: message.encodedSize, number)
        message.write(to: &self)
    }

    private mutating func begin(delimited size: Int, _ number: Int) {
        writer.writeVarint(UInt64(number) << 3 | 2)
        writer.writeVarint(UInt64(size))
    }
}
