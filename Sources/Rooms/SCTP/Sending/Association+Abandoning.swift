// Messages that are given up (RFC 3758, RFC 7496, RFC 8260 section 2.3).
extension Association {
    /// Gives up the message that a chunk belongs to.
    mutating func abandon(_ tsn: UInt32) {
        let chunk = sending.chunks[tsn]
        guard abilities.contains(.partialReliability), !chunk.isReliable else { return }
        counters.messagesAbandoned += 1
        events.append(.abandoned(stream: chunk.stream))
        var piece = sending.chunks.contains(chunk.firstTSN) ? chunk.firstTSN : sending.chunks.first
        while piece != sending.chunks.end {
            let other = sending.chunks[piece]
            let isSame =
                other.stream == chunk.stream && other.number == chunk.number && other.isOrdered == chunk.isOrdered
                && other.firstTSN == chunk.firstTSN
            if isSame {
                let isEnd = other.flags & ChunkFlag.ending != 0
                if other.state != .abandoned { sending.chunks.markAbandoned(piece) }
                if isEnd { return advanceForward() }
            }
            piece = piece &+ 1
        }
        // The end was never sent. A TSN that never is stands for it, so that the peer hears of the message even if it has
        // all the pieces before.
        if dropRest(of: chunk) {
            var rest = SentChunk()
            (rest.stream, rest.number, rest.firstTSN) = (chunk.stream, chunk.number, chunk.firstTSN)
            rest.flags = chunk.flags & ChunkFlag.unordered | ChunkFlag.ending
            sending.chunks.append(rest)
            if timers.retransmission == .max { timers.retransmission = now + roundTrip.timeout }
        }
        advanceForward()
    }

    /// Gives up the rest of a message of which the peer has acknowledged everything that was sent.
    mutating func abandonAcknowledged(_ place: Int, _ message: QueuedMessage) {
        counters.messagesAbandoned += 1
        events.append(.abandoned(stream: outgoing[place].id))
        var rest = SentChunk()
        (rest.stream, rest.number) = (outgoing[place].id, outgoing[place].number)
        rest.firstTSN = outgoing[place].firstTSN
        rest.flags = (message.isOrdered ? 0 : ChunkFlag.unordered) | ChunkFlag.ending
        outgoing.removeUnsent(outgoing.left(place), at: place)
        outgoing.finishCurrent(place)
        sending.chunks.append(rest)
        if timers.retransmission == .max { timers.retransmission = now + roundTrip.timeout }
        advanceForward()
    }

    /// Drops what is not in packets of a message that was begun; `false` if there is nothing.
    private mutating func dropRest(of chunk: SentChunk) -> Bool {
        guard let place = outgoing.known(chunk.stream), let current = outgoing[place].current,
            outgoing[place].number == chunk.number, current.isOrdered == chunk.isOrdered
        else { return false }
        outgoing.removeUnsent(current.bytes.count - outgoing[place].offset, at: place)
        outgoing.finishCurrent(place)
        return true
    }

    /// Finds out whether the peer is to be told (RFC 3758 section 3.5, C1 to C3).
    mutating func advanceForward() {
        guard sending.hasForward else { return }
        // One for each round trip is enough, unless there is more to say.
        let highest = sending.forwardTSN
        if highest != sending.lastForward || now - sending.forwardTime >= roundTrip.smoothed ?? .milliseconds(100) {
            sending.owesForward = true
        }
    }

    /// Writes FORWARD TSN or I-FORWARD-TSN.
    mutating func writeForward(into batch: inout PacketBatch) {
        let size = isInterleaved ? 8 : 4
        guard sending.hasForward else { return sending.owesForward = false }
        guard batch.room >= 8 + size else { return }
        var tsn = sending.chunks.first &- 1
        let target = sending.forwardTSN
        var skipped: [UInt64: UInt32] = [:]
        while tsn != target {
            let chunk = sending.chunks[tsn &+ 1]
            if chunk.state == .abandoned, isInterleaved || chunk.isOrdered {
                let key = UInt64(chunk.stream) << 1 | (chunk.isOrdered ? 0 : 1)
                if skipped[key] == nil, (skipped.count + 1) * size + 8 > batch.room { break }
                skipped[key] = chunk.number
            }
            tsn = tsn &+ 1
        }
        batch.put(UInt8(truncatingIfNeeded: isInterleaved ? ChunkType.interleavedForwardTSN : ChunkType.forwardTSN))
        batch.put(UInt8(0))
        batch.put(UInt16(8 + size * skipped.count))
        batch.put(tsn)
        for (key, number) in skipped {
            batch.put(UInt16(truncatingIfNeeded: key >> 1))
            if isInterleaved {
                batch.put(UInt16(key & 1))
                batch.put(number)
            } else {
                batch.put(UInt16(truncatingIfNeeded: number))
            }
        }
        sending.owesForward = false
        sending.lastForward = target
        sending.forwardTime = now
    }
}

extension Sending {
    /// Whether the first outstanding chunk is given up, so that only FORWARD TSN can move the peer.
    var hasForward: Bool { !chunks.isEmpty && chunks[chunks.first].state == .abandoned }

    /// The highest TSN that can be skipped: behind it is one that the peer still is to get.
    var forwardTSN: UInt32 {
        var tsn = chunks.first
        var last = tsn &- 1
        while tsn != chunks.end {
            switch chunks[tsn].state {
            case .abandoned: last = tsn
            // The peer has it already.
            case .acknowledged: break
            case .inFlight, .lost: return last
            }
            tsn = tsn &+ 1
        }
        return last
    }
}
