import Testing

@testable import SCTP

@Suite struct GoodputTests {
    struct Case: CustomTestStringConvertible {
        var milliseconds: Int64
        var loss = 0.0
        var late = 0.0
        var rate = 100.0
        var aim: Double
        var testDescription: String { "\(milliseconds) ms, loss \(loss), late \(late), \(rate) Mbit/s" }
    }

    static func goodput(
        _ test: Case, _ control: Configuration.CongestionControl, seconds: Int64, maximum: Int = 1184, seed: UInt64 = 1
    ) -> (Double, TestPeer, SimulatedPath, String) {
        var configuration = Configuration()
        configuration.congestionControl = control
        configuration.maximumPacketSize = maximum
        configuration.maxMessageSize = 1 << 20
        let queue = Int(test.rate * 1e6 / 8 * Double(test.milliseconds) / 1000)
        let link = SimulatedLink(
            rate: test.rate * 1e6, delay: .milliseconds(test.milliseconds) / 2, queue: queue, loss: test.loss,
            lateShare: test.late)
        let path = SimulatedPath(link, seed: seed)
        path.backward.loss = test.loss
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        right.keepsMessages = false
        path.add(left, right, source: bulk())
        var trace = ""
        for step in 1...(seconds * 10) {
            let before = right.receivedBytes
            path.run(until: .milliseconds(step * 100))
            let s = left.association.statistics
            trace +=
                "\(step * 100) ms: \((right.receivedBytes - before) * 8 / 100_000) Mbit/s \(s.phase) cwnd \(s.congestionWindow) fl \(s.inFlight) bw \(s.bandwidth * 8 / 1_000_000) srtt \((s.roundTrip ?? 0) / 1000) min \((s.minimumRoundTrip ?? 0) / 1000) rtx \(s.chunksRetransmitted) spur \(s.spuriousRetransmissions) to \(s.timeouts) tlp \(s.probes) drop \(path.forward.dropped)\n"
        }
        return (Double(right.receivedBytes) * 8 / Double(seconds) / 1e6, left, path, trace)
    }

    @Test func survey() {
        for control in [Configuration.CongestionControl.bbr, .cubic] {
            for test in [
                Case(milliseconds: 10, aim: 85), Case(milliseconds: 20, aim: 85), Case(milliseconds: 100, aim: 85),
                Case(milliseconds: 10, late: 0.01, aim: 85), Case(milliseconds: 20, late: 0.01, aim: 85),
                Case(milliseconds: 100, late: 0.01, aim: 85),
                Case(milliseconds: 20, loss: 0.001, aim: 75), Case(milliseconds: 20, loss: 0.01, aim: 75),
                Case(milliseconds: 100, loss: 0.001, aim: 70), Case(milliseconds: 100, loss: 0.01, aim: 70),
                Case(milliseconds: 20, rate: 500, aim: 400),
            ] {
                let (rate, left, path, _) = Self.goodput(test, control, seconds: 10)
                let s = left.association.statistics
                print(
                    control, test.testDescription, "goodput", rate, "aim", test.aim, "rtx", s.chunksRetransmitted,
                    "spurious", s.spuriousRetransmissions, "timeouts", s.timeouts, "probes", s.probes, "dropped",
                    path.forward.dropped, "lost", path.forward.lost)
            }
        }
    }
}

extension GoodputTests {
    @Test func trace() {
        print(Self.goodput(Case(milliseconds: 100, late: 0.01, aim: 85), .cubic, seconds: 4).3)
        print(Self.goodput(Case(milliseconds: 100, aim: 85), .bbr, seconds: 10).3)
    }
}
