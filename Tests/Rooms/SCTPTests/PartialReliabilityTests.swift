import Testing

@testable import SCTP

/// Messages that are given up (RFC 3758, RFC 7496, RFC 8260 section 2.3).
@Suite struct PartialReliabilityTests {
    private func connected(
        _ link: SimulatedLink, interleaving: Bool, seed: UInt64 = 5
    ) -> (SimulatedPath, TestPeer, TestPeer) {
        var configuration = Configuration()
        configuration.interleaving = interleaving
        let path = SimulatedPath(SimulatedLink(rate: 0, delay: .milliseconds(10)), seed: seed)
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        path.forward = link
        return (path, left, right)
    }

    @Test(arguments: [true, false], [true, false])
    func retransmissionsAreLimited(interleaving: Bool, isOrdered: Bool) throws {
        let link = SimulatedLink(rate: 50e6, delay: .milliseconds(10), loss: 0.2)
        let (path, left, right) = connected(link, interleaving: interleaving)
        for number in 0..<300 {
            try left.send(
                [UInt8(number % 250)] + [UInt8](repeating: 0, count: number % 3 * 1500), stream: 4,
                isOrdered: isOrdered,
                reliability: .maxRetransmits(0), now: path.now)
            // One that must arrive, in between.
            if number % 10 == 0 { try left.send([UInt8(number / 10)], stream: 5, now: path.now) }
        }
        path.serve(0)
        path.run(until: .seconds(30)) { left.association.sending.chunks.isEmpty && left.association.unsentBytes == 0 }
        let received = right.messages(on: 4)
        #expect(received.count > 100 && received.count < 300)
        #expect(left.association.statistics.messagesAbandoned > 20)
        #expect(right.messages(on: 5).map { $0[0] } == (0..<30).map { UInt8($0) })
        if isOrdered {
            let numbers = received.map { Int($0[0]) }
            let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy { ($1 - $0 + 250) % 250 < 125 }
            #expect(isInOrder)
        }
        #expect(right.association.receiving.size == 0, "nothing of what was given up is held")
        // The stream goes on.
        path.forward.loss = 0
        try left.send([99], stream: 4, isOrdered: isOrdered, now: path.now)
        path.serve(0)
        path.run(until: path.now + .seconds(2))
        #expect(right.messages(on: 4).last == [99])
    }

    @Test(arguments: [true, false])
    func lifetimesEndWhatIsLateAndWhatWaits(interleaving: Bool) throws {
        // 200 messages of 1000 bytes need 1.6 s at 1 Mbit/s, and may take 300 ms.
        let link = SimulatedLink(rate: 1e6, delay: .milliseconds(10), queue: 20_000, loss: 0.1)
        let (path, left, right) = connected(link, interleaving: interleaving)
        for number in 0..<200 {
            try left.send(
                [UInt8](repeating: UInt8(number), count: 1000), stream: 1, reliability: .lifetime(.milliseconds(300)),
                now: path.now)
        }
        path.serve(0)
        let start = path.now
        path.run(until: .seconds(30)) { left.association.sending.chunks.isEmpty && left.association.unsentBytes == 0 }
        #expect(path.now - start < .seconds(2))
        #expect(right.messages.count > 5 && right.messages.count < 60)
    }

    /// A long message of which only a part was sent and acknowledged: the rest is given up, and the next one arrives.
    @Test(arguments: [true, false], [true, false])
    func givesUpTheRestOfAMessage(interleaving: Bool, isOrdered: Bool) throws {
        let link = SimulatedLink(rate: 1e6, delay: .milliseconds(10), queue: 1 << 20)
        let (path, left, right) = connected(link, interleaving: interleaving)
        try left.send(
            [UInt8](repeating: 1, count: 200_000), stream: 1, isOrdered: isOrdered,
            reliability: .lifetime(.milliseconds(400)), now: path.now)
        path.serve(0)
        path.run(until: path.now + .milliseconds(450))
        try left.send([2], stream: 1, isOrdered: isOrdered, now: path.now)
        path.serve(0)
        path.run(until: path.now + .seconds(5))
        #expect(right.messages == [[2]])
        #expect(left.association.statistics.messagesAbandoned == 1)
        #expect(left.events.contains(.abandoned(stream: 1)))
        #expect(right.association.receiving.size == 0)
        #expect(left.association.sending.chunks.isEmpty)
    }

    /// The chunk on the wire (RFC 3758 section 3.2).
    @Test func forwardsTheTSN() throws {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, roundTrip: .milliseconds(20))
        let now = Nanoseconds.milliseconds(40)
        for number in 0..<5 {
            try peer.send(
                [UInt8(number)] + [UInt8](repeating: 0, count: 900), stream: 7, reliability: .maxRetransmits(0),
                now: now)
        }
        _ = peer.transmit(now)
        let later = now + .milliseconds(20)
        peer.receive(
            script.packet(ScriptedPeer.acknowledgement(script.otherTSN &- 1, gaps: [(3, 5)])), later)
        let forward = try #require(peer.transmit(later).chunks.first { $0.type == ChunkType.forwardTSN })
        #expect(forward.uint32(0) == script.otherTSN &+ 1)
        #expect(forward.body.count == 8 && forward.uint16(4) == 7 && forward.uint16(6) == 1)
        // It is repeated until the peer has moved.
        peer.association.advance(to: later + .seconds(1))
        #expect(peer.transmit(later + .seconds(1)).types.contains(ChunkType.forwardTSN))
        peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN &+ 4)), later + .seconds(1))
        #expect(peer.association.sending.chunks.isEmpty)
        #expect(peer.association.statistics.chunksRetransmitted == 0)
    }

    /// What a FORWARD TSN can do to the receiver.
    @Test func skipsWhatThePeerGaveUp() {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        func forward(_ tsn: UInt32, _ streams: [(UInt16, UInt16)]) -> [UInt8] {
            var body: [UInt8] = []
            body.put(tsn)
            for (stream, number) in streams {
                body.put(stream)
                body.put(number)
            }
            return .chunk(ChunkType.forwardTSN, body)
        }
        // 1000 is lost; 1001 waits for it; 1002 and 1003 are the start of a message.
        peer.receive(script.packet(ScriptedPeer.data(1001, stream: 3, number: 1, [11])), 0)
        peer.receive(script.packet(ScriptedPeer.data(1003, stream: 4, number: 0, flags: 0, [13])), 0)
        peer.receive(script.packet(ScriptedPeer.data(1005, stream: 4, number: 1, [15])), 0)
        peer.take()
        #expect(peer.messages.isEmpty)
        peer.receive(script.packet(forward(1000, [(3, 0)])), 0)
        peer.take()
        #expect(peer.messages == [[11]])
        peer.receive(script.packet(forward(1004, [(4, 0)])), 0)
        peer.take()
        #expect(peer.messages == [[11], [15]])
        #expect(peer.association.receiving.tsns.cumulative == 1005)
        #expect(peer.association.receiving.size == 0)
        // Old ones, wild ones and broken ones change nothing.
        for chunk in [forward(1000, []), forward(1005 &+ 70_000, []), [192, 0, 0, 6, 1, 2, 0, 0]] {
            peer.receive(script.packet(chunk), 0)
        }
        #expect(peer.association.receiving.tsns.cumulative == 1005)
    }
}
