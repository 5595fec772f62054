// COOKIE ECHO, with all that may have happened in between (RFC 9260 sections 5.1.5 and 5.2.4).
extension Association {
    /// Whether the rest of the packet belongs to the association.
    mutating func receivedCookieEcho(_ chunk: Element, _ packet: RawSpan, tag: UInt32) -> Bool {
        guard phase != .closed, let cookie = StateCookie(packet, chunk.body, key: cookieKey), cookie.localTag == tag
        else { return false }
        let age = now - cookie.createdAt
        let isKnown = cookie.localTag == own.tag && cookie.peerTag == peer?.tag
        guard age <= configuration.cookieLifetime || isKnown else {
            var body: [UInt8] = []
            body.put(UInt32(clamping: (age - configuration.cookieLifetime) / 1000))
            let error: [UInt8] = .chunk(ChunkType.error, .cause(ErrorCause.staleCookie, body))
            output.add(packet: Output.Packet(tag: cookie.peerTag, chunks: error))
            return false
        }
        guard phase != .idle else {
            accept(cookie)
            return true
        }
        return collide(cookie)
    }

    /// The table of section 5.2.4.
    private mutating func collide(_ cookie: StateCookie) -> Bool {
        let isLocal = cookie.localTag == own.tag
        let isPeer = cookie.peerTag == peer?.tag
        let isTied = cookie.tieLocalTag == own.tag && cookie.tiePeerTag == peer?.tag
        switch (isLocal, isPeer) {
        case (false, false) where isTied && phase != .cookieWait:
            return restart(cookie)
        case (true, false) where phase == .cookieWait || phase == .cookieEchoed:
            // Action B: both sides began at once, and the peer's INIT was not the one that we knew.
            accept(cookie)
            return true
        case (true, true):
            // Action D: the same association, perhaps because COOKIE ACK was lost.
            establish()
            output.add(control: .chunk(ChunkType.cookieAcknowledgement))
            return true
        // Action C, and what belongs to nothing.
        default: return false
        }
    }

    private mutating func accept(_ cookie: StateCookie) {
        own.tag = cookie.localTag
        own.initialTSN = cookie.localTSN
        if sending.chunks.isEmpty { sending.chunks = SentChunks(first: cookie.localTSN) }
        begin(cookie.peer)
        establish()
        output.add(control: .chunk(ChunkType.cookieAcknowledgement))
    }

    /// Action A: the peer lost its state and began anew.
    private mutating func restart(_ cookie: StateCookie) -> Bool {
        guard phase != .shutdownAcknowledgementSent else {
            output.add(control: .chunk(ChunkType.shutdownAcknowledgement))
            output.add(control: .chunk(ChunkType.error, .cause(ErrorCause.cookieWhileShuttingDown)))
            return false
        }
        own.tag = cookie.localTag
        own.initialTSN = cookie.localTSN
        outgoing = OutgoingStreams()
        sending = Sending(firstTSN: cookie.localTSN)
        receiving = Receiving(
            firstTSN: cookie.peer.initialTSN, configuration, isInterleaved: false, keeping: receiving.streams)
        congestion = Self.makeCongestionControl(configuration, seed: random.next())
        roundTrip = RoundTrip(configuration)
        pacer = Pacer(quantum: configuration.pacingQuantum)
        path = PathSearch(configuration)
        output.control = []
        timers = Timers()
        begin(cookie.peer)
        phase = .established
        path.start(now, nonce: random.next())
        restartHeartbeat()
        events.append(.restarted)
        output.add(control: .chunk(ChunkType.cookieAcknowledgement))
        return true
    }

    /// A cookie of ours was too old when it came back (section 5.2.6): begin anew.
    mutating func receivedStaleCookie() {
        guard phase == .cookieEchoed, !handshake.hasStaleCookie else { return }
        handshake = Handshake(timeout: configuration.initialTimeout, startedAt: now, hasStaleCookie: true)
        phase = .cookieWait
        peer = nil
        sendInit()
    }
}
