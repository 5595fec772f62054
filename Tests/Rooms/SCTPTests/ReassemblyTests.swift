import Testing

@testable import SCTP

/// Pieces in any order make the messages that were cut.
@Suite struct ReassemblyTests {
    private struct Cut {
        var chunks: [[UInt8]] = []
        var messages: [UInt16: [[UInt8]]] = [:]
    }

    /// Messages on three streams as chunks with consecutive TSNs from `tsn`.
    private func cut(_ count: Int, tsn: UInt32, number: UInt32, interleaved: Bool, _ random: inout SeededNumbers) -> Cut
    {
        var cut = Cut()
        var tsn = tsn
        var next = [number, number, number]
        for message in 0..<count {
            let stream = Int.random(in: 0..<3, using: &random)
            let bytes = (0..<Int.random(in: 1...40, using: &random)).map { UInt8(truncatingIfNeeded: $0 + message) }
            cut.messages[UInt16(stream), default: []].append(bytes)
            var offset = 0
            var fragment: UInt32 = 0
            while offset < bytes.count {
                let size = min(bytes.count - offset, Int.random(in: 1...12, using: &random))
                var flags: UInt8 = offset == 0 ? ChunkFlag.beginning : 0
                if offset + size == bytes.count { flags |= ChunkFlag.ending }
                let piece = Array(bytes[offset..<offset + size])
                if interleaved {
                    var body: [UInt8] = []
                    body.put(tsn)
                    body.put(UInt16(stream))
                    body.put(UInt16(0))
                    body.put(next[stream])
                    body.put(offset == 0 ? 53 : fragment)
                    cut.chunks.append(.chunk(ChunkType.interleavedData, flags: flags, body + piece))
                } else {
                    cut.chunks.append(
                        ScriptedPeer.data(
                            tsn, stream: UInt16(stream), number: UInt16(truncatingIfNeeded: next[stream]), flags: flags,
                            piece))
                }
                tsn &+= 1
                fragment += 1
                offset += size
            }
            next[stream] &+= 1
        }
        return cut
    }

    private func check(_ seed: UInt64, tsn: UInt32, number: UInt32, interleaved: Bool) {
        var random = SeededNumbers(state: seed)
        var script = ScriptedPeer()
        script.initialTSN = tsn
        let peer = TestPeer(seed: 1)
        var abilities: Abilities = [.partialReliability, .reconfiguration]
        if interleaved { abilities.insert(.interleaving) }
        script.accept(peer, abilities: abilities)
        for stream: UInt16 in 0..<3 where number > 0 {
            peer.association.receiving.streams.moveOn(stream, to: number)
        }
        let cut = cut(60, tsn: tsn, number: number, interleaved: interleaved, &random)
        // Some come twice, and all in an order that is mixed within a window.
        var waiting = cut.chunks
        waiting += cut.chunks.filter { _ in Bool.random(using: &random) }
        for index in waiting.indices {
            waiting.swapAt(index, min(waiting.count - 1, index + Int.random(in: 0..<30, using: &random)))
        }
        for chunk in waiting {
            peer.receive(script.packet(chunk), 0)
            if Bool.random(using: &random) { peer.take() }
            _ = peer.transmit(0)
        }
        peer.take()
        for (stream, messages) in cut.messages {
            let isRight = peer.messages(on: stream) == messages
            #expect(isRight, "seed \(seed)")
        }
        #expect(peer.association.receiving.size == 0, "nothing is held any more")
        #expect(peer.association.receiving.tsns.cumulative == tsn &+ UInt32(cut.chunks.count - 1))
    }

    @Test(arguments: [true, false]) func anyOrder(interleaved: Bool) {
        for seed in 1...60 { check(UInt64(seed), tsn: 1000, number: 0, interleaved: interleaved) }
    }

    /// TSN, SSN and MID wrap around.
    @Test(arguments: [true, false]) func numbersWrapAround(interleaved: Bool) {
        for seed in 1...20 {
            check(UInt64(seed), tsn: .max - 40, number: interleaved ? .max - 5 : 0xFFFA, interleaved: interleaved)
        }
    }

    @Test func ourOwnNumbersWrapAround() throws {
        let path = SimulatedPath(SimulatedLink(rate: 20e6, delay: .milliseconds(5), loss: 0.05), seed: 3)
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        left.association.own.initialTSN = .max - 100
        left.association.sending = Sending(firstTSN: .max - 100)
        path.add(left, right)
        path.run(until: .seconds(5)) { left.association.state == .established }
        let place = left.association.outgoing.place(of: 0)
        left.association.outgoing[place].nextOrdered = .max - 10
        right.association.receiving.streams.moveOn(0, to: .max - 10)
        for number in 0..<200 { try left.send([UInt8](repeating: UInt8(number), count: 2000), now: path.now) }
        path.serve(0)
        path.run(until: .seconds(60)) { right.messages.count == 200 }
        let isInOrder = right.messages.map { $0[0] } == (0..<200).map { UInt8($0) }
        #expect(isInOrder)
    }

    @Test(arguments: [true, false]) func tooLargeMessagesEndTheAssociation(interleaved: Bool) throws {
        var (one, other) = (Configuration(), Configuration())
        one.interleaving = interleaved
        other.maxMessageSize = 10_000
        let path = SimulatedPath(SimulatedLink(rate: 0, delay: .milliseconds(5)))
        let (left, right) = (TestPeer(one, seed: 1), TestPeer(other, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        try left.send([UInt8](repeating: 1, count: 10_000), now: path.now)
        try left.send([UInt8](repeating: 1, count: 10_001), now: path.now)
        path.serve(0)
        path.run(until: .seconds(3))
        #expect(right.messages.count == 1)
        #expect(right.events.last == .closed(.messageTooLarge))
        #expect(left.association.state == .closed)
    }
}

extension IncomingStreams {
    /// Takes a stream to a number, in steps that are each a way forward.
    fileprivate mutating func moveOn(_ stream: UInt16, to number: UInt32) {
        for part in 1...4 { skip(stream, through: UInt32(UInt64(number) * UInt64(part) / 4) &- 1) }
    }
}
