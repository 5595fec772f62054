/// Base32 in lower case and without padding (RFC 4648, section 6): for names that must survive changes of case and
/// restricted character sets.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package static func encode(_ bytes: some Collection<UInt8>) -> String { digits(bytes, bits: 5, alphabet) }
}

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let invalid: UInt8 = 0xff
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
        return table
    }()

    package static func encode(_ bytes: some Collection<UInt8>) -> String { digits(bytes, bits: 6, alphabet) }

    /// The bytes of `text`. Each byte string has exactly one accepted spelling: padding, foreign characters and
    /// stray bits at the end are refused.
    package static func decode(_ text: some StringProtocol) throws(WireError) -> [UInt8] {
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

/// Base64 with the plain alphabet and with padding (RFC 4648, section 4).
package enum Base64 {
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = Base64URL.encode(bytes).utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        return String(decoding: text + padding, as: UTF8.self)
    }

    /// The bytes of `text`. Each byte string has exactly one accepted spelling; line breaks and stray bits are refused.
    package static func decode(_ text: some StringProtocol) throws(WireError) -> [UInt8] {
        let bytes = Array(text.utf8)
        let content = bytes.prefix { $0 != UInt8(ascii: "=") }
        let padding = bytes.count - content.count
        guard bytes.count.isMultiple(of: 4), padding <= 2,
            bytes.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") })
        else { throw WireError(.malformed, "the base64 text is not padded to a multiple of four characters") }
        let spelling = content.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            // Characters of the URL-safe alphabet are refused.
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
            default: byte
            }
        }
        return try Base64URL.decode(String(decoding: spelling, as: UTF8.self))
    }
}

/// Encodes bytes as digits of `bits` bits each, without padding.
private func digits(_ bytes: some Collection<UInt8>, bits width: Int, _ alphabet: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 8 + width - 1) / width)
    let mask = (1 as UInt32) << UInt32(width) - 1
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
        // Only the lowest `bits` bits still matter, so older ones may be shifted out.
        pending = (pending << 8) | UInt32(byte)
        bits += 8
        while bits >= width {
            bits -= width
            text.append(alphabet[Int((pending >> UInt32(bits)) & mask)])
        }
    }
    if bits > 0 { text.append(alphabet[Int((pending << UInt32(width - bits)) & mask)]) }
    return String(decoding: text, as: UTF8.self)
}
