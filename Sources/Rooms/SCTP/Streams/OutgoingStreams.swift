/// All outgoing streams, and whose turn it is: the one that has sent least in relation to its weight (weighted fair
/// queueing by bytes, RFC 8260 section 3.6).
struct OutgoingStreams {
    static let normalWeight = 256

    private var index: [UInt16: Int] = [:]
    private var streams: [OutgoingStream] = []
    private var latest = (id: UInt16(0), place: -1)
    /// Places of streams that may send, as a heap by progress.
    private var heap: [Int] = []
    /// The stream that is in the middle of a message that nothing may interrupt.
    private var locked: Int?
    /// The progress of the stream that sent last: where one that begins starts.
    private var progress = 0
    private var arrivals = 0
    private(set) var unsent = 0
    /// Messages for streams that are being reset, until that is done.
    private var held: [UInt16: RingQueue<QueuedMessage>] = [:]

    /// The place of a stream, which stays the same.
    mutating func place(of id: UInt16) -> Int {
        if latest.place >= 0, latest.id == id { return latest.place }
        let place: Int
        if let known = index[id] {
            place = known
        } else {
            place = streams.count
            streams.append(OutgoingStream(id: id))
            index[id] = place
        }
        latest = (id, place)
        return place
    }

    func known(_ id: UInt16) -> Int? { index[id] }

    subscript(place: Int) -> OutgoingStream {
        _read { yield streams[place] }
        _modify { yield &streams[place] }
    }

    func unsent(_ id: UInt16) -> Int { index[id].map { streams[$0].unsent } ?? 0 }

    mutating func append(_ message: QueuedMessage, to id: UInt16) {
        let place = place(of: id)
        unsent += message.bytes.count
        streams[place].unsent += message.bytes.count
        guard streams[place].reset == .none else { return held[id, default: RingQueue()].append(message) }
        streams[place].messages.append(message)
        schedule(place)
    }

    mutating func setWeight(_ weight: UInt16, of id: UInt16) {
        let place = place(of: id)
        streams[place].weight = max(1, Int(weight))
    }

    // MARK: - Turns

    var isIdle: Bool { heap.isEmpty }

    /// The place of the stream whose turn it is.
    var turn: Int? { locked ?? heap.first }

    private mutating func schedule(_ place: Int) {
        guard streams[place].position < 0 else { return }
        streams[place].progress = max(streams[place].progress, progress)
        arrivals += 1
        streams[place].arrival = arrivals
        streams[place].position = heap.count
        heap.append(place)
        rise(heap.count - 1)
    }

    /// Notes that the stream whose turn it is has sent `count` bytes. It keeps its turn in the middle of a message that
    /// nothing may interrupt.
    mutating func sent(_ count: Int, keepsTurn: Bool) {
        guard let place = turn else { return }
        progress = max(progress, streams[place].progress)
        streams[place].progress += (count + 32) * 4096 / streams[place].weight
        locked = keepsTurn ? place : nil
        if !keepsTurn { streams[place].hasMessages ? sink(streams[place].position) : endTurn(place) }
    }

    /// Takes a stream out that has nothing to send.
    mutating func endTurn(_ place: Int) {
        let position = streams[place].position
        guard position >= 0 else { return }
        if locked == place { locked = nil }
        streams[place].position = -1
        let last = heap.removeLast()
        guard last != place else { return }
        heap[position] = last
        streams[last].position = position
        rise(position)
        sink(position)
    }

    private mutating func exchange(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        streams[heap[first]].position = first
        streams[heap[second]].position = second
    }

    /// Of those that have sent as much, the one that came first is served first: so channels are announced in the order in
    /// which they were made.
    private func isBefore(_ one: Int, _ other: Int) -> Bool {
        (streams[one].progress, streams[one].arrival) < (streams[other].progress, streams[other].arrival)
    }

