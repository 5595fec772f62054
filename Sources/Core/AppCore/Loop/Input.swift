/// Everything the core learns in one step: what happened, when, and the randomness it may use.
///
/// A recorded list of inputs replays to the same states, byte for byte.
package struct Input: Sendable, Hashable, Codable {
    /// The host's clock when it happened.
    package var at: Timestamp
    /// Fresh ids for whatever the action makes.
    package var fresh: Fresh
    /// The view in which the person acts; `nil` for the main one, and for events.
    package var view: ViewID?
    package var action: Action

    package init(at: Timestamp, fresh: Fresh, view: ViewID? = nil, action: Action) {
        self.at = at
        self.fresh = fresh
        self.view = view
        self.action = action
    }
}

/// Two unrelated random ids of 128 bits, as 32 lowercase hexadecimal digits each.
///
/// A new room takes `first` as its ``RoomID`` and `second` as its ``DeviceID``; a new message takes `first` as its
/// ``MessageID``. The host makes new ones for every input, from a secure random source.
package struct Fresh: Sendable, Hashable {
    package let first: String
    package let second: String

    /// Makes the two ids from 32 random bytes, given as four numbers.
    package init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        first = Self.hexadecimal(a, b)
        second = Self.hexadecimal(c, d)
    }

    /// Draws from `generator`: `SystemRandomNumberGenerator` in a host, a seeded one in tests and simulations.
    package init(using generator: inout some RandomNumberGenerator) {
        self.init(generator.next(), generator.next(), generator.next(), generator.next())
    }

    /// A number from a range, the same for the same input; for a choice that no attacker gains from.
    func number(in range: ClosedRange<Int64>) -> Int64 {
        let digits = UInt64(second.prefix(8), radix: 16) ?? 0
        return range.lowerBound + Int64(digits % UInt64(range.count))
    }

    private static func hexadecimal(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 32) { digits in
            for place in 0..<32 {
                let number = place < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: number >> (60 - 4 * UInt64(place % 16))) & 15
                digits[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 32
        }
    }
}

extension Fresh: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else {
            throw DecodingError.unfit(
                decoder, "fresh is 64 lowercase hexadecimal digits")
        }
        first = String(text.prefix(32))
        second = String(text.suffix(32))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(first + second)
    }
}
