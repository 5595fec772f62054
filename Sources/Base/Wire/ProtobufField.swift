/// One field of a protobuf message. Its accessors throw when the wire holds another kind of value.
public struct ProtobufField: Sendable {
    /// What a field holds, by its wire type.
    package enum Value: Sendable {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(ArraySlice<UInt8>)
    }

    /// The field number, 1 to 2²⁹ − 1.
    public let number: Int
    package let value: Value
    private let depth: Int

    package init(number: Int, value: Value, depth: Int) {
        self.number = number
        self.value = value
        self.depth = depth
    }

    /// `uint64`.
    public func uint64() throws(WireError) -> UInt64 {
        guard case .varint(let number) = value else { throw wrongType("an integer") }
        return number
    }

    /// `uint32` or an enumeration. Larger numbers are refused, although protobuf allows cutting them.
    public func uint32() throws(WireError) -> UInt32 {
        guard let number = UInt32(exactly: try uint64()) else { throw wrongType("a 32-bit integer") }
        return number
    }

    /// `int64`: two's complement.
    public func int64() throws(WireError) -> Int64 {
        Int64(bitPattern: try uint64())
    }

    /// `int32`: two's complement, ten bytes if negative. Numbers out of range are refused rather than cut.
    public func int32() throws(WireError) -> Int32 {
        guard let number = Int32(exactly: try int64()) else { throw wrongType("a 32-bit integer") }
        return number
    }

    /// A number other than zero is true.
    public func bool() throws(WireError) -> Bool {
        try uint64() != 0
    }

    /// `sint64`: zigzag.
    public func sint64() throws(WireError) -> Int64 {
        let number = try uint64()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// `double`.
    public func double() throws(WireError) -> Double {
        guard case .fixed64(let bits) = value else { throw wrongType("a double") }
        return Double(bitPattern: bits)
    }

    /// `float`.
    public func float() throws(WireError) -> Float {
        guard case .fixed32(let bits) = value else { throw wrongType("a float") }
        return Float(bitPattern: bits)
    }

    /// `bytes`, shared with the input.
    public func slice(atMost limit: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard case .bytes(let slice) = value else { throw wrongType("bytes") }
        guard slice.count <= limit else {
            throw WireError(.limitExceeded, "field \(number) is longer than \(limit) bytes")
        }
        return slice
    }

    /// `bytes`, copied.
    public func bytes(atMost limit: Int) throws(WireError) -> [UInt8] {
        Array(try slice(atMost: limit))
    }

    /// `string`: valid UTF-8 of at most `limit` bytes.
    public func string(atMost limit: Int) throws(WireError) -> String {
        guard let text = String(validating: try slice(atMost: limit), as: UTF8.self) else {
            throw WireError(.malformed, "field \(number) is not UTF-8")
        }
        return text
    }

    /// A nested message.
    public func message() throws(WireError) -> ProtobufReader {
        guard depth > 0 else { throw WireError(.limitExceeded, "messages are nested too deeply") }
        return ProtobufReader(try slice(atMost: .max), depth: depth - 1)
    }

    /// `repeated uint64`: one number, or several packed into one field. At most `limit` of them.
    public func uint64s(atMost limit: Int) throws(WireError) -> [UInt64] {
        guard case .bytes(let slice) = value else { return [try uint64()] }
        var numbers: [UInt64] = []
        var reader = ByteReader(slice)
        while !reader.isAtEnd {
            guard numbers.count < limit else {
                throw WireError(.limitExceeded, "field \(number) holds more than \(limit) numbers")
            }
            numbers.append(try reader.readVarint())
        }
        return numbers
    }

    private func wrongType(_ expected: String) -> WireError {
        WireError(.wrongType, "field \(number) is not \(expected)")
    }
}
