import CRDTBridge
import RichText

extension CRDTBridge {
    /// Several calls without a hop between them.
    func together<Value: Sendable>(_ body: @Sendable (isolated CRDTBridge) throws -> Value) throws -> Value {
        try body(self)
    }
}

extension [UInt8] {
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

/// A number as lib0 writes it.
func varint(_ value: Int) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
}

func paragraph(_ runs: RichText.Run...) -> RichText.Node {
    .element(.init("paragraph", [:], runs.isEmpty ? [] : [.text(runs)]))
}

/// The same random numbers for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<Swift.max(1, bound), using: &self) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
