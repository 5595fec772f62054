/// What a path between two machines does to packets.
struct PathShape: Codable, Sendable {
    /// From one end to the other and back, without queues.
    var roundTripMilliseconds: Double
    /// What each direction carries, with every header down to IP.
    var megabits: Double
    /// The share of packets that are lost, in each direction.
    var loss = 0.0
    /// The share of packets that others overtake, because they take longer than the rest, and by how much.
    var late = 0.0
    var lateMilliseconds = 5.0

    /// Bytes that wait in front of the slow link before packets are dropped: what is on the way in a round trip.
    var queueBytes: Int { max(3000, Int(megabits * 125 * roundTripMilliseconds)) }

    var name: String {
        var parts = [Self.text(roundTripMilliseconds) + " ms"]
        if loss > 0 { parts.append(Self.text(loss * 100) + " % lost") }
        if late > 0 { parts.append("\(Self.text(late * 100)) % \(Self.text(lateMilliseconds)) ms late") }
        return parts.joined(separator: ", ") + " at \(Self.text(megabits)) Mbit/s"
    }

    /// For the name of a file.
    var shortName: String {
        "\(Self.text(roundTripMilliseconds))ms-\(Self.text(loss * 1000))-\(Self.text(late * 1000))-\(Self.text(megabits))"
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() ? String(Int(value)) : String(value)
    }
}

/// One direction of a path: when each packet leaves it, or that it never does. Without clock and I/O.
struct PathDirection {
    private let shape: PathShape
    private var random: SeededNumbers
    /// When the slow link has sent what waits in front of it. Times are nanoseconds.
    private var freeAt: UInt64 = 0
    /// Packets under way, in the order in which they arrive; those that are late have a row of their own.
    private var rows: [PacketRow] = [PacketRow(), PacketRow()]
    private(set) var dropped = 0
    private(set) var lost = 0

    init(_ shape: PathShape, seed: UInt64) {
        self.shape = shape
        random = SeededNumbers(state: seed)
    }

    mutating func take(_ packet: UnsafeRawBufferPointer, at now: UInt64) {
        let waiting = freeAt > now ? Double(freeAt - now) * shape.megabits / 8000 : 0
        guard Int(waiting) + packet.count <= shape.queueBytes else {
            dropped += 1
            return
        }
        freeAt = max(freeAt, now) + UInt64(Double(packet.count) * 8000 / shape.megabits)
        if Double.random(in: 0..<1, using: &random) < shape.loss {
            lost += 1
            return
        }
        let arrival = freeAt + UInt64(shape.roundTripMilliseconds * 500_000)
        let isLate = Double.random(in: 0..<1, using: &random) < shape.late
        rows[isLate ? 1 : 0].append(packet, at: isLate ? arrival + UInt64(shape.lateMilliseconds * 1e6) : arrival)
    }

    /// When the next packet arrives.
    var next: UInt64? { rows.compactMap(\.first).min() }

    /// Passes on what has arrived by now.
    mutating func deliver(at now: UInt64, _ pass: (UnsafeRawBufferPointer) -> Void) {
        while let next, next <= now {
            rows[rows[0].first == next ? 0 : 1].removeFirst(pass)
        }
    }
}

/// Packets by the time of their arrival.
private struct PacketRow {
    private var packets: [(at: UInt64, bytes: [UInt8])] = []
    private var start = 0

    var first: UInt64? { start < packets.count ? packets[start].at : nil }

    mutating func append(_ packet: UnsafeRawBufferPointer, at time: UInt64) { packets.append((time, Array(packet))) }

    mutating func removeFirst(_ pass: (UnsafeRawBufferPointer) -> Void) {
        packets[start].bytes.withUnsafeBytes(pass)
        packets[start].bytes = []
        start += 1
        guard start * 2 > packets.count, start > 256 || start == packets.count else { return }
        packets.removeFirst(start)
        start = 0
    }
}

/// The same numbers in every run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
