/// Encodes an enumeration with associated values as one flat object: `.sendText(room: r, text: t)` becomes
/// `{"type":"send_text","room":…,"text":…}`.
///
/// The compiler's own `encode(to:)` for such an enumeration asks for a container keyed by case and, in it, for a nested
/// one keyed by label. This encoder turns the first into the `type` key and lets the second be the object itself.
package struct TaggedEncoder: Encoder {
    let base: any Encoder

    package init(_ base: any Encoder) { self.base = base }

    package var codingPath: [any CodingKey] { base.codingPath }
    package var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(CaseContainer<Key>(base: base))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer { base.unkeyedContainer() }
    package func singleValueContainer() -> any SingleValueEncodingContainer { base.singleValueContainer() }
}

enum TagKey: String, CodingKey { case type }

extension TagKey {
    /// The name that ``TaggedEncoder`` gives to a case of an enumeration.
    static func name(of value: some Encodable) -> String {
        SnakeCase.encode(Mirror(reflecting: value).children.first?.label ?? String(describing: value))
    }
}

private struct CaseContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let base: any Encoder

    var codingPath: [any CodingKey] { base.codingPath }

    mutating func nestedContainer<Label: CodingKey>(keyedBy type: Label.Type, forKey key: Key)
        -> KeyedEncodingContainer<Label>
    {
        var container = base.container(keyedBy: TagKey.self)
        // A string can always be encoded, and this requirement cannot throw.
        try? container.encode(SnakeCase.encode(key.stringValue), forKey: .type)
        return base.container(keyedBy: Label.self)
    }

    // The compiler's code for an enumeration calls nothing of what follows.

    mutating func encodeNil(forKey key: Key) throws { throw misuse(key) }
    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw misuse(key) }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { base.unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { base }
    mutating func superEncoder(forKey key: Key) -> any Encoder { base }

    private func misuse(_ key: Key) -> EncodingError {
        .invalidValue(key, .init(codingPath: codingPath, debugDescription: "only enumerations are tagged"))
    }
}

/// An enumeration that is one flat object wherever it is a part of something. The compiler's own code calls the overloads
/// below, because they are the more special ones.
package protocol Tagged: Codable {}

extension KeyedEncodingContainer {
    mutating func encode<Value: Tagged>(_ value: Value, forKey key: Key) throws {
        try value.encode(to: TaggedEncoder(superEncoder(forKey: key)))
    }

    mutating func encode<Value: Tagged>(_ values: [Value], forKey key: Key) throws {
        var list = nestedUnkeyedContainer(forKey: key)
        for value in values { try value.encode(to: TaggedEncoder(list.superEncoder())) }
    }

    mutating func encodeIfPresent<Value: Tagged>(_ values: [Value]?, forKey key: Key) throws {
        if let values { try encode(values, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    func decode<Value: Tagged>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let tagged = try TaggedDecoder(superDecoder(forKey: key))
        guard let value = try tagged.decodeIfKnown(type) else { throw tagged.unknown() }
        return value
    }

    func decode<Value: Tagged>(_ type: [Value].Type, forKey key: Key) throws -> [Value] {
        var list = try nestedUnkeyedContainer(forKey: key)
        var values: [Value] = []
        while !list.isAtEnd {
            let tagged = try TaggedDecoder(list.superDecoder())
            guard let value = try tagged.decodeIfKnown(Value.self) else { throw tagged.unknown() }
            values.append(value)
        }
        return values
    }

    func decodeIfPresent<Value: Tagged>(_ type: [Value].Type, forKey key: Key) throws -> [Value]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }
}

/// `sendText` in Swift is `send_text` in JSON.
enum SnakeCase {
    static func encode(_ name: String) -> String {
        var result = ""
        for character in name {
            if character.isUppercase { result.append("_") }
            result.append(contentsOf: character.lowercased())
        }
        return result
    }

    static func decode(_ name: String) -> String {
        var result = ""
        var raise = false
        for character in name {
            if character == "_" {
                raise = true
            } else {
                result.append(contentsOf: raise ? character.uppercased() : String(character))
                raise = false
            }
        }
        return result
    }
}
