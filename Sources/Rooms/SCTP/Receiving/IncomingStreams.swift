/// A whole message that was put together.
struct AssembledMessage {
    var identifier: UInt32
    var bytes: [UInt8]
}

/// The order of messages within their streams, and the queue of what the program may take.
struct IncomingStreams {
    /// What the memory of a message costs beyond its bytes.
    static let overhead = 64

    private struct Stream {
        var id: UInt16
        var next: UInt32 = 0
        /// Messages that came before their turn.
        var waiting: [UInt32: AssembledMessage] = [:]
    }

    /// Numbers of ordered messages wrap at 16 bits (SSN) or 32 (MID).
    private let isInterleaved: Bool
    private var index: [UInt16: Int] = [:]
    private var streams: [Stream] = []
    private var latest = (id: UInt16(0), place: -1)
    private var deliveries = RingQueue<Delivery>()
    /// Bytes of messages that wait for their turn, and of those that wait to be taken, with what holding them costs.
    private(set) var waitingSize = 0
    private(set) var unreadSize = 0

    init(isInterleaved: Bool) { self.isInterleaved = isInterleaved }

    private mutating func place(of id: UInt16) -> Int {
        if latest.place >= 0, latest.id == id { return latest.place }
        let place: Int
        if let known = index[id] {
            place = known
        } else {
            place = streams.count
            streams.append(Stream(id: id))
            index[id] = place
        }
        latest = (id, place)
        return place
    }

    private func successor(_ number: UInt32) -> UInt32 { isInterleaved ? number &+ 1 : (number &+ 1) & 0xFFFF }

    private func isBefore(_ number: UInt32, _ other: UInt32) -> Bool {
        isInterleaved
            ? number.isBefore(other)
            : UInt16(truncatingIfNeeded: number).isBefore(UInt16(truncatingIfNeeded: other))
    }

    /// Takes a whole message.
    mutating func add(_ message: AssembledMessage, stream id: UInt16, number: UInt32, isOrdered: Bool) {
        guard isOrdered else { return deliver(message, id) }
        let place = place(of: id)
        let next = streams[place].next
        guard number == next else {
            // One from before its turn was given up, or comes a second time.
            if !isBefore(number, next), streams[place].waiting[number] == nil {
                waitingSize += message.bytes.count + Self.overhead
                streams[place].waiting[number] = message
            }
            return
        }
        streams[place].next = successor(next)
        deliver(message, id)
        if !streams[place].waiting.isEmpty { deliverWaiting(place) }
    }

    private mutating func deliverWaiting(_ place: Int) {
        while let message = streams[place].waiting.removeValue(forKey: streams[place].next) {
            waitingSize -= message.bytes.count + Self.overhead
            streams[place].next = successor(streams[place].next)
            deliver(message, streams[place].id)
        }
    }

    private mutating func deliver(_ message: AssembledMessage, _ stream: UInt16) {
        unreadSize += message.bytes.count + Self.overhead
        deliveries.append(.message(stream: stream, identifier: message.identifier, bytes: message.bytes))
    }

    /// Ordered messages up to `number` that have not come will not (RFC 3758 section 3.6).
    mutating func skip(_ id: UInt16, through number: UInt32) {
        let place = place(of: id)
        guard !isBefore(number, streams[place].next) else { return }
        let passed = streams[place].waiting.keys.filter { !isBefore(number, $0) }.sorted { isBefore($0, $1) }
        for number in passed {
            guard let message = streams[place].waiting.removeValue(forKey: number) else { continue }
            waitingSize -= message.bytes.count + Self.overhead
            deliver(message, id)
        }
        streams[place].next = successor(number)
        deliverWaiting(place)
    }

    /// The peer begins these streams anew; all if empty.
    mutating func reset(_ ids: [UInt16]) {
        for place in ids.isEmpty ? Array(streams.indices) : ids.compactMap({ index[$0] }) {
            for message in streams[place].waiting.values { waitingSize -= message.bytes.count + Self.overhead }
            streams[place].waiting = [:]
            streams[place].next = 0
        }
        unreadSize += Self.overhead + 2 * ids.count
        deliveries.append(.streamsReset(ids))
    }

    mutating func next() -> Delivery? {
        guard let delivery = deliveries.removeFirst() else { return nil }
        switch delivery {
        case .message(_, _, let bytes): unreadSize -= bytes.count + Self.overhead
        case .streamsReset(let ids): unreadSize -= Self.overhead + 2 * ids.count
        }
        return delivery
    }

    /// Begins anew after a restart of the peer. What can be taken stays.
    mutating func restart(isInterleaved: Bool) {
        var fresh = IncomingStreams(isInterleaved: isInterleaved)
        (fresh.deliveries, fresh.unreadSize) = (deliveries, unreadSize)
        self = fresh
    }
}