    private mutating func rise(_ position: Int) {
        var child = position
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(heap[child], heap[parent]) else { return }
            exchange(child, parent)
            child = parent
        }
    }

    private mutating func sink(_ position: Int) {
        var parent = position
        while true {
            var least = parent
            for child in 2 * parent + 1..<2 * parent + 3 where child < heap.count {
                if isBefore(heap[child], heap[least]) { least = child }
            }
            guard least != parent else { return }
            exchange(parent, least)
            parent = least
        }
    }

    /// Notes that bytes of a stream are in packets, or were dropped.
    mutating func removeUnsent(_ count: Int, at place: Int) {
        streams[place].unsent -= count
        unsent -= count
    }

    // MARK: - Dropping

    /// Drops the messages that were not begun.
    mutating func discard(_ id: UInt16) {
        guard let place = index[id] else { return }
        while let message = streams[place].messages.removeFirst() { removeUnsent(message.bytes.count, at: place) }
        while let message = held[id]?.removeFirst() { removeUnsent(message.bytes.count, at: place) }
        held[id] = nil
        // A stream without messages in the heap is taken out at its turn.
    }

    // MARK: - Resets

    /// Asks for a reset of a stream that is not being reset.
    mutating func wantReset(_ id: UInt16, _ wanted: inout [UInt16]) {
        let place = place(of: id)
        guard streams[place].reset == .none else { return }
        streams[place].reset = .wanted
        wanted.append(id)
    }

    /// Whether everything sent before the reset is in packets.
    func isReady(toReset id: UInt16) -> Bool { index[id].map { !streams[$0].hasMessages } ?? true }

    /// The stream begins anew, and what waited for that goes on.
    mutating func finishReset(_ id: UInt16, performed: Bool) {
        guard let place = index[id] else { return }
        streams[place].reset = .none
        if performed { (streams[place].nextOrdered, streams[place].nextUnordered) = (0, 0) }
        guard var waiting = held.removeValue(forKey: id) else { return }
        while let message = waiting.removeFirst() { streams[place].messages.append(message) }
        if streams[place].hasMessages { schedule(place) }
    }

    // MARK: - The message that was begun

    /// Begins the next message of a stream; `false` if there is none.
    mutating func beginNext(_ place: Int, now: Nanoseconds, wraps: Bool) -> Bool {
        if streams[place].current != nil { return true }
        while let message = streams[place].messages.removeFirst() {
            guard message.expiry > now else {
                // Nobody has seen any of it.
                removeUnsent(message.bytes.count, at: place)
                continue
            }
            streams[place].number = message.isOrdered ? streams[place].nextOrdered : streams[place].nextUnordered
            let following = wraps ? (streams[place].number + 1) & 0xFFFF : streams[place].number &+ 1
            if message.isOrdered {
                streams[place].nextOrdered = following
            } else if !wraps {
                streams[place].nextUnordered = following
            }
            streams[place].current = message
            (streams[place].offset, streams[place].fragment) = (0, 0)
            return true
        }
        return false
    }

    /// The message that was begun is in packets, or given up.
    mutating func finishCurrent(_ place: Int) {
        streams[place].current = nil
        streams[place].offset = 0
        if locked == place { locked = nil }
        if !streams[place].hasMessages { endTurn(place) }
    }

    /// Bytes that are not in packets of the message that was begun.
    func left(_ place: Int) -> Int {
        guard let current = streams[place].current else { return 0 }
        return current.bytes.count - streams[place].offset
    }

    /// Makes the next piece of the message that was begun, which gets this TSN.
    mutating func take(_ count: Int, _ place: Int, tsn: UInt32, transmission: Transmission) -> SentChunk {
        var chunk = SentChunk()
        guard let current = streams[place].current else { return chunk }
        // Not when it was begun: until its first piece had room, others may have taken TSNs.
        if streams[place].offset == 0 { streams[place].firstTSN = tsn }
        chunk.message = current.bytes
        chunk.offset = UInt32(truncatingIfNeeded: streams[place].offset)
        chunk.count = UInt32(truncatingIfNeeded: count)
        chunk.identifier = current.identifier
        chunk.stream = streams[place].id
        chunk.state = .inFlight
        chunk.number = streams[place].number
        chunk.fragment = streams[place].fragment
        chunk.firstTSN = streams[place].firstTSN
        chunk.transmissions = 1
        chunk.maxTransmissions = current.maxTransmissions
        chunk.expiry = current.expiry
        chunk.sent = transmission
        if !current.isOrdered { chunk.flags |= ChunkFlag.unordered }
        if streams[place].offset == 0 { chunk.flags |= ChunkFlag.beginning }
        streams[place].offset += count
        streams[place].fragment &+= 1
        removeUnsent(count, at: place)
        if streams[place].offset == current.bytes.count {
            chunk.flags |= ChunkFlag.ending
            streams[place].current = nil
            streams[place].offset = 0
        }
        return chunk
    }
}
