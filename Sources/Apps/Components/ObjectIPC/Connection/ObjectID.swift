/// The name of an exposed object on one connection: a random whole number below 2⁵³, in decimal.
struct ObjectID: Hashable {
    let number: UInt64

    static func random() -> ObjectID { ObjectID(number: UInt64.random(in: 1..<1 << 53)) }

    /// Nil unless the text is how such a number is written.
    init?(_ text: String) {
        guard (1...16).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0") else { return nil }
        var number: UInt64 = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + UInt64(byte - 0x30)
        }
        guard number < 1 << 53 else { return nil }
        self.number = number
    }

    private init(number: UInt64) { self.number = number }

    var text: String { String(number) }
}
