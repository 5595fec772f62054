/// The numbers of the wire are big-endian. The caller has checked that they are there: reading beyond the end traps.
extension RawSpan {
    @inline(__always) func byte(_ offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    @inline(__always) func uint16(_ offset: Int) -> UInt16 {
        UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always) func uint32(_ offset: Int) -> UInt32 {
        UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    func uint64(_ offset: Int) -> UInt64 { UInt64(uint32(offset)) << 32 | UInt64(uint32(offset + 4)) }

    func array(_ range: Range<Int>) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        return extracting(range).withUnsafeBytes { Array($0) }
    }
}

/// The place of one chunk, or one parameter of a chunk, within a packet.
struct Element {
    /// The type of a chunk (one byte) or a parameter (two).
    var type: UInt16
    /// Only of chunks.
    var flags: UInt8
    /// Where the header begins.
    var start: Int
    /// What follows the header of four bytes, without padding.
    var body: Range<Int>

    var whole: Range<Int> { start..<body.upperBound }
}

/// Walks over the chunks of a packet, or over the parameters of a chunk.
struct ElementWalk {
    private var offset: Int
    private let end: Int
    private let isChunks: Bool
    /// Whether a length did not fit; the walk ends there.
    private(set) var isMalformed = false

    /// The chunks of a packet.
    init(packet: RawSpan) {
        (offset, end, isChunks) = (PacketHeader.count, packet.byteCount, true)
    }

    /// The parameters in a part of a packet.
    init(parametersIn range: Range<Int>) {
        (offset, end, isChunks) = (range.lowerBound, range.upperBound, false)
    }

    mutating func next(in packet: RawSpan) -> Element? {
        guard offset < end, !isMalformed else { return nil }
        guard end - offset >= 4 else {
            isMalformed = true
            return nil
        }
        let count = Int(packet.uint16(offset + 2))
        guard count >= 4, count <= end - offset else {
            isMalformed = true
            return nil
        }
        let start = offset
        // The last one may come without its padding.
        offset = min(end, offset + (count + 3) & ~3)
        return Element(
            type: isChunks ? UInt16(packet.byte(start)) : packet.uint16(start),
            flags: isChunks ? packet.byte(start + 1) : 0,
            start: start,
            body: start + 4..<start + count)
    }
}

/// The common header of a packet (RFC 9260 section 3.1).
struct PacketHeader {
    static let count = 12

    var sourcePort: UInt16
    var destinationPort: UInt16
    var tag: UInt32
    var checksum: UInt32

    /// `nil` if the packet is too short.
    init?(_ packet: RawSpan) {
        guard packet.byteCount >= Self.count else { return nil }
        sourcePort = packet.uint16(0)
        destinationPort = packet.uint16(2)
        tag = packet.uint32(4)
        checksum = packet.uint32(8)
    }
}

extension PacketHeader {
    init(from sourcePort: UInt16, to destinationPort: UInt16, tag: UInt32) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.tag = tag
        checksum = 0
    }
}
