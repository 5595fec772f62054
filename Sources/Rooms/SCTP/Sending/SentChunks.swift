/// The chunks between the cumulative acknowledgement and the highest TSN, in a ring by TSN.
///
/// Chunks under way are also in a list by the time of their last transmission, and lost ones in a list of their own, so
/// that an acknowledgement costs no search.
struct SentChunks {
    /// Below the difference of TSNs that gap-ack blocks can express.
    static let mostChunks = 65_000
    private static let fewestSlots = 8

    /// Empty at first, and again after much was sent: an association that is silent pays nothing.
    private var ring: [SentChunk] = []
    /// Bits by TSN, at least as many as the ring has slots: whether the chunk is in a gap-ack block.
    private var acknowledged: [UInt64] = [0]
    /// The TSN after the cumulative acknowledgement.
    private(set) var first: UInt32
    private(set) var count = 0
    private(set) var flight = TSNList()
    private(set) var lost = TSNList()
    /// Bytes of the chunks in the list.
    private(set) var flightSize = 0

    init(first: UInt32) { self.first = first }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= Self.mostChunks }
    /// The TSN that the next chunk gets.
    var end: UInt32 { first &+ UInt32(truncatingIfNeeded: count) }

    func contains(_ tsn: UInt32) -> Bool { !tsn.isBefore(first) && tsn.isBefore(end) }

    @inline(__always) private func slot(_ tsn: UInt32) -> Int { Int(tsn) & (ring.count - 1) }

    @inline(__always) private func word(_ tsn: UInt32) -> Int { Int(tsn >> 6) & (acknowledged.count - 1) }

    subscript(_ tsn: UInt32) -> SentChunk {
        _read { yield ring[slot(tsn)] }
        _modify { yield &ring[slot(tsn)] }
    }

    /// Adds a chunk that is sent now, or, if its state says so, one that never is.
    mutating func append(_ chunk: SentChunk) {
        if count == ring.count { grow() }
        let tsn = end
        ring[slot(tsn)] = chunk
        count += 1
        if chunk.state == .inFlight { addToFlight(tsn) }
    }

    private mutating func grow() {
        var larger = [SentChunk](repeating: SentChunk(), count: max(Self.fewestSlots, ring.count * 2))
        var bits = [UInt64](repeating: 0, count: max(1, larger.count / 64))
        for step in 0..<count {
            let tsn = first &+ UInt32(truncatingIfNeeded: step)
            if isAcknowledged(tsn) { bits[Int(tsn >> 6) & (bits.count - 1)] |= 1 << UInt64(tsn & 63) }
            larger[Int(tsn) & (larger.count - 1)] = ring[slot(tsn)]
        }
        (ring, acknowledged) = (larger, bits)
    }

    // MARK: - States

    private mutating func addToFlight(_ tsn: UInt32) {
        flightSize += self[tsn].size
        flight.append(tsn, in: &ring)
    }

    /// Takes a chunk out of the list that it is in.
    private mutating func unlist(_ tsn: UInt32) {
        switch self[tsn].state {
        case .inFlight:
            flightSize -= self[tsn].size
            flight.remove(tsn, in: &ring)
        case .lost: lost.remove(tsn, in: &ring)
        case .acknowledged, .abandoned: break
        }
    }

    /// A lost chunk is sent again.
    mutating func resend(_ tsn: UInt32, _ transmission: Transmission) {
        unlist(tsn)
        self[tsn].state = .inFlight
        self[tsn].transmissions += 1
        self[tsn].sent = transmission
        addToFlight(tsn)
    }

    mutating func markLost(_ tsn: UInt32) {
        guard self[tsn].state == .inFlight else { return }
        unlist(tsn)
        self[tsn].state = .lost
        lost.append(tsn, in: &ring)
    }

    mutating func markAbandoned(_ tsn: UInt32) {
        unlist(tsn)
        self[tsn].state = .abandoned
        self[tsn].message = []
    }

    // MARK: - Acknowledgement

    func isAcknowledged(_ tsn: UInt32) -> Bool { acknowledged[word(tsn)] >> UInt64(tsn & 63) & 1 == 1 }

    /// Whether the peer takes back what it acknowledged in a gap: the first chunk would have moved the cumulative
    /// acknowledgement.
    var isReneged: Bool { count > 0 && isAcknowledged(first) }

    /// Removes all chunks up to `tsn`, and calls `body` with those that were not acknowledged before.
    mutating func acknowledge(upTo tsn: UInt32, _ body: (UInt32, borrowing SentChunk) -> Void) {
        while count > 0, first.isAtOrBefore(tsn) {
            let place = slot(first)
            let (word, bit) = (word(first), UInt64(1) << UInt64(first & 63))
            if acknowledged[word] & bit != 0 {
                acknowledged[word] &= ~bit
            } else if ring[place].state != .abandoned {
                unlist(first)
                body(first, ring[place])
            }
            ring[place].message = []
            first = first &+ 1
            count -= 1
        }
        if count == 0, ring.count > 4096 { self = SentChunks(first: first) }
    }

    /// Marks the chunks of a gap-ack block, and calls `body` with those that were not marked before. Costs a step for
    /// each 64 chunks that were.
    mutating func acknowledge(_ start: UInt32, through end: UInt32, _ body: (UInt32, borrowing SentChunk) -> Void) {
        var tsn = start
        while true {
            let low = tsn & 63
            let steps = min(UInt32(63) - low, end &- tsn)
            let word = word(tsn)
            let mask = (UInt64.max >> UInt64(63 - steps)) << UInt64(low)
            var new = mask & ~acknowledged[word]
            acknowledged[word] |= mask
            while new != 0 {
                let found = tsn &- low &+ UInt32(new.trailingZeroBitCount)
                new &= new - 1
                guard self[found].state != .abandoned else { continue }
                unlist(found)
                body(found, self[found])
                self[found].state = .acknowledged
            }
            if end &- tsn == steps { return }
            tsn = tsn &+ steps &+ 1
        }
    }

    /// Forgets everything said in gap-ack blocks: those chunks are lost.
    mutating func renege() {
        for index in acknowledged.indices { acknowledged[index] = 0 }
        for step in 0..<count {
            let tsn = first &+ UInt32(truncatingIfNeeded: step)
            guard self[tsn].state == .acknowledged else { continue }
            self[tsn].state = .lost
            lost.append(tsn, in: &ring)
        }
    }
}

/// A list of chunks that is threaded through the ring. The neighbours at its ends mean nothing.
struct TSNList {
    private(set) var first: UInt32 = 0
    private(set) var last: UInt32 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ tsn: UInt32, in ring: inout [SentChunk]) {
        let mask = ring.count - 1
        if count == 0 {
            first = tsn
        } else {
            ring[Int(last) & mask].next = tsn
            ring[Int(tsn) & mask].previous = last
        }
        last = tsn
        count += 1
    }

    mutating func remove(_ tsn: UInt32, in ring: inout [SentChunk]) {
        let mask = ring.count - 1
        let (previous, next) = (ring[Int(tsn) & mask].previous, ring[Int(tsn) & mask].next)
        count -= 1
        if count == 0 { return }
        if first == tsn {
            first = next
        } else if last == tsn {
            last = previous
        } else {
            ring[Int(previous) & mask].next = next
            ring[Int(next) & mask].previous = previous
        }
    }
}
