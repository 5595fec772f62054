// Packets to the peer.
extension Association {
    /// Appends the packets that may leave now, until the batch is full. Call it again until it appends nothing.
    public mutating func transmit(into batch: inout PacketBatch, now: Nanoseconds) {
        self.now = max(self.now, now)
        while let packet = output.packets.first {
            guard write(packet, into: &batch) else { return }
            _ = output.packets.removeFirst()
        }
        switch phase {
        case .idle, .cookieWait, .closed: return
        default: break
        }
        requestResets()
        while writePacket(into: &batch) {}
        if !maySendData { pacer.isHolding = hasDataToSend && hasWindow }
        if owesWritable, isWritable {
            owesWritable = false
            events.append(.writable)
        }
    }

    private mutating func write(_ packet: Output.Packet, into batch: inout PacketBatch) -> Bool {
        guard batch.begin(size: PacketHeader.count + packet.chunks.count) else { return false }
        batch.put(header(tag: packet.tag))
        batch.put(packet.chunks)
        // INIT and COOKIE ECHO always have a checksum, and what a peer gets that may not know us (RFC 9653 section 5).
        batch.finish(checksum: true)
        counters.packetsSent += 1
        return true
    }

    private func header(tag: UInt32) -> PacketHeader {
        PacketHeader(from: configuration.localPort, to: configuration.remotePort, tag: tag)
    }

    /// Writes one packet with all that is due; `false` if there is nothing, or no room in the batch.
    private mutating func writePacket(into batch: inout PacketBatch) -> Bool {
        let mayData = maySendData
        // A probe that may be cut on its way says nothing.
        let owesProbe = path.owesProbe && !needsFragments
        guard mayData || !output.control.isEmpty || owesAcknowledgement || sending.owesForward || owesProbe else {
            return false
        }
        if owesProbe, writePathProbe(into: &batch) { return true }
        guard batch.begin(size: packetLimit(mayData)) else { return false }
        batch.put(header(tag: peer?.tag ?? 0))
        writeControl(into: &batch)
        if owesAcknowledgement || mayData && receiving.unacknowledged > 0 { writeAcknowledgement(into: &batch) }
        if sending.owesForward { writeForward(into: &batch) }
        var data = 0
        if mayData { data = writeData(into: &batch) }
        guard batch.written > PacketHeader.count else {
            batch.cancel()
            return false
        }
        if data > 0 {
            sending.mayProbe = false
            pacer.sent(data, rate: congestion.pacingRate, now: now)
        }
        batch.finish(checksum: !abilities.contains(.zeroChecksum))
        counters.packetsSent += 1
        return true
    }

    /// Whether packets have to be cut by IP to arrive: chunks are under way that were made when the path carried larger ones, and a
    /// chunk cannot be cut again (RFC 9260 section 6.9).
    public var needsFragments: Bool {
        guard let end = sending.largeUntil else { return false }
        return sending.chunks.first.isBefore(end)
    }

    /// The size of the next packet. A chunk from a time when packets were larger goes out as it is.
    private func packetLimit(_ mayData: Bool) -> Int {
        guard mayData, !sending.chunks.lost.isEmpty else { return path.packetSize }
        let chunk = sending.chunks[sending.chunks.lost.first]
        return max(path.packetSize, PacketHeader.count + (headerCount + Int(chunk.count) + 3) & ~3)
    }

    private mutating func writeControl(into batch: inout PacketBatch) {
        var done = 0
        for chunk in output.control {
            guard chunk.count <= batch.room || done == 0 && batch.written == PacketHeader.count else { break }
            if chunk.count <= batch.room { batch.put(chunk) }
            done += 1
        }
        output.control.removeFirst(done)
    }

    // MARK: - Data

    var headerCount: Int { isInterleaved ? DataChunk.interleavedHeaderCount : DataChunk.headerCount }

    /// Whether the phase, the window and the pacer allow data now, and there is some.
    var maySendData: Bool {
        guard hasDataToSend else { return false }
        return sending.mayProbe || hasWindow && pacer.maySend(now)
    }

    /// Whether there is data that the peer's window allows.
    private var hasDataToSend: Bool {
        switch phase {
        case .established, .shutdownPending, .shutdownReceived: break
        default: return false
        }
        if !sending.chunks.lost.isEmpty { return true }
        return !outgoing.isIdle && !sending.chunks.isFull && hasPeerWindow
    }

    /// With nothing under way, one chunk may always leave: it asks whether a closed window has opened (section 6.1 A).
    private var hasPeerWindow: Bool { sending.peerWindow > 0 || sending.chunks.isEmpty }

    private var hasWindow: Bool {
        let inFlight = sending.chunks.flightSize
        return inFlight == 0 || inFlight + path.packetSize <= congestion.window + PacketHeader.count
    }

    /// When the pacer lets the next data go, if only it holds data back.
    var pacedDeadline: Nanoseconds? { hasDataToSend && hasWindow ? max(now, pacer.next) : nil }

    /// Fills the packet with chunks: lost ones first. Returns their bytes.
    private mutating func writeData(into batch: inout PacketBatch) -> Int {
        let start = batch.written
        if sending.chunks.flight.isEmpty { congestion.sent(inFlight: 0, now: now) }
        var lastChunk = -1
        while let place = writeLost(into: &batch, isFirst: lastChunk < 0) { lastChunk = place }
        if sending.chunks.lost.isEmpty {
            while let place = writeNew(into: &batch, isFirst: lastChunk < 0) { lastChunk = place }
        }
        guard lastChunk >= 0 else { return 0 }
        noteLimits(&batch, lastChunk: lastChunk)
        if timers.retransmission == .max { timers.retransmission = now + roundTrip.timeout }
        armProbe()
        return batch.written - start
    }

