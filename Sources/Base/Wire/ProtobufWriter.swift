/// Writes one protobuf message, field by field.
///
/// Like proto3, it leaves out numbers that are zero and byte strings that are empty; a nested message is
/// written even when it is empty, because its presence says something.
public struct ProtobufWriter: Sendable {
    private var writer: ByteWriter

    public init(reserving capacity: Int = 0) {
        writer = ByteWriter(reserving: capacity)
    }

    /// What was written so far.
    public var bytes: [UInt8] { writer.bytes }

    /// `uint32`, `uint64` or an enumeration.
    public mutating func write(_ value: UInt64, _ number: Int) {
        guard value != 0 else { return }
        writeKey(number, wireType: 0)
        writer.writeVarint(value)
    }

    /// Writes a field of type `bool`.
    public mutating func write(_ value: Bool, _ number: Int) {
        write(UInt64(value ? 1 : 0), number)
    }

    /// `sint64`: zigzag.
    public mutating func writeSigned(_ value: Int64, _ number: Int) {
        write(UInt64(bitPattern: (value << 1) ^ (value >> 63)), number)
    }

    /// Writes a field of type `double`.
    public mutating func write(_ value: Double, _ number: Int) {
        guard value.bitPattern != 0 else { return }
        writeKey(number, wireType: 1)
        writer.writeInteger(value.bitPattern.byteSwapped)
    }

    /// Writes a field of type `float`.
    public mutating func write(_ value: Float, _ number: Int) {
        guard value.bitPattern != 0 else { return }
        writeKey(number, wireType: 5)
        writer.writeInteger(value.bitPattern.byteSwapped)
    }

    /// Writes a field of type `string`.
    public mutating func write(_ value: String, _ number: Int) {
        write(Array(value.utf8), number)
    }

    /// Writes a field of type `bytes`.
    public mutating func write(_ value: some Collection<UInt8>, _ number: Int) {
        guard !value.isEmpty else { return }
        writeDelimited(value, number)
    }

    /// `repeated uint64`, packed.
    public mutating func write(_ values: [UInt64], _ number: Int) {
        var packed = ByteWriter(reserving: values.count)
        for value in values { packed.writeVarint(value) }
        write(packed.bytes, number)
    }

    /// A nested message, even if it is empty.
    public mutating func write(message: ProtobufWriter, _ number: Int) {
        writeDelimited(message.bytes, number)
    }

    private mutating func writeDelimited(_ value: some Collection<UInt8>, _ number: Int) {
        writeKey(number, wireType: 2)
        writer.writeVarint(UInt64(value.count))
        writer.writeBytes(value)
    }

    private mutating func writeKey(_ number: Int, wireType: UInt64) {
        precondition((1..<1 << 29).contains(number), "protobuf field numbers run from 1 to 2^29 - 1")
        writer.writeVarint(UInt64(number) << 3 | wireType)
    }
}
