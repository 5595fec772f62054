/// Reads what ``TaggedEncoder`` writes.
package final class TaggedDecoder: Decoder {
    let base: any Decoder
    private let tag: String
    /// Whether the enumeration that was asked for has a case of this name.
    fileprivate(set) var isKnown = false

    package init(_ base: any Decoder) throws {
        self.base = base
        tag = SnakeCase.decode(try base.container(keyedBy: TagKey.self).decode(String.self, forKey: .type))
    }

    /// Decodes `type` if it has a case of this name; `nil` if not, so that the next enumeration can be tried.
    package func decodeIfKnown<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        isKnown = false
        do { return try Value(from: self) } catch {
            if isKnown { throw error }
            return nil
        }
    }

    /// The error for a name that no enumeration knows.
    package func unknown() -> DecodingError { .unfit(codingPath, "unknown type") }

    package var codingPath: [any CodingKey] { base.codingPath }
    package var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let key = Key(stringValue: tag)
        isKnown = key != nil
        return KeyedDecodingContainer(CaseContainer<Key>(base: base, key: key))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try base.unkeyedContainer() }
    package func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }
}

private struct CaseContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: any Decoder
    let key: Key?

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { key.map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool { key.stringValue == self.key?.stringValue }

    func nestedContainer<Label: CodingKey>(keyedBy type: Label.Type, forKey key: Key) throws -> KeyedDecodingContainer<
        Label
    > { try base.container(keyedBy: type) }

    // The compiler's code for an enumeration calls nothing of what follows.

    func decodeNil(forKey key: Key) throws -> Bool { throw misuse(key) }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw misuse(key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw misuse(key) }
    func superDecoder() throws -> any Decoder { base }
    func superDecoder(forKey key: Key) throws -> any Decoder { base }

    private func misuse(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "only enumerations are tagged"))
    }
}
