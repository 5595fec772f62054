@testable import SCTP

/// One end of an association that a test plays by hand: it makes packets chunk by chunk and takes those of the other end
/// apart.
struct ScriptedPeer {
    var tag: UInt32 = 0x1111_2222
    var initialTSN: UInt32 = 1000
    /// The tag of the association under test, from its INIT or INIT ACK.
    var otherTag: UInt32 = 0
    var otherTSN: UInt32 = 0

    struct Chunk: Equatable {
        var type: UInt16
        var flags: UInt8
        var body: [UInt8]
    }

    static func packet(tag: UInt32, _ chunks: [[UInt8]], source: UInt16 = 5000, checksum: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(source)
        bytes.put(UInt16(5000))
        bytes.put(tag)
        bytes.put(UInt32(0))
        for chunk in chunks { bytes += chunk }
        if checksum {
            var sum: [UInt8] = []
            sum.put(bytes.withUnsafeBytes { CRC32C.checksum(ofPacket: $0) })
            bytes.replaceSubrange(8..<12, with: sum)
        }
        return bytes
    }

    static func tag(of packet: [UInt8]) -> UInt32 { packet[4..<8].reduce(0) { $0 << 8 | UInt32($1) } }

    static func chunks(_ packet: [UInt8]) -> [Chunk] {
        var chunks: [Chunk] = []
        let span = packet.span.bytes
        var walk = ElementWalk(packet: span)
        while let chunk = walk.next(in: span) {
            chunks.append(Chunk(type: chunk.type, flags: chunk.flags, body: span.array(chunk.body)))
        }
        return chunks
    }

    /// The parameters of the INIT or INIT ACK that a packet begins with.
    static func parameters(_ packet: [UInt8]) -> [(type: UInt16, body: [UInt8])] {
        var found: [(UInt16, [UInt8])] = []
        let span = packet.span.bytes
        var walk = ElementWalk(packet: span)
        guard let chunk = walk.next(in: span) else { return [] }
        var parameters = ElementWalk(parametersIn: chunk.body.lowerBound + 16..<chunk.body.upperBound)
        while let parameter = parameters.next(in: span) { found.append((parameter.type, span.array(parameter.body))) }
        return found
    }

    func packet(_ chunks: [UInt8]...) -> [UInt8] { Self.packet(tag: otherTag, chunks) }

    func initiation(
        _ type: UInt16 = ChunkType.initiation, streams: UInt16 = 100, window: UInt32 = 1 << 20,
        abilities: Abilities = [.partialReliability, .reconfiguration], cookie: [UInt8]? = nil
    ) -> [UInt8] {
        InitChunk.bytes(
            type,
            PeerParameters(
                tag: tag, window: window, outgoingStreams: streams, incomingStreams: streams, initialTSN: initialTSN,
                abilities: abilities),
            cookie: cookie)
    }

    static func data(
        _ tsn: UInt32, stream: UInt16 = 0, number: UInt16 = 0, flags: UInt8 = 3, _ bytes: [UInt8] = [1, 2, 3, 4]
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.put(tsn)
        body.put(stream)
        body.put(number)
        body.put(UInt32(53))
        return .chunk(ChunkType.data, flags: flags, body + bytes)
    }

    static func acknowledgement(
        _ cumulative: UInt32, window: UInt32 = 1 << 20, gaps: [(UInt16, UInt16)] = [], duplicates: [UInt32] = []
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.put(cumulative)
        body.put(window)
        body.put(UInt16(gaps.count))
        body.put(UInt16(duplicates.count))
        for gap in gaps {
            body.put(gap.0)
            body.put(gap.1)
        }
        for tsn in duplicates { body.put(tsn) }
        return .chunk(ChunkType.selectiveAcknowledgement, body)
    }

    /// Takes the association under test to `established`; the association begins.
    mutating func accept(
        _ peer: TestPeer, roundTrip: Nanoseconds = 0, window: UInt32 = 1 << 20,
        abilities: Abilities = [.partialReliability, .reconfiguration]
    ) {
        peer.association.connect(now: 0)
        note(peer.transmit(0)[0])
        peer.receive(
            packet(
                initiation(
                    ChunkType.initiationAcknowledgement, window: window, abilities: abilities, cookie: [1, 2, 3, 4])),
            roundTrip)
        _ = peer.transmit(roundTrip)
        peer.receive(packet(.chunk(ChunkType.cookieAcknowledgement)), 2 * roundTrip)
        peer.take()
    }

    /// Reads tag and TSN of an INIT or INIT ACK.
    mutating func note(_ packet: [UInt8]) {
        let body = Self.chunks(packet)[0].body
        otherTag = body[0..<4].reduce(0) { $0 << 8 | UInt32($1) }
        otherTSN = body[12..<16].reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ScriptedPeer.Chunk {
    func uint32(_ offset: Int) -> UInt32 { body[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    func uint16(_ offset: Int) -> UInt16 { body[offset..<offset + 2].reduce(0) { $0 << 8 | UInt16($1) } }
}

extension [[UInt8]] {
    /// All chunks of packets.
    var chunks: [ScriptedPeer.Chunk] { flatMap(ScriptedPeer.chunks) }
    /// Their types.
    var types: [UInt16] { chunks.map(\.type) }
}