    /// If there is no more to send, the peer need not wait for more before it answers (RFC 7053), and the rate of what
    /// is under way says nothing of the path.
    private mutating func noteLimits(_ batch: inout PacketBatch, lastChunk: Int) {
        guard outgoing.isIdle, sending.chunks.lost.isEmpty else { return }
        batch.patch(byte: batch.byte(at: lastChunk + 1) | ChunkFlag.immediate, at: lastChunk + 1)
        let inFlight = sending.chunks.flightSize
        guard inFlight + path.packetSize < congestion.window else { return }
        sending.limitedUntil = max(1, sending.delivered + inFlight)
    }

    private mutating func transmission() -> Transmission {
        let inFlight = sending.chunks.flightSize
        if inFlight == 0 { (sending.firstTime, sending.deliveredTime) = (now, now) }
        defer { sending.nextOrder += 1 }
        return Transmission(
            time: now, order: sending.nextOrder, delivered: sending.delivered, deliveredTime: sending.deliveredTime,
            firstTime: sending.firstTime, lost: sending.lost, inFlight: inFlight,
            isApplicationLimited: sending.limitedUntil > 0)
    }

    /// Writes the first lost chunk, if it fits; the place of the chunk in the packet.
    private mutating func writeLost(into batch: inout PacketBatch, isFirst: Bool) -> Int? {
        while !sending.chunks.lost.isEmpty {
            let tsn = sending.chunks.lost.first
            if sending.chunks[tsn].expiry <= now, abilities.contains(.partialReliability) {
                abandon(tsn)
                continue
            }
            let count = Int(sending.chunks[tsn].count)
            guard headerCount + count <= batch.room, isFirst || mayAdd(count) else { return nil }
            let transmission = transmission()
            sending.chunks.resend(tsn, transmission)
            let place = batch.written
            write(sending.chunks[tsn], tsn, into: &batch)
            counters.chunksRetransmitted += 1
            return place
        }
        return nil
    }

    /// Whether the window allows a further chunk in this packet.
    private func mayAdd(_ count: Int) -> Bool {
        let inFlight = sending.chunks.flightSize
        return inFlight == 0 || sending.mayProbe || inFlight + count <= congestion.window
    }

    /// Writes the next piece of the message whose turn it is; the place of the chunk in the packet.
    private mutating func writeNew(into batch: inout PacketBatch, isFirst: Bool) -> Int? {
        let room = batch.room - headerCount
        guard room > 0, hasPeerWindow, !sending.chunks.isFull else { return nil }
        while let place = outgoing.turn {
            guard outgoing.beginNext(place, now: now, wraps: !isInterleaved) else {
                outgoing.endTurn(place)
                continue
            }
            if dropExpired(place) { continue }
            let left = outgoing.left(place)
            // A piece is not made smaller than a quarter packet only to fill this one.
            guard left <= room || room >= path.packetSize / 4 else { return nil }
            let count = left <= room ? left : room & ~3
            guard isFirst || mayAdd(count) else { return nil }
            let tsn = sending.chunks.end
            let chunk = outgoing.take(count, place, tsn: tsn, transmission: transmission())
            let offset = batch.written
            sending.chunks.append(chunk)
            sending.peerWindow = max(0, sending.peerWindow - chunk.size)
            write(chunk, tsn, into: &batch)
            let isEnd = chunk.flags & ChunkFlag.ending != 0
            if isEnd { counters.messagesSent += 1 }
            outgoing.sent(count, keepsTurn: !isEnd && !isInterleaved)
            counters.chunksSent += 1
            return offset
        }
        return nil
    }

    /// Gives a message up that was begun and whose time is over.
    private mutating func dropExpired(_ place: Int) -> Bool {
        guard outgoing[place].offset > 0, let current = outgoing[place].current, current.expiry <= now,
            abilities.contains(.partialReliability)
        else { return false }
        let first = outgoing[place].firstTSN
        if sending.chunks.contains(first) {
            abandon(first)
        } else if !sending.chunks.isEmpty, sending.chunks[sending.chunks.end &- 1].firstTSN == first {
            abandon(sending.chunks.end &- 1)
        } else {
            // The peer has all that was sent of it: only a stand-in can carry the news.
            abandonAcknowledged(place, current)
        }
        return true
    }

    private mutating func write(_ chunk: borrowing SentChunk, _ tsn: UInt32, into batch: inout PacketBatch) {
        batch.put(UInt8(truncatingIfNeeded: isInterleaved ? ChunkType.interleavedData : ChunkType.data))
        batch.put(chunk.flags)
        batch.put(UInt16(headerCount + Int(chunk.count)))
        batch.put(tsn)
        batch.put(chunk.stream)
        if isInterleaved {
            batch.put(UInt16(0))
            batch.put(chunk.number)
            batch.put(chunk.flags & ChunkFlag.beginning != 0 ? chunk.identifier : chunk.fragment)
        } else {
            batch.put(UInt16(truncatingIfNeeded: chunk.number))
            batch.put(chunk.identifier)
        }
        batch.put(chunk.message, from: Int(chunk.offset), count: Int(chunk.count))
        batch.pad()
    }
}
