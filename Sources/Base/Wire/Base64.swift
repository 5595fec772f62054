/// Base64 with the plain alphabet and with padding (RFC 4648, section 4).
public enum Base64 {
    public static func encode(_ bytes: some Collection<UInt8>) -> String {
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

    /// The bytes of `text`. Each byte string has exactly one accepted spelling, so there are no line breaks and no stray bits.
    public static func decode(_ text: some StringProtocol) throws(WireError) -> [UInt8] {
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
            // Characters of the other alphabet have no place in this one.
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
            default: byte
            }
        }
        return try Base64URL.decode(String(decoding: spelling, as: UTF8.self))
    }
}
