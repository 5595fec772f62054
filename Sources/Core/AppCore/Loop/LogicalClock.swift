/// Time and ids without a world: every input happens one millisecond after the last, and ids come from a seed.
///
/// Scenarios, the simulator and scripts use it where a real host uses its clock and its random source. The same actions
/// give the same inputs everywhere. The ids can be guessed by anybody, so a host with real people must not use it.
package struct LogicalClock: Sendable, Hashable, Codable {
    /// When the last input happened.
    package private(set) var now: Timestamp
    private var random: SplitMix64

    /// Where logical time begins: 2023-11-14, 22:13:20 UTC.
    package static let beginning = Timestamp(milliseconds: 1_700_000_000_000)

    package init(now: Timestamp = Self.beginning, seed: UInt64 = 0) {
        self.now = now
        random = SplitMix64(seed: seed)
    }

    /// The next moment, at which `action` happens.
    package mutating func input(_ action: Action, in view: ViewID? = nil) -> Input {
        advance(milliseconds: 1)
        return Input(at: now, fresh: Fresh(using: &random), view: view, action: action)
    }

    /// Lets time pass; time never goes back.
    package mutating func advance(milliseconds: Int64) { now = now.advanced(byMilliseconds: max(milliseconds, 0)) }

    /// Follows an input that brought its own time.
    package mutating func follow(_ input: Input) { now = max(now, input.at) }

    /// Reads a whole ``Input``, or a bare action, to which the clock adds `at` and `fresh`; of the view ``ViewID/main``.
    /// - Throws: `DecodingError` for anything else; the clock stays as it was.
    package mutating func read(_ json: some Sequence<UInt8>) throws -> Input {
        let read = try JSON.decode(Written.self, from: json)
        if let input = read.input {
            follow(input)
            return input
        }
        return input(read.action)
    }

    /// An input or an action, told apart by the key `action`, which no action has.
    private struct Written: Decodable {
        enum Key: CodingKey { case action }
        var input: Input?
        var action: Action

        init(from decoder: any Decoder) throws {
            let isInput = try decoder.container(keyedBy: Key.self).contains(.action)
            input = isInput ? try Input(from: decoder) : nil
            action = try input?.action ?? Action(from: decoder)
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed on every machine. Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable, Hashable, Codable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
