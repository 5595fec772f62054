/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let invalid: UInt8 = 0xff
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            // Only the lowest `bits` bits still matter, so the older ones may fall off the left edge.
            pending = (pending << 8) | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int((pending >> UInt32(bits)) & 0x3f)])
            }
        }
        if bits > 0 { text.append(alphabet[Int((pending << UInt32(6 - bits)) & 0x3f)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of `text`. Each byte string has exactly one accepted spelling: padding, foreign characters and
    /// stray bits at the end are refused.
    public static func decode(_ text: some StringProtocol) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var pending: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            guard value != invalid else { throw WireError(.malformed, "a character is not of the base64url alphabet") }
            pending = (pending << 6) | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        guard bits < 6, pending & ((1 << UInt32(bits)) - 1) == 0 else {
            throw WireError(.malformed, "the base64url text ends in the middle of a byte")
        }
        return bytes
    }
}
