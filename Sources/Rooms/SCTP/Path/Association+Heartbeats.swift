// Heartbeats (RFC 9260 section 8.3), and with them the search for the largest packet (RFC 8899).
extension Association {
    mutating func restartHeartbeat() {
        timers.heartbeat = configuration.heartbeatInterval > 0 ? now + configuration.heartbeatInterval : .max
    }

    /// Asks whether the peer is there, unless data does.
    mutating func sendHeartbeat() {
        restartHeartbeat()
        guard phase == .established, sending.chunks.isEmpty else { return }
        if path.unansweredHeartbeat { guard noteError() else { return } }
        path.unansweredHeartbeat = true
        output.add(control: .chunk(ChunkType.heartbeat, heartbeatInformation(size: 0)))
    }

    /// What the peer sends back: when it was sent, and the size of the packet.
    private func heartbeatInformation(size: Int) -> [UInt8] {
        var information: [UInt8] = []
        information.put(UInt64(bitPattern: now))
        information.put(UInt32(size))
        information.put(path.nonce)
        var body: [UInt8] = []
        body.put(parameter: ParameterType.heartbeatInformation, information)
        return body
    }

    /// Sends the information back as it came.
    mutating func receivedHeartbeat(_ chunk: Element, _ packet: RawSpan) {
        switch phase {
        case .idle, .cookieWait, .closed: return
        default: break
        }
        guard chunk.body.count <= 1024 else { return }
        output.add(control: .chunk(ChunkType.heartbeatAcknowledgement, packet.array(chunk.body)))
    }

    mutating func receivedHeartbeatAcknowledgement(_ chunk: Element, _ packet: RawSpan) {
        guard chunk.body.count >= 20, packet.uint16(chunk.body.lowerBound) == ParameterType.heartbeatInformation
        else { return }
        let start = chunk.body.lowerBound + 4
        let sent = Nanoseconds(bitPattern: packet.uint64(start))
        // Only what we sent lately comes back; anything else would fake a round trip.
        guard packet.uint32(start + 12) == path.nonce, sent <= now, sent > now - .seconds(60) else { return }
        sending.errors = 0
        path.unansweredHeartbeat = false
        let size = Int(packet.uint32(start + 8))
        if size == 0 {
            roundTrip.add(now - sent, now: now)
        } else if path.arrived(size, now) {
            congestion.setPacketSize(path.packetSize - PacketHeader.count)
        }
    }

    /// Writes a packet of the size that is to be tried: HEARTBEAT and PAD (RFC 8899 section 6.2.2, RFC 4820).
    mutating func writePathProbe(into batch: inout PacketBatch) -> Bool {
        let size = path.candidate
        guard phase == .established, batch.begin(size: size) else { return false }
        batch.put(PacketHeader(from: configuration.localPort, to: configuration.remotePort, tag: peer?.tag ?? 0))
        batch.put([UInt8].chunk(ChunkType.heartbeat, heartbeatInformation(size: size)))
        let padding = batch.room
        batch.put(UInt8(truncatingIfNeeded: ChunkType.padding))
        batch.put(UInt8(0))
        batch.put(UInt16(padding))
        batch.put(zeros: padding - 4)
        batch.finish(checksum: !abilities.contains(.zeroChecksum))
        counters.packetsSent += 1
        path.sent(now, timeout: max(roundTrip.timeout, .milliseconds(500)))
        return true
    }
}
