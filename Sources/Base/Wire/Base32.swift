/// Base32 in lower case and without padding (RFC 4648, section 6): for names that have to survive any handling.
public enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            // Only the lowest `bits` bits still matter, so the older ones may fall off the left edge.
            pending = (pending << 8) | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int((pending >> UInt32(bits)) & 0x1f)])
            }
        }
        if bits > 0 { text.append(alphabet[Int((pending << UInt32(5 - bits)) & 0x1f)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
