// Packets of the peer.
extension Association {
    /// Takes one SCTP packet that DTLS decrypted. What does not belong to the association is dropped and counted, see
    /// ``Statistics/packetsRejected``.
    public mutating func receive(_ packet: RawSpan, now: Nanoseconds) {
        self.now = max(self.now, now)
        counters.packetsReceived += 1
        guard let header = PacketHeader(packet), header.sourcePort == configuration.remotePort,
            header.destinationPort == configuration.localPort, isIntact(packet, header)
        else { return reject() }
        var walk = ElementWalk(packet: packet)
        guard let first = walk.next(in: packet) else { return reject() }
        guard phase != .closed else { return answerAfterEnd(first, header) }
        switch first.type {
        case ChunkType.initiation:
            // It stands alone in a packet with tag 0 (section 8.5.1).
            guard header.tag == 0, first.start + first.body.count + 4 + 3 >= packet.byteCount else { return reject() }
            return receivedInit(first, packet)
        case ChunkType.cookieEcho:
            guard receivedCookieEcho(first, packet, tag: header.tag) else { return }
        case ChunkType.abort, ChunkType.shutdownComplete:
            let isReflected = first.flags & ChunkFlag.reflectedTag != 0
            guard header.tag == (isReflected ? peer?.tag ?? 0 : own.tag) else { return reject() }
            if first.type == ChunkType.abort { receivedAbort(first, packet) } else { receivedShutdownComplete() }
            return
        default:
            guard header.tag == own.tag, phase != .idle else { return reject() }
            guard receive(first, packet) else { return }
        }
        while phase != .closed, let chunk = walk.next(in: packet) {
            guard receive(chunk, packet) else { break }
        }
        if phase != .closed { endPacket() }
    }

    private mutating func reject() { counters.packetsRejected += 1 }

    /// A checksum of zero is fine if we said so (RFC 9653): DTLS has checked the packet.
    private func isIntact(_ packet: RawSpan, _ header: PacketHeader) -> Bool {
        if header.checksum == 0, own.abilities.contains(.zeroChecksum) { return true }
        return packet.withUnsafeBytes { CRC32C.checksum(ofPacket: $0) } == header.checksum
    }

    /// `false` if the rest of the packet is not to be read.
    private mutating func receive(_ chunk: Element, _ packet: RawSpan) -> Bool {
        switch chunk.type {
        case ChunkType.data: receivedData(chunk, packet, isInterleaved: false)
        case ChunkType.interleavedData: receivedData(chunk, packet, isInterleaved: true)
        case ChunkType.selectiveAcknowledgement: receivedAcknowledgement(chunk, packet)
        case ChunkType.initiationAcknowledgement: receivedInitAcknowledgement(chunk, packet)
        case ChunkType.cookieAcknowledgement: receivedCookieAcknowledgement()
        case ChunkType.heartbeat: receivedHeartbeat(chunk, packet)
        case ChunkType.heartbeatAcknowledgement: receivedHeartbeatAcknowledgement(chunk, packet)
        case ChunkType.forwardTSN: receivedForward(chunk, packet, isInterleaved: false)
        case ChunkType.interleavedForwardTSN: receivedForward(chunk, packet, isInterleaved: true)
        case ChunkType.reconfiguration: receivedReconfiguration(chunk, packet)
        case ChunkType.shutdown: receivedShutdown(chunk, packet)
        case ChunkType.shutdownAcknowledgement: receivedShutdownAcknowledgement()
        case ChunkType.error: receivedError(chunk, packet)
        case ChunkType.abort: receivedAbort(chunk, packet)
        // These stand first in a packet.
        case ChunkType.initiation, ChunkType.cookieEcho, ChunkType.shutdownComplete: return false
        case ChunkType.padding: break
        default: return receivedUnknown(chunk, packet)
        }
        return phase != .closed
    }

    private mutating func receivedUnknown(_ chunk: Element, _ packet: RawSpan) -> Bool {
        let rule = UnknownRule(chunk: chunk.type)
        if rule.reports {
            let reported = chunk.start..<min(chunk.whole.upperBound, chunk.start + 256)
            let cause: [UInt8] = .cause(ErrorCause.unrecognizedChunk, packet.array(reported))
            output.add(control: .chunk(ChunkType.error, cause))
        }
        return rule.goesOn
    }

    private mutating func receivedError(_ chunk: Element, _ packet: RawSpan) {
        var walk = ElementWalk(parametersIn: chunk.body)
        while let cause = walk.next(in: packet) {
            if cause.type == ErrorCause.staleCookie { receivedStaleCookie() }
        }
    }

    private mutating func receivedAbort(_ chunk: Element, _ packet: RawSpan) {
        var walk = ElementWalk(parametersIn: chunk.body)
        let cause = walk.next(in: packet)
        var text = ""
        if let cause, cause.type == ErrorCause.userAbort || cause.type == ErrorCause.protocolViolation {
            let end = min(cause.body.upperBound, cause.body.lowerBound + 256)
            text = String(decoding: packet.array(cause.body.lowerBound..<end), as: UTF8.self)
        }
        close(.abortedByPeer(cause: cause?.type, text: text))
    }

    /// Tells a peer that goes on that the association is over (section 8.4).
    private mutating func answerAfterEnd(_ first: Element, _ header: PacketHeader) {
        switch first.type {
        case ChunkType.abort, ChunkType.shutdownComplete, ChunkType.initiation, ChunkType.cookieAcknowledgement,
            ChunkType.error:
            break
        case ChunkType.shutdownAcknowledgement:
            output.add(
                packet: Output.Packet(
                    tag: header.tag,
                    chunks: .chunk(ChunkType.shutdownComplete, flags: ChunkFlag.reflectedTag)))
        default:
            output.add(
                packet: Output.Packet(
                    tag: header.tag, chunks: .chunk(ChunkType.abort, flags: ChunkFlag.reflectedTag)))
        }
    }

    mutating func sendAbort(cause: [UInt8], tag: UInt32? = nil) {
        // Without a tag of the peer there is nobody to tell.
        guard let tag = tag ?? peer?.tag else { return }
        output.add(packet: Output.Packet(tag: tag, chunks: .chunk(ChunkType.abort, cause)))
    }
}
