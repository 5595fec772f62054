import Foundation

/// One line between the two ends of a path, or from one of them to the benchmark. Python's peers say the same.
struct PathLine: Codable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// For the other end: a description, a candidate, a port.
        case signal
        /// What had arrived by then.
        case sample
        /// What the sender knows of the path by then.
        case state
        /// The end of the measurement.
        case done
    }

    var kind: Kind
    var type: String?
    var sdp: String?
    var line: String?
    var port: Int?
    /// Seconds since the first byte arrived; for a state, since the sender began.
    var at: Double?
    var bytes: Int?
    /// Bytes that the sender may have under way.
    var window: Int?
    var roundTripMilliseconds: Double?
    /// Milliseconds of each small message from one end to the other.
    var delays: [Double]?

    /// Says it to whoever started this program.
    func say() {
        guard let data = try? JSONEncoder().encode(self) else { return }
        FileHandle.standardOutput.write(data + [0x0A])
    }
}

/// What one run of one transport showed.
struct PathResult: Sendable {
    /// Seconds and the bytes that had arrived by then.
    var arrivals: [(at: Double, bytes: Int)] = []
    var states: [PathLine] = []
    var delays: [Double] = []

    /// Bits a second over the whole run, also while it sped up.
    var megabits: Double { rate(from: 0, to: .infinity) }

    /// Of the second half.
    var steadyMegabits: Double { rate(from: (arrivals.last?.at ?? 0) / 2, to: .infinity) }

    private func rate(from start: Double, to end: Double) -> Double {
        let inside = arrivals.filter { $0.at >= start && $0.at <= end }
        guard let first = inside.first, let last = inside.last, last.at > first.at else { return 0 }
        return Double(last.bytes - first.bytes) * 8 / (last.at - first.at) / 1e6
    }

    /// Seconds until half of the steady rate arrived over a round trip (and over no less than 20 ms, because messages of
    /// 64 KiB come a few milliseconds apart).
    func secondsToHalf(roundTrip: Double) -> Double? {
        let (aim, span) = (steadyMegabits / 2, max(roundTrip, 0.02))
        var start = 0
        for (index, later) in arrivals.enumerated() {
            // The latest sample that lies as far back.
            while start + 1 < index, arrivals[start + 1].at <= later.at - span { start += 1 }
            let earlier = arrivals[start]
            guard later.at - earlier.at >= span else { continue }
            if Double(later.bytes - earlier.bytes) * 8 / (later.at - earlier.at) / 1e6 >= aim { return later.at }
        }
        return nil
    }

    /// Megabits a second over time, in steps of a tenth of a second.
    var goodput: [(Double, Double)] {
        guard var earlier = arrivals.first else { return [] }
        var points: [(Double, Double)] = []
        for later in arrivals where later.at - earlier.at >= 0.095 {
            points.append((later.at, Double(later.bytes - earlier.bytes) * 8 / (later.at - earlier.at) / 1e6))
            earlier = later
        }
        return points
    }
}
