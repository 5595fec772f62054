public import Wire

/// A message of `Protos/`. The conforming types are generated from there when the module is built.
///
/// Reading is strict: a known field of another wire type, a missing required field, text that is not UTF-8 and more than
/// `ProtobufField.repetitions` elements in a field are errors. Unknown fields are skipped. Of several values for a field that holds one, the
/// last counts. Fields are written in ascending order.
public protocol ComponentMessage: FieldValue, CallBody {
    /// The full name in the schema, `fs_op.Stats` for example.
    static var schemaName: String { get }

    /// Reads all fields. The size of the message is for the caller to limit.
    init(reading fields: ProtobufReader) throws(WireError)

    /// Writes the fields in the order of their numbers.
    func write(to sink: inout some FieldSink)

    /// The message's bytes.
    var encoded: [UInt8] { get }
}

extension ComponentMessage {
    /// Reads the message from its protobuf encoding. Throws if the bytes are not such a message, or lack a required field.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        try self.init(reading: ProtobufReader(bytes))
    }

    /// Reads the message from its protobuf encoding. Throws if the bytes are not such a message, or lack a required field.
    public init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        try self.init(reading: ProtobufReader(bytes))
    }

    /// Reads the message from its protobuf encoding. Throws if the bytes are not such a message, or lack a required field.
    public init(decoding bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(reading: ProtobufReader(ArraySlice(bytes)))
    }

    /// Reads the message out of a field of another one.
    public init(_ field: ProtobufField) throws(WireError) {
        try self.init(reading: try field.message())
    }

    /// Writes the message as a field of another one.
    public func write(_ number: Int, to sink: inout some FieldSink) {
        sink.writeMessage(self, number)
    }

    /// A message always says something, even an empty one.
    public var isZero: Bool { false }

    public var encodedSize: Int {
        var size = FieldSizes()
        write(to: &size)
        return size.count
    }

    public func append(to envelope: inout [UInt8]) {
        var writer = FieldWriter(continuing: exchange(&envelope, with: []))
        write(to: &writer)
        envelope = writer.bytes
    }

    /// What `encoded` is in every message; there it is compiled for the message alone.
    static func encode(_ message: Self) -> [UInt8] {
        var writer = FieldWriter(reserving: message.encodedSize)
        message.write(to: &writer)
        return writer.bytes
    }

    static func required<Value>(_ value: Value?, _ field: StaticString) throws(WireError) -> Value {
        guard let value else { throw WireError(.malformed, "\(schemaName) has no \(field)") }
        return value
    }
}
