@testable import SCTP

/// One direction of a path: a rate, a delay, a queue that drops what does not fit, chance losses and late packets.
struct SimulatedLink {
    /// Bits a second; 0 is without limit.
    var rate = 100_000_000.0
    var delay = Nanoseconds.milliseconds(10)
    /// Bytes that the queue holds.
    var queue = 250_000
    var loss = 0.0
    /// The share of packets that come late, and by how much.
    var lateShare = 0.0
    var lateness = Nanoseconds.milliseconds(5)
    /// Bytes of the largest packet that passes.
    var largest = 65_535
    /// Whether larger ones are cut by IP instead of dropped.
    var mayFragment = false
    /// What DTLS, UDP and IP add to each packet.
    var overhead = 65
    private(set) var dropped = 0
    private(set) var lost = 0
    private(set) var carried = 0
    private(set) var busyUntil: Nanoseconds = 0

    /// When a packet that is sent now arrives; `nil` for never.
    mutating func pass(_ size: Int, _ now: Nanoseconds, _ numbers: inout SeededNumbers) -> Nanoseconds? {
        guard size <= largest || mayFragment else { return nil }
        let size = size + overhead
        if rate > 0 {
            let waiting = Double(max(0, busyUntil - now)) * rate / 8e9
            guard waiting + Double(size) <= Double(queue) else {
                dropped += 1
                return nil
            }
            busyUntil = max(busyUntil, now) + Nanoseconds(Double(size) * 8e9 / rate)
        } else {
            busyUntil = now
        }
        if loss > 0, Double.random(in: 0..<1, using: &numbers) < loss {
            lost += 1
            return nil
        }
        carried += size
        let isLate = lateShare > 0 && Double.random(in: 0..<1, using: &numbers) < lateShare
        return busyUntil + delay + (isLate ? lateness : 0)
    }
}

/// Pairs of associations whose packets share the two directions of one path, in a time of their own.
final class SimulatedPath {
    struct Arrival {
        var time: Nanoseconds
        var order: Int
        var peer: Int
        var packet: [UInt8]
    }

    var forward: SimulatedLink
    var backward: SimulatedLink
    /// Pairs: even ones send forward.
    var peers: [TestPeer] = []
    /// What each peer does when it was called: fills its queue.
    var sources: [(TestPeer, Nanoseconds) -> Void] = []
    private(set) var now: Nanoseconds = 0
    /// Times that a peer wanted to be called again at once, though it had sent all it could: a loop would spin.
    private(set) var spins = 0
    private var arrivals: [Arrival] = []
    private var wakes: [Nanoseconds] = []
    private var order = 0
    private var numbers: SeededNumbers
    /// How coarse the timers of the peers are.
    var timer = Nanoseconds.milliseconds(1)
    /// A busy machine runs nobody for spans of this length, in three of ten of them.
    var stall: Nanoseconds = 0

    init(_ link: SimulatedLink, back: SimulatedLink? = nil, seed: UInt64 = 1) {
        forward = link
        var reverse = back ?? link
        if back == nil { reverse.queue = max(reverse.queue, 1 << 20) }
        backward = reverse
        numbers = SeededNumbers(state: seed)
    }

    /// Adds a pair that connects at once.
    func add(
        _ left: TestPeer, _ right: TestPeer, source: @escaping (TestPeer, Nanoseconds) -> Void = { _, _ in }
    ) {
        peers += [left, right]
        sources += [source, { _, _ in }]
        wakes += [now, now]
        left.association.connect(now: now)
        right.association.connect(now: now)
    }

    /// Runs until `end`, or until `isDone`.
    func run(until end: Nanoseconds, _ isDone: () -> Bool = { false }) {
        while !isDone() {
            var next = arrivals.first?.time ?? .max
            var waking = -1
            for (index, wake) in wakes.enumerated() where wake < next { (next, waking) = (wake, index) }
            guard next <= end else { break }
            now = max(now, next)
            if waking >= 0 {
                serve(waking)
            } else {
                let arrival = pop()
                peers[arrival.peer].receive(arrival.packet, now)
                serve(arrival.peer)
            }
        }
        now = max(now, min(end, now))
    }

    /// Sends what a peer has, and sets its timer.
    func serve(_ index: Int) {
        let peer = peers[index]
        peer.association.advance(to: now)
        peer.take()
        while true {
            sources[index](peer, now)
            let packets = peer.transmit(now)
            let mayFragment = peer.association.needsFragments
            if index % 2 == 0 { forward.mayFragment = mayFragment } else { backward.mayFragment = mayFragment }
            peer.take()
            for packet in packets {
                let arrival =
                    index % 2 == 0
                    ? forward.pass(packet.count, now, &numbers) : backward.pass(packet.count, now, &numbers)
                if let arrival { push(Arrival(time: served(arrival), order: order, peer: index ^ 1, packet: packet)) }
                order += 1
            }
            if packets.isEmpty { break }
        }
        if let deadline = peer.association.nextDeadline {
            if deadline <= now { spins += 1 }
            // Timers fire late, at the end of their step.
            wakes[index] = served(deadline <= now ? now + timer : (deadline + timer - 1) / timer * timer)
        } else {
            wakes[index] = .max
        }
    }

    /// When something that is due at `time` is noticed.
    private func served(_ time: Nanoseconds) -> Nanoseconds {
        guard stall > 0 else { return time }
        var span = time / stall
        while Double(UInt64(bitPattern: span &* 0x1E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24) < 0.3 { span += 1 }
        return max(time, span * stall)
    }

    private func isEarlier(_ one: Arrival, _ other: Arrival) -> Bool {
        one.time != other.time ? one.time < other.time : one.order < other.order
    }

    private func push(_ arrival: Arrival) {
        arrivals.append(arrival)
        var child = arrivals.count - 1
        while child > 0, isEarlier(arrivals[child], arrivals[(child - 1) / 2]) {
            arrivals.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private func pop() -> Arrival {
        let first = arrivals[0]
        let last = arrivals.removeLast()
        guard !arrivals.isEmpty else { return first }
        arrivals[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1..<2 * parent + 3 where child < arrivals.count {
                if isEarlier(arrivals[child], arrivals[least]) { least = child }
            }
            if least == parent { return first }
            arrivals.swapAt(parent, least)
            parent = least
        }
    }
}

/// Keeps a peer's queue filled with messages.
func bulk(_ size: Int = 65_536, stream: UInt16 = 0) -> (TestPeer, Nanoseconds) -> Void {
    let message = [UInt8](repeating: 7, count: size)
    return { peer, now in
        guard peer.association.state == .established else { return }
        while peer.association.isWritable { try? peer.send(message, stream: stream, now: now) }
    }
}
