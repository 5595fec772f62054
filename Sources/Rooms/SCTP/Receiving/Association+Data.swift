// DATA and I-DATA of the peer (RFC 9260 section 6.2, RFC 8260 section 2.2).
extension Association {
    mutating func receivedData(_ element: Element, _ packet: RawSpan, isInterleaved: Bool) {
        guard isInterleaved == self.isInterleaved else {
            return fail(isInterleaved ? "I-DATA that was not agreed on" : "DATA where I-DATA was agreed on")
        }
        guard phase != .cookieWait, phase != .shutdownReceived, phase != .shutdownAcknowledgementSent,
            let chunk = DataChunk(packet, element, isInterleaved: isInterleaved)
        else { return }
        guard !chunk.bytes.isEmpty else {
            var tsn: [UInt8] = []
            tsn.put(chunk.tsn)
            sendAbort(cause: .cause(ErrorCause.noUserData, tsn))
            return close(.violation("a chunk without data"))
        }
        receiving.sawData = true
        if chunk.flags & ChunkFlag.immediate != 0 { receiving.mustAcknowledge = true }
        switch receiving.tsns.look(chunk.tsn) {
        case .tooFar: return
        case .duplicate:
            if receiving.duplicates.count < 16 { receiving.duplicates.append(chunk.tsn) }
            receiving.mustAcknowledge = true
            return
        case .new: break
        }
        guard hasRoom(for: chunk) else {
            receiving.mustAcknowledge = true
            return
        }
        guard chunk.stream < configuration.streams else { return refuseStream(chunk) }
        let isNext = chunk.tsn == receiving.tsns.cumulative &+ 1
        if !isNext || receiving.tsns.hasGaps { receiving.mustAcknowledge = true }
        receiving.tsns.insert(chunk.tsn)
        if isInterleaved {
            take(receiving.interleaved.add(chunk, packet))
            if isNext { receiving.tsns.advance() }
        } else if isNext {
            take(receiving.reassembly.addNext(chunk, packet))
            advance(from: chunk.tsn)
        } else {
            take(receiving.reassembly.keep(chunk, packet))
        }
    }

    /// Moves the cumulative TSN on, and takes the pieces that were kept behind it.
    private mutating func advance(from tsn: UInt32) {
        receiving.tsns.advance()
        var kept = tsn &+ 1
        while !receiving.reassembly.isEmpty, kept.isAtOrBefore(receiving.tsns.cumulative), phase != .closed {
            take(receiving.reassembly.addKept(kept))
            kept = kept &+ 1
        }
    }

    private mutating func take(_ result: Reassembly.Result) {
        switch result {
        case .incomplete: break
        case .complete(let message, let stream, let number, let isOrdered):
            counters.messagesReceived += 1
            receiving.streams.add(message, stream: stream, number: number, isOrdered: isOrdered)
        case .tooLarge:
            sendAbort(cause: .cause(ErrorCause.userAbort, Array("the message is too large".utf8)))
            close(.messageTooLarge)
        }
    }

    /// Whether the window has room. What closes a gap is taken in beyond it, because it frees more; what the program does
    /// not read is never.
    private func hasRoom(for chunk: DataChunk) -> Bool {
        let window = configuration.receiveWindow
        let size = receiving.size + chunk.bytes.count
        if size <= window { return true }
        let isNext = chunk.tsn == receiving.tsns.cumulative &+ 1
        return isNext && receiving.streams.unreadSize < window && size <= window + configuration.maxMessageSize
    }

    private mutating func refuseStream(_ chunk: DataChunk) {
        let isNext = chunk.tsn == receiving.tsns.cumulative &+ 1
        receiving.tsns.insert(chunk.tsn)
        if isNext { advance(from: chunk.tsn) }
        var body: [UInt8] = []
        body.put(chunk.stream)
        body.put(UInt16(0))
        output.add(control: .chunk(ChunkType.error, .cause(ErrorCause.invalidStream, body)))
    }

    /// After all chunks of a packet: when its data is acknowledged.
    mutating func endPacket() {
        guard receiving.sawData else { return }
        receiving.sawData = false
        receiving.unacknowledged += 1
        if receiving.unacknowledged >= 2 || phase == .shutdownSent { receiving.mustAcknowledge = true }
        if receiving.deadline == .max { receiving.deadline = now + configuration.acknowledgementDelay }
        performDeferredReset()
    }

