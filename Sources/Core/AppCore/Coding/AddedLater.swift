/// A part of something saved that older versions did not know: when it is missing, it is empty.
protocol AddedLater: Codable { init() }

extension KeyedDecodingContainer {
    // The compiler's own `init(from:)` calls this overload, because it is the more special one.
    func decode<Value: AddedLater>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decodeIfPresent(type, forKey: key) ?? Value()
    }
}
