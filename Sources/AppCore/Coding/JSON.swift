#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one form in which actions, effects, records, trees and states leave the core: UTF-8 JSON with snake_case keys in
/// sorted order, so that equal values are equal bytes.
public enum JSON {
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        try JSONWriter.encode(value)
    }

    /// - Throws: `DecodingError` for anything that is not such a value. Unknown keys are ignored.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(bytes))
    }
}