    // MARK: - FORWARD TSN

    /// The peer has given messages up (RFC 3758 section 3.6, RFC 8260 section 2.3.1).
    mutating func receivedForward(_ chunk: Element, _ packet: RawSpan, isInterleaved: Bool) {
        guard abilities.contains(.partialReliability), isInterleaved == self.isInterleaved, phase != .cookieWait,
            chunk.body.count >= 4
        else { return }
        let start = chunk.body.lowerBound
        let tsn = packet.uint32(start)
        receiving.sawData = true
        receiving.mustAcknowledge = true
        guard receiving.tsns.cumulative.isBefore(tsn),
            receiving.tsns.cumulative.steps(to: tsn) <= ReceivedTSNs.reach
        else { return }
        let before = receiving.tsns.cumulative
        if !isInterleaved { receiving.reassembly.skip(from: before, to: tsn) }
        receiving.tsns.skip(to: tsn)
        if isInterleaved {
            // What is skipped in each direction of each stream: the highest number counts.
            var skipped: [InterleavedReassembly.Line: UInt32] = [:]
            for offset in stride(from: start + 4, through: chunk.body.upperBound - 8, by: 8) {
                let isOrdered = packet.byte(offset + 3) & 1 == 0
                let line = InterleavedReassembly.Line(stream: packet.uint16(offset), isOrdered: isOrdered)
                let number = packet.uint32(offset + 4)
                guard line.stream < configuration.streams, skipped[line]?.isBefore(number) ?? true else { continue }
                skipped[line] = number
            }
            receiving.interleaved.skip(skipped)
            for (line, number) in skipped where line.isOrdered { receiving.streams.skip(line.stream, through: number) }
        } else {
            var skipped: [UInt16: UInt16] = [:]
            for offset in stride(from: start + 4, through: chunk.body.upperBound - 4, by: 4) {
                let (stream, number) = (packet.uint16(offset), packet.uint16(offset + 2))
                guard stream < configuration.streams, skipped[stream]?.isBefore(number) ?? true else { continue }
                skipped[stream] = number
            }
            for (stream, number) in skipped { receiving.streams.skip(stream, through: UInt32(number)) }
            advance(from: before)
        }
    }

    // MARK: - Room

    /// The program has taken something: a peer that was held back is told so (RFC 9260 section 6.2, the window update).
    mutating func noteRoom() {
        let room = self.room
        let step = min(configuration.receiveWindow / 4, 64 << 10)
        if receiving.announced < configuration.receiveWindow / 2, room >= receiving.announced + step {
            receiving.mustAcknowledge = true
        }
    }

    /// Bytes that the peer may send.
    var room: Int { max(0, configuration.receiveWindow - receiving.size) }

    // MARK: - SACK

    var owesAcknowledgement: Bool {
        receiving.mustAcknowledge || receiving.unacknowledged > 0 && receiving.deadline <= now
    }

    /// Writes a SACK (RFC 9260 section 3.3.4) with as many blocks as fit.
    mutating func writeAcknowledgement(into batch: inout PacketBatch) {
        guard batch.room >= 16 else { return }
        let start = batch.written
        receiving.announced = room
        batch.put(UInt8(truncatingIfNeeded: ChunkType.selectiveAcknowledgement))
        batch.put(UInt8(0))
        batch.put(UInt16(0))
        batch.put(receiving.tsns.cumulative)
        batch.put(UInt32(clamping: receiving.announced))
        batch.put(UInt32(0))
        var blocks: [(UInt16, UInt16)] = []
        receiving.tsns.forEachBlock(limit: batch.room / 4) { blocks.append(($0, $1)) }
        for (first, last) in blocks {
            batch.put(first)
            batch.put(last)
        }
        let duplicates = receiving.duplicates.prefix(batch.room / 4)
        for tsn in duplicates { batch.put(tsn) }
        batch.patch(UInt16(batch.written - start), at: start + 2)
        batch.patch(UInt16(blocks.count), at: start + 12)
        batch.patch(UInt16(duplicates.count), at: start + 14)
        receiving.duplicates.removeAll(keepingCapacity: true)
        receiving.unacknowledged = 0
        receiving.mustAcknowledge = false
        receiving.deadline = .max
    }
}
