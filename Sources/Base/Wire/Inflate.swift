/// Decompresses DEFLATE (RFC 1951) and gzip (RFC 1952), for bodies of those who compress what they send.
///
/// Total, and bounded: whatever the bytes, it gives at most as many as it is allowed to, or throws.
public enum Inflate {
    /// The content of one gzip member, which is all there is.
    /// - Parameter limit: bytes of the content.
    public static func gzip(_ bytes: [UInt8], atMost limit: Int) throws(WireError) -> [UInt8] {
        var header = ByteReader(bytes)
        guard try header.readBytes(3) == [0x1f, 0x8b, 8] else { throw malformed("these bytes are not gzip") }
        let flags = try header.readByte()
        guard flags & 0xe0 == 0 else { throw malformed("a gzip header has a flag that is not known") }
        try header.skip(6)
        if flags & 4 != 0 { try header.skip(Int(header.readInteger(UInt16.self).byteSwapped)) }
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            while try header.readByte() != 0 {}
        }
        if flags & 2 != 0 { try header.skip(2) }
        guard header.remaining >= 8 else { throw WireError(.truncated, "a gzip member has a checksum at its end") }
        let content = try raw(Array(header.readSlice(header.remaining - 8)), atMost: limit)
        let (checksum, count) = (try header.readInteger(UInt32.self).byteSwapped, try header.readInteger(UInt32.self))
        guard checksum == CRC32.of(content), count.byteSwapped == UInt32(truncatingIfNeeded: content.count) else {
            throw malformed("the checksum of a gzip member is wrong")
        }
        return content
    }

    /// The content of a DEFLATE stream, which is all there is.
    package static func raw(_ bytes: [UInt8], atMost limit: Int) throws(WireError) -> [UInt8] {
        var stream = InflateStream(bytes, limit: limit)
        while true {
            let isLast = try stream.bits(1) == 1
            switch try stream.bits(2) {
            case 0: try stream.stored()
            case 1: try stream.compressed(.fixedLiterals, .fixedDistances)
            case 2:
                let (literals, distances) = try stream.dynamicCodes()
                try stream.compressed(literals, distances)
            default: throw malformed("a DEFLATE block is of no known kind")
            }
            if isLast { return try stream.finish() }
        }
    }

    static func malformed(_ reason: String) -> WireError { WireError(.malformed, reason) }
}

/// The checksum of gzip (RFC 1952, section 8).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xffff_ffff) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
