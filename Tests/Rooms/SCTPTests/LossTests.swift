import Testing

@testable import SCTP

@Suite struct LossTests {
    /// A connected peer that knows a round trip of 20 ms, and has sent `count` chunks of 1000 bytes at `now`.
    private func sending(_ count: Int, _ configuration: Configuration = Configuration()) throws -> (
        TestPeer, ScriptedPeer, first: UInt32, now: Nanoseconds
    ) {
        let peer = TestPeer(configuration, seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, roundTrip: .milliseconds(20))
        try peer.send([0])
        _ = peer.transmit(.milliseconds(40))
        let now = Nanoseconds.milliseconds(60)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN)), now)
        for _ in 0..<count { try peer.send([UInt8](repeating: 1, count: 1000), now: now) }
        #expect(peer.transmit(now).types.count == count)
        return (peer, script, script.otherTSN &+ 1, now)
    }

    private func data(_ packets: [[UInt8]]) -> [UInt32] {
        packets.chunks.filter { $0.type == ChunkType.data }.map { $0.uint32(0) }
    }

    @Test func threeLaterChunksShowALoss() throws {
        let (peer, script, first, start) = try sending(5)
        let now = start + .milliseconds(20)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &- 1, gaps: [(2, 4)])), now)
        #expect(data(peer.transmit(now)) == [first])
        #expect(peer.association.statistics.timeouts == 0)
    }

    @Test func fewerLaterChunksWaitForTheReorderingWindow() throws {
        let (peer, script, first, start) = try sending(5)
        let now = start + .milliseconds(20)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &- 1, gaps: [(2, 2)])), now)
        #expect(data(peer.transmit(now)) == [])
        // A quarter of the round trip later it counts as lost.
        let deadline = peer.deadline
        #expect(deadline == now + .milliseconds(5))
        peer.association.advance(to: deadline)
        #expect(data(peer.transmit(deadline)) == [first])
        // The time to wait grows when it turns out that the chunk was only late: it comes as a duplicate.
        let later = deadline + .milliseconds(20)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &+ 4, duplicates: [first])), later)
        #expect(peer.association.statistics.spuriousRetransmissions == 1)
        #expect(peer.association.sending.detection.hasSeenReordering)
    }

    @Test func aProbeFindsALostTail() throws {
        let (peer, script, first, start) = try sending(3)
        let deadline = peer.deadline
        #expect(deadline == start + .milliseconds(50), "two round trips and ten milliseconds")
        peer.association.advance(to: deadline)
        let probe = peer.transmit(deadline)
        #expect(data(probe) == [first &+ 2])
        #expect(probe.chunks[0].flags & ChunkFlag.immediate != 0)
        // Only one: then its acknowledgement, or the time-out, decides.
        #expect(peer.deadline >= deadline + .milliseconds(200))
        let answer = deadline + .milliseconds(20)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &- 1, gaps: [(3, 3)])), answer)
        peer.association.advance(to: answer + .milliseconds(5))
        #expect(data(peer.transmit(answer + .milliseconds(5))) == [first, first &+ 1])
        #expect(peer.association.statistics.timeouts == 0)
    }

    @Test func timeOutsDoubleAndEnd() throws {
        var configuration = Configuration()
        configuration.maxRetransmissions = 3
        configuration.heartbeatInterval = 0
        let (peer, _, first, _) = try sending(2, configuration)
        var times: [Nanoseconds] = []
        while let deadline = peer.association.nextDeadline, times.count < 20 {
            peer.association.advance(to: deadline)
            if data(peer.transmit(deadline)).contains(first) { times.append(deadline) }
        }
        peer.take()
        #expect(peer.events.last == .closed(.peerGone))
        #expect(times.count == 3)
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps == [.milliseconds(440), .milliseconds(880)])
    }

    @Test func acknowledgementsRestartTheTimer() throws {
        let (peer, script, first, start) = try sending(5)
        var now = start
        // One more is acknowledged every 150 ms: slow, but nothing is lost.
        for step in 0..<4 {
            now += .milliseconds(150)
            peer.association.advance(to: now)
            _ = peer.transmit(now)
            peer.receive(script.packet(ScriptedPeer.acknowledgement(first &+ UInt32(step))), now)
        }
        #expect(peer.association.statistics.timeouts == 0)
    }

    /// Losses in every place of a transfer, in both forms of data: everything arrives, in order.
    @Test(arguments: [true, false], [0.02, 0.1, 0.3])
    func everythingArrives(interleaving: Bool, loss: Double) throws {
        var configuration = Configuration()
        configuration.interleaving = interleaving
        let link = SimulatedLink(
            rate: 20e6, delay: .milliseconds(10), loss: loss, lateShare: 0.1, lateness: .milliseconds(15))
        let path = SimulatedPath(link, seed: 7)
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(60)) { left.association.state == .established }
        var expected: [UInt16: [[UInt8]]] = [:]
        for number in 0..<120 {
            let stream = UInt16(number % 4)
            let bytes = [UInt8](repeating: UInt8(number), count: 1 + number * number % 9000)
            expected[stream, default: []].append(bytes)
            try left.send(bytes, stream: stream, now: path.now)
        }
        path.serve(0)
        path.run(until: .seconds(600)) { right.messages.count == 120 }
        for (stream, messages) in expected {
            #expect(right.messages(on: stream) == messages)
        }
        #expect(path.spins == 0)
    }
}
