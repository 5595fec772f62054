/// FNV-1a (64 bits): tells quickly whether two texts are the same. No protection against anybody.
struct Fingerprint: Hashable, CustomStringConvertible {
    private let value: UInt64

    init(of bytes: some Sequence<UInt8>) {
        value = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    var description: String {
        let digits = String(value, radix: 16)
        return "fnv1a64:" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
