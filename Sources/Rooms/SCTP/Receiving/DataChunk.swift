/// The header of a DATA (RFC 9260 section 3.3.1) or I-DATA chunk (RFC 8260 section 2.1), and where its bytes lie.
struct DataChunk {
    var tsn: UInt32
    var stream: UInt16
    var flags: UInt8
    /// SSN or MID.
    var number: UInt32
    /// Only of the first piece in I-DATA.
    var identifier: UInt32
    /// FSN; only in I-DATA.
    var fragment: UInt32
    var bytes: Range<Int>

    /// Bytes of the headers, with that of the chunk.
    static let headerCount = 16
    static let interleavedHeaderCount = 20

    var isBeginning: Bool { flags & ChunkFlag.beginning != 0 }
    var isEnd: Bool { flags & ChunkFlag.ending != 0 }
    var isOrdered: Bool { flags & ChunkFlag.unordered == 0 }
    var isWhole: Bool { isBeginning && isEnd }
}

extension DataChunk {
    /// `nil` if it is too short for its header.
    init?(_ packet: RawSpan, _ chunk: Element, isInterleaved: Bool) {
        let start = chunk.body.lowerBound
        let count = isInterleaved ? Self.interleavedHeaderCount - 4 : Self.headerCount - 4
        guard chunk.body.count >= count else { return nil }
        tsn = packet.uint32(start)
        stream = packet.uint16(start + 4)
        flags = chunk.flags
        if isInterleaved {
            number = packet.uint32(start + 8)
            let word = packet.uint32(start + 12)
            (identifier, fragment) = flags & ChunkFlag.beginning != 0 ? (word, 0) : (0, word)
        } else {
            number = UInt32(packet.uint16(start + 6))
            (identifier, fragment) = (packet.uint32(start + 8), 0)
        }
        bytes = start + count..<chunk.body.upperBound
    }
}
