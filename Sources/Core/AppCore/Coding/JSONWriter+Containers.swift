/// The members of one object.
struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    /// Whether keys are content, as in a dictionary.
    let keepsKeys: Bool

    var codingPath: [any CodingKey] { [] }

    private func append(_ text: JSONWriter.Text, _ key: some CodingKey) {
        writer.append(text, key: keepsKeys ? key.stringValue : JSONWriter.snakeCase(key.stringValue))
    }

    func encodeNil(forKey key: Key) { append(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { append(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { append(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) throws { append(try JSONWriter.text(of: value), key) }
    func encode(_ value: Float, forKey key: Key) throws { append(try JSONWriter.text(of: value), key) }
    func encode(_ value: Int, forKey key: Key) { append(.integer(Int64(value)), key) }
    func encode(_ value: Int8, forKey key: Key) { append(.integer(Int64(value)), key) }
    func encode(_ value: Int16, forKey key: Key) { append(.integer(Int64(value)), key) }
    func encode(_ value: Int32, forKey key: Key) { append(.integer(Int64(value)), key) }
    func encode(_ value: Int64, forKey key: Key) { append(.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) { append(.unsigned(UInt64(value)), key) }
    func encode(_ value: UInt8, forKey key: Key) { append(.unsigned(UInt64(value)), key) }
    func encode(_ value: UInt16, forKey key: Key) { append(.unsigned(UInt64(value)), key) }
    func encode(_ value: UInt32, forKey key: Key) { append(.unsigned(UInt64(value)), key) }
    func encode(_ value: UInt64, forKey key: Key) { append(.unsigned(value), key) }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { append(try JSONWriter.text(of: value), key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> JSONWriter {
        let nested = JSONWriter()
        append(.nested(nested), key)
        return nested
    }
}

private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// The values of one array.
struct JSONArrayContainer: UnkeyedEncodingContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.members.count }

    func encodeNil() { writer.append(.null) }
    func encode<T: Encodable>(_ value: T) throws { writer.append(try JSONWriter.text(of: value)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> JSONWriter {
        let nested = JSONWriter()
        writer.append(.nested(nested))
        return nested
    }
}

/// One value that is neither an object nor an array, or stands for one.
struct JSONSingleContainer: SingleValueEncodingContainer {
    let writer: JSONWriter

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { writer.set(.null) }
    func encode(_ value: Bool) { writer.set(.bool(value)) }
    func encode(_ value: String) { writer.set(.string(value)) }
    func encode(_ value: Double) throws { writer.set(try JSONWriter.text(of: value)) }
    func encode(_ value: Float) throws { writer.set(try JSONWriter.text(of: value)) }
    func encode(_ value: Int) { writer.set(.integer(Int64(value))) }
    func encode(_ value: Int8) { writer.set(.integer(Int64(value))) }
    func encode(_ value: Int16) { writer.set(.integer(Int64(value))) }
    func encode(_ value: Int32) { writer.set(.integer(Int64(value))) }
    func encode(_ value: Int64) { writer.set(.integer(value)) }
    func encode(_ value: UInt) { writer.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt8) { writer.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt16) { writer.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt32) { writer.set(.unsigned(UInt64(value))) }
    func encode(_ value: UInt64) { writer.set(.unsigned(value)) }
    func encode<T: Encodable>(_ value: T) throws { writer.set(try JSONWriter.text(of: value)) }
}
