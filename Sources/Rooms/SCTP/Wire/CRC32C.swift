/// The checksum of SCTP packets (RFC 9260 appendix A), eight bytes at a time.
enum CRC32C {
    /// Eight tables of 256 entries: what a byte adds that stands so many bytes before the end.
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables[byte] = value
        }
        for table in 1..<8 {
            for byte in 0..<256 {
                let before = tables[(table - 1) * 256 + byte]
                tables[table * 256 + byte] = before >> 8 ^ tables[Int(before & 0xFF)]
            }
        }
        return tables
    }()

    /// The checksum of a packet as it stands in its header, read as a big-endian number. The four bytes of the checksum
    /// itself count as zero.
    static func checksum(ofPacket packet: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { tables in
            var value: UInt32 = ~0
            for offset in 0..<min(packet.count, 8) { add(packet[offset], to: &value, tables) }
            for _ in 0..<4 { add(0, to: &value, tables) }
            var offset = 12
            while offset + 8 <= packet.count {
                let word = packet.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian ^ UInt64(value)
                value = 0
                for index in 0..<8 {
                    value ^= tables[(7 - index) * 256 + Int(word >> UInt64(8 * index) & 0xFF)]
                }
                offset += 8
            }
            while offset < packet.count {
                add(packet[offset], to: &value, tables)
                offset += 1
            }
            // The register goes out with its low byte first.
            return (~value).byteSwapped
        }
    }

    @inline(__always)
    private static func add(_ byte: UInt8, to value: inout UInt32, _ tables: UnsafeBufferPointer<UInt32>) {
        value = value >> 8 ^ tables[Int((value ^ UInt32(byte)) & 0xFF)]
    }
}
