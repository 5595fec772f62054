/// Holds acknowledgements back until the end of the round of events: one for a burst of packets instead of one for
/// every second packet.
///
/// A SACK contains everything that earlier ones said (RFC 9260 section 3.3.4), so the latest is enough. Each one less
/// saves an encryption, part of a system call, and work of the peer.
struct SACKHolder {
    private static let chunkType: UInt8 = 3
    private static let headerCount = 12
    private var held: [UInt8] = []

    /// Whether the packet begins with a SACK, and whether it contains nothing else.
    private static func look(_ packet: UnsafeRawBufferPointer) -> (begins: Bool, isAll: Bool) {
        guard packet.count >= headerCount + 4, packet[headerCount] == chunkType else { return (false, false) }
        let count = Int(packet[headerCount + 2]) << 8 | Int(packet[headerCount + 3])
        return (true, headerCount + (count + 3) & ~3 == packet.count)
    }

    /// Takes one outgoing packet; calls `send` for packets to send now.
    mutating func pass(_ packet: UnsafeRawBufferPointer, _ send: (UnsafeRawBufferPointer) -> Void) {
        let (begins, isAll) = Self.look(packet)
        if isAll {
            held.removeAll(keepingCapacity: true)
            held.append(contentsOf: packet)
            return
        }
        // A packet with a newer SACK replaces the waiting one.
        if begins { held.removeAll(keepingCapacity: true) } else { flush(send) }
        send(packet)
    }

    /// Sends what waits.
    mutating func flush(_ send: (UnsafeRawBufferPointer) -> Void) {
        if held.isEmpty { return }
        held.withUnsafeBytes(send)
        held.removeAll(keepingCapacity: true)
    }
}
