import Testing

@testable import SCTP

/// Stream resets (RFC 6525).
@Suite struct ResetTests {
    private func connected(loss: Double = 0, interleaving: Bool = true) -> (SimulatedPath, TestPeer, TestPeer) {
        var configuration = Configuration()
        configuration.interleaving = interleaving
        let path = SimulatedPath(SimulatedLink(rate: 20e6, delay: .milliseconds(10), loss: loss), seed: 11)
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(20)) {
            left.association.state == .established && right.association.state == .established
        }
        return (path, left, right)
    }

    @Test(arguments: [0, 0.2], [true, false])
    func comesAfterWhatWasSentBefore(loss: Double, interleaving: Bool) throws {
        let (path, left, right) = connected(loss: loss, interleaving: interleaving)
        for number in 0..<20 { try left.send([UInt8](repeating: UInt8(number), count: 3000), stream: 2, now: path.now) }
        try left.send([50], stream: 3, now: path.now)
        try left.association.reset([2, 9], now: path.now)
        // What is sent afterwards waits for the answer and belongs to the new life of the stream.
        try left.send([100], stream: 2, now: path.now)
        path.serve(0)
        path.run(until: path.now + .seconds(60)) { right.messages(on: 2).count == 21 }
        let onTwo = right.deliveries.filter {
            switch $0 {
            case .message(2, _, _): true
            case .streamsReset(let streams): streams.contains(2)
            case .message: false
            }
        }
        #expect(onTwo.count == 22)
        if case .streamsReset = onTwo[20] {} else { Issue.record("the reset is not between the messages") }
        #expect(right.messages(on: 2).last == [100])
        let done = left.events.contains {
            if case .resetDone(let streams, true) = $0 { streams.contains(2) } else { false }
        }
        #expect(done)
        let place = left.association.outgoing.place(of: 2)
        #expect(left.association.outgoing[place].nextOrdered == 1)
    }

    @Test func manyAtOnce() throws {
        let (path, left, right) = connected()
        try left.association.reset(Array(0..<1000), now: path.now)
        try left.association.reset([5], now: path.now)
        path.serve(0)
        path.run(until: path.now + .seconds(5))
        var streams: [UInt16] = []
        for case .streamsReset(let some) in right.deliveries { streams += some }
        #expect(streams.sorted() == Array(0..<1000))
    }

    @Test func bothSidesAtOnce() throws {
        let (path, left, right) = connected()
        for _ in 0..<5 {
            try left.association.reset([1], now: path.now)
            try right.association.reset([1], now: path.now)
            path.serve(0)
            path.serve(1)
            path.run(until: path.now + .seconds(1))
        }
        #expect(left.deliveries == Array(repeating: .streamsReset([1]), count: 5))
        #expect(right.deliveries == left.deliveries)
    }

    private func request(_ type: UInt16, _ number: UInt32, _ rest: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        body.put(number)
        var parameters: [UInt8] = []
        parameters.put(parameter: type, body + rest)
        return .chunk(ChunkType.reconfiguration, parameters)
    }

    private func outcome(_ peer: TestPeer) -> UInt32? {
        peer.transmit(0).chunks.first { $0.type == ChunkType.reconfiguration && $0.uint16(0) == 16 }?.uint32(8)
    }

    /// Requests by hand: in order, again, out of order, before their data, for what we refuse.
    @Test func answersRequests() throws {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        func outgoing(_ number: UInt32, last: UInt32, _ streams: [UInt16]) -> [UInt8] {
            var rest: [UInt8] = []
            rest.put(script.otherTSN &- 1)
            rest.put(last)
            for stream in streams { rest.put(stream) }
            return request(ParameterType.outgoingReset, number, rest)
        }
        peer.receive(script.packet(ScriptedPeer.data(1000, stream: 6)), 0)
        peer.receive(script.packet(outgoing(1000, last: 1000, [6])), 0)
        #expect(outcome(peer) == 1)
        // The same again is answered the same way, and not carried out again.
        peer.receive(script.packet(outgoing(1000, last: 1000, [6])), 0)
        #expect(outcome(peer) == 1)
        peer.receive(script.packet(outgoing(2000, last: 1000, [6])), 0)
        #expect(outcome(peer) == 5)
        // Data before it is missing: in progress, then done.
        peer.receive(script.packet(outgoing(1001, last: 1001, [7])), 0)
        #expect(outcome(peer) == 6)
        peer.receive(script.packet(ScriptedPeer.data(1001, stream: 7)), 0)
        #expect(outcome(peer) == 1)
        // That answer was lost, and the peer asks again under another number: not carried out again.
        peer.receive(script.packet(outgoing(1002, last: 1001, [7])), 0)
        #expect(outcome(peer) == 1)
        peer.take()
        #expect(
            peer.deliveries == [
                .message(stream: 6, identifier: 53, bytes: [1, 2, 3, 4]), .streamsReset([6]),
                .message(stream: 7, identifier: 53, bytes: [1, 2, 3, 4]), .streamsReset([7]),
            ])
        peer.receive(script.packet(request(ParameterType.associationReset, 1003, [])), 0)
        #expect(outcome(peer) == 2)
        peer.receive(script.packet(request(ParameterType.addOutgoingStreams, 1004, [0, 5, 0, 0])), 0)
        #expect(outcome(peer) == 1)
        peer.receive(script.packet(request(ParameterType.addIncomingStreams, 1005, [0, 5, 0, 0])), 0)
        #expect(outcome(peer) == 2)
        // The peer asks for a reset of ours: one that was used, and one that never was.
        try? peer.send([1], stream: 3)
        _ = peer.transmit(0)
        peer.receive(script.packet(request(ParameterType.incomingReset, 1006, [0, 3])), 0)
        let chunks = peer.transmit(0).chunks.filter { $0.type == ChunkType.reconfiguration }
        #expect(chunks.map { $0.uint16(0) } == [16, 13])
        peer.receive(script.packet(request(ParameterType.incomingReset, 1007, [0, 4])), 0)
        #expect(outcome(peer) == 0)
    }

    /// Some stacks answer a number with "in progress" for ever, although the data has come meanwhile.
    @Test func asksAgainUnderAnotherNumber() throws {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        try peer.association.reset([4], now: 0)
        func asked(_ now: Nanoseconds) -> [UInt32] {
            peer.association.advance(to: now)
            return peer.transmit(now).chunks.filter { $0.type == ChunkType.reconfiguration }.map { $0.uint32(4) }
        }
        func answer(_ number: UInt32, _ outcome: StreamResets.Outcome) {
            peer.receive(script.packet(StreamResets.response(number, outcome)), 0)
            peer.take()
        }
        let first = asked(0)
        #expect(first.count == 1)
        #expect(asked(.seconds(2)) == first, "without an answer the number stays")
        answer(first[0], .inProgress)
        let second = asked(.seconds(10))
        #expect(second == [first[0] &+ 1])
        answer(second[0], .performed)
        #expect(peer.events.contains(.resetDone([4], performed: true)))
        #expect(asked(.seconds(30)).isEmpty)
    }

    @Test func needsAPeerThatCan() {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, abilities: [])
        #expect(throws: SCTPError.self) { try peer.association.reset([1], now: 0) }
    }
}
