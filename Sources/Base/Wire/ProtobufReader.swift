/// Walks the fields of one protobuf message in the order of the wire.
///
/// The caller switches over field numbers and skips those it does not know. Groups (wire types 3 and 4), which
/// proto3 has dropped, are refused.
///
///     while let field = try reader.next() {
///         switch field.number {
///         case 1: name = try field.string(atMost: 100)
///         default: break
///         }
///     }
public struct ProtobufReader: Sendable {
    /// How deep messages may be nested, unless told otherwise.
    public static let defaultDepth = 8

    private var bytes: ByteReader
    private let depth: Int

    /// - Parameter depth: how many further levels of nested messages may be opened.
    public init(_ bytes: ArraySlice<UInt8>, depth: Int = defaultDepth) {
        self.bytes = ByteReader(bytes)
        self.depth = depth
    }

    public init(_ bytes: [UInt8], depth: Int = defaultDepth) {
        self.init(bytes[...], depth: depth)
    }

    /// The next field, or nil at the end of the message.
    public mutating func next() throws(WireError) -> ProtobufField? {
        if bytes.isAtEnd { return nil }
        let key = try bytes.readVarint()
        guard let number = UInt32(exactly: key >> 3), number >= 1, number < 1 << 29 else {
            throw WireError(.malformed, "a field number is out of range")
        }
        return ProtobufField(number: Int(number), value: try readValue(wireType: key & 7), depth: depth)
    }

    private mutating func readValue(wireType: UInt64) throws(WireError) -> ProtobufField.Value {
        switch wireType {
        case 0: return .varint(try bytes.readVarint())
        case 1: return .fixed64(try bytes.readInteger(UInt64.self).byteSwapped)
        case 2:
            guard let count = Int(exactly: try bytes.readVarint()) else {
                throw WireError(.malformed, "a field is longer than its message")
            }
            return .bytes(try bytes.readSlice(count))
        case 5: return .fixed32(try bytes.readInteger(UInt32.self).byteSwapped)
        default: throw WireError(.malformed, "wire type \(wireType) is not supported")
        }
    }
}
