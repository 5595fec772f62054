import Testing

@testable import SCTP

@Suite struct EndingTests {
    private func connected(loss: Double = 0) -> (SimulatedPath, TestPeer, TestPeer) {
        let path = SimulatedPath(SimulatedLink(rate: 20e6, delay: .milliseconds(10), loss: loss), seed: 21)
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        path.add(left, right)
        path.run(until: .seconds(20)) {
            left.association.state == .established && right.association.state == .established
        }
        return (path, left, right)
    }

    @Test(arguments: [0, 0.2], [true, false])
    func shutdownDeliversFirst(loss: Double, both: Bool) throws {
        let (path, left, right) = connected(loss: loss)
        for number in 0..<50 { try left.send([UInt8](repeating: UInt8(number), count: 2000), now: path.now) }
        try right.send([77], now: path.now)
        left.association.shutdown(now: path.now)
        if both { right.association.shutdown(now: path.now) }
        #expect(throws: SCTPError.self) { try left.send([1], now: path.now) }
        path.serve(0)
        path.serve(1)
        path.run(until: path.now + .seconds(60)) {
            left.association.state == .closed && right.association.state == .closed
        }
        #expect(right.messages.count == 50)
        #expect(left.messages == [[77]])
        #expect(left.events.last == .closed(.shutdown))
        #expect(right.events.last == .closed(.shutdown))
    }

    @Test func abortTellsThePeer() throws {
        let (path, left, right) = connected()
        left.association.abort("enough")
        path.serve(0)
        path.run(until: path.now + .seconds(1))
        #expect(left.events.last == .closed(.abortedHere))
        #expect(right.events.last == .closed(.abortedByPeer(cause: ErrorCause.userAbort, text: "enough")))
        #expect(left.association.nextDeadline == nil && right.association.nextDeadline == nil)
    }

    /// The ABORT was lost: a peer that goes on is told again.
    @Test func aPeerThatGoesOnIsToldAgain() throws {
        let (path, left, right) = connected()
        left.association.abort()
        _ = left.transmit(path.now)
        try right.send([1], now: path.now)
        path.serve(1)
        path.run(until: path.now + .seconds(1))
        #expect(right.association.state == .closed)
    }

    @Test func whatWasReceivedStays() throws {
        let (path, left, right) = connected()
        right.reads = false
        try left.send([1, 2], now: path.now)
        path.serve(0)
        path.run(until: path.now + .seconds(1))
        left.association.abort()
        path.serve(0)
        path.run(until: path.now + .seconds(1))
        right.reads = true
        right.take()
        #expect(right.messages == [[1, 2]])
        #expect(right.events.last == .closed(.abortedByPeer(cause: ErrorCause.userAbort, text: "")))
    }

    @Test func heartbeatsFindAPeerThatIsGone() {
        var configuration = Configuration()
        configuration.maxRetransmissions = 3
        let path = SimulatedPath(SimulatedLink(rate: 0, delay: .milliseconds(10)))
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(60))
        #expect(left.association.state == .established)
        #expect(left.association.statistics.packetsSent > 20)
        path.forward.loss = 1
        path.backward.loss = 1
        path.run(until: .seconds(90))
        #expect(left.events.last == .closed(.peerGone))
        #expect(right.events.last == .closed(.peerGone))
    }
}
