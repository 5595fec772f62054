#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one form in which actions, effects, records, trees and states leave the core: UTF-8 JSON with snake_case keys in
/// sorted order, so that equal values are equal bytes.
package enum JSON {
    /// - Throws: `EncodingError` for a number that JSON cannot express.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        try JSONWriter.encode(value)
    }

    /// Arrays and objects in each other. Decoding recurses with them, and a thread's stack has only a few megabytes.
    package static let depthLimit = 256

    /// - Throws: `DecodingError` for anything that is not such a value, and for JSON that is nested too deep. Unknown keys are ignored.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        let bytes = Array(bytes)
        guard depth(of: bytes) <= depthLimit else {
            throw DecodingError.unfit([], "it is nested too deep")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(bytes))
    }
}

extension JSON {
    /// How many arrays and objects are open at most, outside of strings. A bound on it bounds what a parser recurses.
    package static func depth(of bytes: [UInt8]) -> Int {
        var depth = 0
        var deepest = 0
        var isString = false
        var isEscaped = false
        for byte in bytes {
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}

/// A part of something saved that older versions did not know: when it is missing, it is empty.
protocol AddedLater: Codable { init() }

extension KeyedDecodingContainer {
    // The compiler's own `init(from:)` calls this overload, because it is the more special one.
    func decode<Value: AddedLater>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decodeIfPresent(type, forKey: key) ?? Value()
    }
}
