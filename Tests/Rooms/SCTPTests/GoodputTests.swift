import Testing

@testable import SCTP

/// What bulk data gets on simulated paths with a queue of one bandwidth-delay product, in simulated time.
@Suite struct GoodputTests {
    struct Case: CustomTestStringConvertible {
        var milliseconds: Int64
        var loss = 0.0
        var late = 0.0
        var megabits = 100.0
        var aim: Double
        var seconds: Int64 = 4
        var control = Configuration.CongestionControl.bbr
        var testDescription: String {
            "\(control), \(milliseconds) ms, \(megabits) Mbit/s, loss \(loss), late \(late)"
        }
    }

    static func path(_ test: Case) -> SimulatedPath {
        let queue = Int(test.megabits * 1e6 / 8 * Double(test.milliseconds) / 1000)
        let link = SimulatedLink(
            rate: test.megabits * 1e6, delay: .milliseconds(test.milliseconds) / 2, queue: queue, loss: test.loss,
            lateShare: test.late)
        return SimulatedPath(link)
    }

    static func pair(
        _ control: Configuration.CongestionControl, _ number: UInt8 = 0, interleaving: Bool = true
    ) -> (TestPeer, TestPeer) {
        var configuration = Configuration()
        configuration.interleaving = interleaving
        configuration.congestionControl = control
        let (left, right) = (
            TestPeer(configuration, seed: 2 * number + 1), TestPeer(configuration, seed: 2 * number + 2)
        )
        right.keepsMessages = false
        return (left, right)
    }

    @Test(arguments: [
        Case(milliseconds: 10, aim: 85), Case(milliseconds: 20, aim: 85),
        Case(milliseconds: 100, aim: 80, seconds: 7), Case(milliseconds: 20, late: 0.01, aim: 85),
        Case(milliseconds: 100, late: 0.01, aim: 80, seconds: 7),
        Case(milliseconds: 20, loss: 0.001, aim: 75), Case(milliseconds: 20, loss: 0.01, aim: 75),
        Case(milliseconds: 100, loss: 0.01, aim: 70, seconds: 7),
        Case(milliseconds: 20, megabits: 20, aim: 17), Case(milliseconds: 50, megabits: 2, aim: 1.5, seconds: 10),
        Case(milliseconds: 20, aim: 80, control: .cubic), Case(milliseconds: 20, late: 0.01, aim: 70, control: .cubic),
    ])
    func fillsPaths(_ test: Case) {
        let path = Self.path(test)
        let (left, right) = Self.pair(test.control)
        path.add(left, right, source: bulk())
        path.run(until: .seconds(test.seconds))
        let megabits = Double(right.receivedBytes) * 8 / Double(test.seconds) / 1e6
        #expect(megabits >= test.aim, "\(left.association.statistics)")
        #expect(path.spins == 0)
        #expect(left.association.statistics.timeouts == 0)
    }

    @Test(arguments: [20, 100])
    func reachesHalfTheRateWithinFiveRoundTrips(milliseconds: Int64) {
        let path = Self.path(Case(milliseconds: milliseconds, aim: 0))
        let (left, right) = Self.pair(.bbr)
        path.add(left, right, source: bulk(16_384))
        path.run(until: .seconds(2)) { left.association.state == .established }
        let start = path.now
        path.run(until: start + .milliseconds(milliseconds) * 5)
        let before = left.association.statistics.chunksSent
        path.run(until: start + .milliseconds(milliseconds) * 6)
        let sent = Double(left.association.statistics.chunksSent - before) * 1184 * 8 / Double(milliseconds) / 1000
        #expect(sent >= 46, "\(sent) Mbit/s leave after five round trips")
    }

    @Test(arguments: [(20, true), (20, false), (50, true), (100, true)])
    func sharesWithCubic(milliseconds: Int64, begins: Bool) {
        let path = Self.path(Case(milliseconds: milliseconds, megabits: 20, aim: 0))
        let (left, right) = Self.pair(begins ? .bbr : .cubic)
        let (otherLeft, otherRight) = Self.pair(begins ? .cubic : .bbr, 1)
        path.add(left, right, source: bulk())
        path.run(until: .seconds(2))
        path.add(otherLeft, otherRight, source: bulk())
        path.run(until: .seconds(15))
        let before = (right.receivedBytes, otherRight.receivedBytes)
        path.run(until: .seconds(60))
        let shares = [right.receivedBytes - before.0, otherRight.receivedBytes - before.1].map { Double($0) }
        for share in shares { #expect(share / (shares[0] + shares[1]) >= 0.3, "\(shares)") }
    }

    @Test func sharesWithItsKind() {
        let path = Self.path(Case(milliseconds: 20, megabits: 20, aim: 0))
        let (left, right) = Self.pair(.bbr)
        let (otherLeft, otherRight) = Self.pair(.bbr, 1)
        path.add(left, right, source: bulk())
        path.run(until: .seconds(3))
        path.add(otherLeft, otherRight, source: bulk())
        path.run(until: .seconds(20))
        let before = (right.receivedBytes, otherRight.receivedBytes)
        path.run(until: .seconds(50))
        let shares = [right.receivedBytes - before.0, otherRight.receivedBytes - before.1].map { Double($0) }
        for share in shares { #expect(share / (shares[0] + shares[1]) >= 0.3, "\(shares)") }
    }

    /// Priorities of data channels are weights of streams, and become shares also on a path that loses packets.
    @Test(arguments: [(true, 0.01), (false, 0)])
    func weightsAreShares(interleaving: Bool, loss: Double) {
        let path = Self.path(Case(milliseconds: 20, loss: loss, megabits: 10, aim: 0))
        let (left, right) = Self.pair(.bbr, interleaving: interleaving)
        right.keepsMessages = true
        let weights: [UInt16: UInt16] = [1: 256, 2: 1024]
        for (stream, weight) in weights { left.association.setWeight(weight, stream: stream) }
        path.add(left, right) { peer, now in
            guard peer.association.state == .established else { return }
            for stream in weights.keys.sorted() {
                while peer.association.unsentBytes(stream: stream) < 1 << 17 {
                    try? peer.send([UInt8](repeating: 7, count: 16_384), stream: stream, now: now)
                }
            }
        }
        path.run(until: .seconds(1))
        right.deliveries = []
        path.run(until: .seconds(6))
        let (low, high) = (right.messages(on: 1).count, right.messages(on: 2).count)
        #expect(low + high > 250, "\(low) and \(high) messages")
        #expect(abs(Double(high) / Double(max(1, low)) - 4) < 0.2, "\(low) and \(high) messages")
    }

    /// A small message beside bulk on another stream waits for what is under way, not for what waits.
    @Test(arguments: [true, false])
    func smallMessagesPassBulk(interleaving: Bool) throws {
        let path = Self.path(Case(milliseconds: 20, aim: 0))
        let (left, right) = Self.pair(.bbr, interleaving: interleaving)
        path.add(left, right, source: bulk(65_536, stream: 1))
        path.run(until: .seconds(3))
        right.keepsMessages = true
        var times: [Nanoseconds] = []
        for _ in 0..<40 {
            right.deliveries = []
            let start = path.now
            try left.send([1], stream: 2, now: start)
            path.serve(0)
            path.run(until: start + .seconds(5)) { right.messages.contains([1]) }
            times.append(path.now - start)
            path.run(until: path.now + .milliseconds(37))
        }
        times.sort()
        // One and a half round trips and the queue of one bandwidth-delay product.
        #expect(times[37] <= .milliseconds(30 + 20), "\(times.map { $0 / 1_000_000 })")
    }
}
