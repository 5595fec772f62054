public import Wire

/// A type that a field of a message can have.
public protocol FieldValue: Hashable, Sendable {
    /// Reads the value of a field. Throws if the field has another wire type.
    init(_ field: ProtobufField) throws(WireError)

    /// Whether proto3 leaves the field out.
    var isZero: Bool { get }

    /// Writes the value as a field with this number.
    func write(_ number: Int, to sink: inout some FieldSink)
}

extension ProtobufField {
    /// How many elements a repeated field can have.
    public static let repetitions = 1 << 18

    func value<Value: FieldValue>() throws(WireError) -> Value {
        try Value(self)
    }

    func append<Value: FieldValue>(to values: inout [Value]) throws(WireError) {
        guard values.count < Self.repetitions else { throw tooMany }
        values.append(try Value(self))
    }

    /// `repeated uint64`, packed or not.
    func append(to values: inout [UInt64]) throws(WireError) {
        values += try uint64s(atMost: Self.repetitions)
        guard values.count <= Self.repetitions else { throw tooMany }
    }

    private var tooMany: WireError {
        WireError(.limitExceeded, "field \(number) has more than \(Self.repetitions) elements")
    }
}

extension Bool: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.bool() }
    public var isZero: Bool { !self }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeVarint(self ? 1 : 0, number) }
}

extension Int32: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.int32() }
    public var isZero: Bool { self == 0 }
    public func write(_ number: Int, to sink: inout some FieldSink) { Int64(self).write(number, to: &sink) }
}

extension Int64: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.int64() }
    public var isZero: Bool { self == 0 }
    public func write(_ number: Int, to sink: inout some FieldSink) {
        sink.writeVarint(UInt64(bitPattern: self), number)
    }
}

extension UInt32: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.uint32() }
    public var isZero: Bool { self == 0 }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeVarint(UInt64(self), number) }
}

extension UInt64: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.uint64() }
    public var isZero: Bool { self == 0 }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeVarint(self, number) }
}

extension String: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.string(atMost: .max) }
    public var isZero: Bool { isEmpty }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeText(self, number) }
}

extension [UInt8]: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.bytes(atMost: .max) }
    public var isZero: Bool { isEmpty }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeBytes(self[...], number) }
}

/// Bytes in the memory of the message that they came in.
extension ArraySlice<UInt8>: FieldValue {
    public init(_ field: ProtobufField) throws(WireError) { self = try field.slice(atMost: .max) }
    public var isZero: Bool { isEmpty }
    public func write(_ number: Int, to sink: inout some FieldSink) { sink.writeBytes(self, number) }
}
