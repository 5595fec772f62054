// The end in order (RFC 9260 section 9.2).
extension Association {
    /// Ends the association in order: what was sent before is delivered first. The event that it is over comes when the
    /// peer has agreed.
    public mutating func shutdown(now: Nanoseconds) {
        self.now = max(self.now, now)
        switch phase {
        case .idle, .cookieWait, .cookieEchoed:
            sendAbort(cause: .cause(ErrorCause.userAbort))
            close(.abortedHere)
        case .established:
            phase = .shutdownPending
            timers.heartbeat = .max
            finishShutdownIfDrained()
        case .shutdownPending, .shutdownSent, .shutdownReceived, .shutdownAcknowledgementSent, .closed: break
        }
    }

    /// Goes on once everything is acknowledged.
    mutating func finishShutdownIfDrained() {
        guard phase == .shutdownPending || phase == .shutdownReceived, sending.chunks.isEmpty, outgoing.unsent == 0
        else { return }
        phase = phase == .shutdownPending ? .shutdownSent : .shutdownAcknowledgementSent
        handshake.attempts = 0
        handshake.timeout = roundTrip.timeout
        sendShutdown()
    }

    private mutating func sendShutdown() {
        handshake.attempts += 1
        timers.handshake = now + handshake.timeout
        if phase == .shutdownSent {
            var body: [UInt8] = []
            body.put(receiving.tsns.cumulative)
            output.add(control: .chunk(ChunkType.shutdown, body))
        } else {
            output.add(control: .chunk(ChunkType.shutdownAcknowledgement))
        }
    }

    /// T2 has fired.
    mutating func repeatShutdown() {
        guard phase == .shutdownSent || phase == .shutdownAcknowledgementSent else { return }
        guard handshake.attempts < 10 else {
            sendAbort(cause: .cause(ErrorCause.userAbort))
            return close(.peerGone)
        }
        handshake.timeout = min(2 * handshake.timeout, configuration.maximumTimeout)
        sendShutdown()
    }

    mutating func receivedShutdown(_ chunk: Element, _ packet: RawSpan) {
        guard chunk.body.count >= 4 else { return }
        switch phase {
        case .established, .shutdownPending:
            phase = .shutdownReceived
            timers.heartbeat = .max
            acknowledgeByShutdown(packet.uint32(chunk.body.lowerBound))
        case .shutdownReceived: acknowledgeByShutdown(packet.uint32(chunk.body.lowerBound))
        case .shutdownSent:
            // Both at once: each answers the other.
            phase = .shutdownAcknowledgementSent
            sendShutdown()
        case .shutdownAcknowledgementSent: sendShutdown()
        case .idle, .cookieWait, .cookieEchoed, .closed: break
        }
    }

    /// SHUTDOWN carries a cumulative acknowledgement.
    private mutating func acknowledgeByShutdown(_ cumulative: UInt32) {
        let first = sending.chunks.first
        guard !cumulative.isBefore(first &- 1) else { return }
        guard cumulative.isBefore(sending.chunks.end) else { return fail("an acknowledgement of what was never sent") }
        sending.chunks.acknowledge(upTo: cumulative) { _, _ in }
        restartLossTimers()
        finishShutdownIfDrained()
    }

    mutating func receivedShutdownAcknowledgement() {
        switch phase {
        case .shutdownSent, .shutdownAcknowledgementSent:
            output.add(
                packet: Output.Packet(tag: peer?.tag ?? 0, chunks: .chunk(ChunkType.shutdownComplete)))
            close(.shutdown)
        case .cookieWait, .cookieEchoed:
            // The peer still ends an older association (section 8.5.1 E).
            output.add(
                packet: Output.Packet(
                    tag: own.tag, chunks: .chunk(ChunkType.shutdownComplete, flags: ChunkFlag.reflectedTag)))
        default: break
        }
    }

    mutating func receivedShutdownComplete() {
        guard phase == .shutdownAcknowledgementSent else { return }
        close(.shutdown)
    }
}
