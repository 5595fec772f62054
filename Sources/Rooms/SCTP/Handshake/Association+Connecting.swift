// The handshake of four chunks: INIT, INIT ACK, COOKIE ECHO, COOKIE ACK (RFC 9260 section 5).
extension Association {
    /// Begins the association: sends INIT. In WebRTC both sides do, which section 5.2 of RFC 9260 resolves.
    public mutating func connect(now: Nanoseconds) {
        guard phase == .idle else { return }
        self.now = now
        phase = .cookieWait
        handshake = Handshake(timeout: configuration.initialTimeout, startedAt: now)
        sendInit()
    }

    mutating func sendInit() {
        handshake.attempts += 1
        handshake.startedAt = now
        output.add(packet: Output.Packet(tag: 0, chunks: InitChunk.bytes(ChunkType.initiation, own)))
        timers.handshake = now + handshake.timeout
    }

    private mutating func sendCookie() {
        handshake.attempts += 1
        output.add(
            packet: Output.Packet(tag: peer?.tag ?? 0, chunks: .chunk(ChunkType.cookieEcho, handshake.cookie)))
        timers.handshake = now + handshake.timeout
    }

    /// T1 has fired.
    mutating func repeatHandshake() {
        guard handshake.attempts < configuration.maxHandshakeAttempts else { return close(.handshakeTimedOut) }
        // A person waits: the timer grows slowly.
        handshake.timeout = min(2 * handshake.timeout, .seconds(2), configuration.maximumTimeout)
        if phase == .cookieWait { sendInit() } else { sendCookie() }
    }

    // MARK: - INIT

    /// Answers with INIT ACK and keeps nothing: all that is needed is in the cookie (sections 5.1, 5.2.1 and 5.2.2).
    mutating func receivedInit(_ chunk: Element, _ packet: RawSpan) {
        let parsed: InitChunk
        do throws(InitChunk.Flaw) {
            parsed = try InitChunk(packet, chunk)
        } catch {
            if case .refused(let cause) = error, chunk.body.count >= 4 {
                let abort: [UInt8] = .chunk(ChunkType.abort, cause)
                output.add(packet: Output.Packet(tag: packet.uint32(chunk.body.lowerBound), chunks: abort))
            }
            return
        }
        var answer = own
        var tie: (local: UInt32, peer: UInt32) = (0, 0)
        switch phase {
        case .closed: return
        case .idle, .cookieWait: break
        case .cookieEchoed: tie = (own.tag, peer?.tag ?? 0)
        case .shutdownAcknowledgementSent: return output.add(control: .chunk(ChunkType.shutdownAcknowledgement))
        case .established, .shutdownPending, .shutdownSent, .shutdownReceived:
            // The peer may have restarted. Only its cookie will tell.
            tie = (own.tag, peer?.tag ?? 0)
            answer.tag = random.nextTag()
            answer.initialTSN = random.next()
        }
        var cookie = StateCookie(
            createdAt: now, localTag: answer.tag, localTSN: answer.initialTSN, peer: parsed.peer)
        (cookie.tieLocalTag, cookie.tiePeerTag) = tie
        output.add(
            packet: Output.Packet(
                tag: parsed.peer.tag,
                chunks: InitChunk.bytes(
                    ChunkType.initiationAcknowledgement, answer, cookie: cookie.bytes(key: cookieKey),
                    unrecognized: parsed.unrecognized)))
    }

    mutating func receivedInitAcknowledgement(_ chunk: Element, _ packet: RawSpan) {
        // In all other states it is late (section 5.2.3).
        guard phase == .cookieWait else { return }
        let parsed: InitChunk
        do throws(InitChunk.Flaw) {
            parsed = try InitChunk(packet, chunk)
        } catch {
            guard case .refused(let cause) = error else { return }
            sendAbort(cause: cause, tag: packet.uint32(chunk.body.lowerBound))
            return close(.violation("an INIT ACK that cannot be accepted"))
        }
        guard let cookie = parsed.cookie, cookie.count <= 4096 else {
            sendAbort(cause: .cause(ErrorCause.protocolViolation), tag: parsed.peer.tag)
            return close(.violation("an INIT ACK without cookie"))
        }
        if handshake.attempts == 1 { roundTrip.add(now - handshake.startedAt, now: now) }
        peer = parsed.peer
        begin(parsed.peer)
        phase = .cookieEchoed
        handshake.attempts = 0
        handshake.timeout = configuration.initialTimeout
        handshake.cookie = packet.array(cookie)
        sendCookie()
        if !parsed.unrecognized.isEmpty {
            var causes: [UInt8] = []
            causes.put(parameter: ErrorCause.unrecognizedParameters, parsed.unrecognized.flatMap { $0 })
            output.add(control: .chunk(ChunkType.error, causes))
        }
    }

    /// Takes over what the peer said of itself.
    mutating func begin(_ parameters: PeerParameters) {
        peer = parameters
        abilities = own.abilities.intersection(parameters.abilities)
        receiving.tsns = ReceivedTSNs(first: parameters.initialTSN)
        receiving.streams.restart(isInterleaved: abilities.contains(.interleaving))
        receiving.reassembly = Reassembly(limit: configuration.maxMessageSize)
        receiving.interleaved = InterleavedReassembly(limit: configuration.maxMessageSize)
        resets = StreamResets(nextNumber: own.initialTSN, expected: parameters.initialTSN)
        sending.peerWindow = Int(parameters.window)
        sending.advertisedWindow = Int(parameters.window)
        (sending.deliveredTime, sending.firstTime) = (now, now)
        if let smoothed = roundTrip.smoothed { congestion.start(roundTrip: smoothed, now: now) }
    }

    mutating func receivedCookieAcknowledgement() {
        guard phase == .cookieEchoed else { return }
        establish()
    }

    mutating func establish() {
        guard phase == .idle || phase == .cookieWait || phase == .cookieEchoed else { return }
        phase = .established
        timers.handshake = .max
        handshake.cookie = []
        path.start(now, nonce: random.next())
        restartHeartbeat()
        events.append(.established)
    }
}
