/// What the association would have to remember between INIT ACK and COOKIE ECHO, given to the peer to bring back, with a
/// message authentication code (RFC 9260 section 5.1.3). So an INIT costs no memory.
struct StateCookie: Equatable {
    var createdAt: Nanoseconds
    var localTag: UInt32
    var peerTag: UInt32
    var localTSN: UInt32
    var peer: PeerParameters
    /// The tags of an association that existed when the INIT came; 0 for none (section 5.2.2).
    var tieLocalTag: UInt32 = 0
    var tiePeerTag: UInt32 = 0

    static let count = 48 + 32

    func bytes(key: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(UInt64(bitPattern: createdAt))
        for number in [localTag, peerTag, localTSN, peer.initialTSN, peer.window] { bytes.put(number) }
        bytes.put(peer.outgoingStreams)
        bytes.put(peer.incomingStreams)
        bytes.put(UInt32(peer.abilities.rawValue))
        bytes.put(tieLocalTag)
        bytes.put(tiePeerTag)
        bytes.put(UInt32(0))
        return bytes + SHA256.authenticate(bytes, key: key)
    }

    /// `nil` if it is not one that `bytes(key:)` made with this key.
    init?(_ packet: RawSpan, _ range: Range<Int>, key: [UInt8]) {
        guard range.count == Self.count else { return nil }
        let start = range.lowerBound
        let expected = SHA256.authenticate(packet.array(start..<start + 48), key: key)
        var difference: UInt8 = 0
        // In constant time, so that nobody can search for a code byte by byte.
        for index in 0..<32 { difference |= packet.byte(start + 48 + index) ^ expected[index] }
        guard difference == 0 else { return nil }
        createdAt = Nanoseconds(bitPattern: packet.uint64(start))
        localTag = packet.uint32(start + 8)
        peerTag = packet.uint32(start + 12)
        localTSN = packet.uint32(start + 16)
        peer = PeerParameters(
            tag: peerTag,
            window: packet.uint32(start + 24),
            outgoingStreams: packet.uint16(start + 28),
            incomingStreams: packet.uint16(start + 30),
            initialTSN: packet.uint32(start + 20),
            abilities: Abilities(rawValue: UInt8(truncatingIfNeeded: packet.uint32(start + 32))))
        tieLocalTag = packet.uint32(start + 36)
        tiePeerTag = packet.uint32(start + 40)
    }

    init(createdAt: Nanoseconds, localTag: UInt32, localTSN: UInt32, peer: PeerParameters) {
        self.createdAt = createdAt
        self.localTag = localTag
        self.peerTag = peer.tag
        self.localTSN = localTSN
        self.peer = peer
    }
}

/// What a side can do beyond RFC 9260.
struct Abilities: OptionSet, Hashable {
    let rawValue: UInt8

    /// FORWARD TSN (RFC 3758).
    static let partialReliability = Abilities(rawValue: 1)
    /// I-DATA (RFC 8260).
    static let interleaving = Abilities(rawValue: 2)
    /// RE-CONFIG (RFC 6525).
    static let reconfiguration = Abilities(rawValue: 4)
    /// Packets without checksum are fine over DTLS (RFC 9653).
    static let zeroChecksum = Abilities(rawValue: 8)
}

/// What INIT or INIT ACK said.
struct PeerParameters: Equatable {
    var tag: UInt32
    var window: UInt32
    var outgoingStreams: UInt16
    var incomingStreams: UInt16
    var initialTSN: UInt32
    var abilities: Abilities
}
