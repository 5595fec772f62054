import Testing

@testable import SCTP

/// What a peer might do to use up memory or time.
@Suite struct ExhaustionTests {
    private func accepted(abilities: Abilities = [.partialReliability, .reconfiguration]) -> (TestPeer, ScriptedPeer) {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, abilities: abilities)
        return (peer, script)
    }

    @Test func wishesForResetsOfStreamsThatWereNeverUsedCostNothing() {
        let (peer, script) = accepted()
        for number in 0..<100 as Range<UInt32> {
            var body: [UInt8] = []
            body.put(1000 + number)
            for stream in 0..<100 as Range<UInt16> { body.put(UInt16(number) * 100 + stream) }
            var parameters: [UInt8] = []
            parameters.put(parameter: ParameterType.incomingReset, body)
            peer.receive(script.packet(.chunk(ChunkType.reconfiguration, parameters)), 0)
            let answers = peer.transmit(0).chunks.filter { $0.type == ChunkType.reconfiguration }
            #expect(answers.map { $0.uint16(0) } == [ParameterType.reconfigurationResponse])
        }
        #expect((0..<10_000 as Range<UInt16>).allSatisfy { peer.association.outgoing.known($0) == nil })
    }

    /// A program that does not read is told of no more resets than its window has room for; the next ones wait.
    @Test func resetsThatNobodyReadsWait() {
        let (peer, script) = accepted()
        peer.reads = false
        func ask(_ number: UInt32) -> UInt32? {
            var body: [UInt8] = []
            for value in [number, script.otherTSN &- 1, 999] { body.put(value) }
            var parameters: [UInt8] = []
            parameters.put(parameter: ParameterType.outgoingReset, body)
            peer.receive(script.packet(.chunk(ChunkType.reconfiguration, parameters)), 0)
            return peer.transmit(0).chunks.first { $0.type == ChunkType.reconfiguration }?.uint32(8)
        }
        let window = peer.association.configuration.receiveWindow
        var number: UInt32 = 1000
        while ask(number) == 1, number < 1_000_000 { number += 1 }
        #expect(Int(number - 1000) <= window / IncomingStreams.overhead + 1)
        peer.reads = true
        peer.take()
        #expect(peer.deliveries.count == Int(number - 1000) + 1)
        #expect(ask(number + 1) == 1)
    }

    /// The first TSN of a message is that of its first piece, also if that had to wait while others took TSNs. Otherwise another
    /// message would be given up in its place.
    @Test func aMessageThatWaitedBeginsWithItsFirstPiece() {
        var streams = OutgoingStreams()
        let message = QueuedMessage(
            bytes: [1, 2, 3, 4], identifier: 53, isOrdered: true, maxTransmissions: .max, expiry: .seconds(1))
        streams.append(message, to: 3)
        let place = streams.place(of: 3)
        let hasBegun = streams.beginNext(place, now: 0, wraps: false)
        #expect(hasBegun)
        let pieces = [(2, UInt32(9)), (2, 12)].map {
            streams.take($0.0, place, tsn: $0.1, transmission: Transmission())
        }
        #expect(pieces.map(\.firstTSN) == [9, 9])
        #expect(pieces.map(\.flags) == [ChunkFlag.beginning, ChunkFlag.ending])
    }

    /// A packet may name a stream many times; the highest number counts, and each message is looked at once.
    @Test func whatIsSkippedManyTimesIsSkippedOnce() {
        let (peer, script) = accepted(abilities: [.partialReliability, .reconfiguration, .interleaving])
        func data(_ tsn: UInt32, _ number: UInt32, flags: UInt8) -> [UInt8] {
            var body: [UInt8] = []
            body.put(tsn)
            body.put(UInt16(5))
            body.put(UInt16(0))
            body.put(number)
            body.put(UInt32(53))
            return .chunk(ChunkType.interleavedData, flags: flags, body + [1, 2, 3])
        }
        // Beginnings of messages, and one that is whole and waits for those.
        for number in 0..<50 as Range<UInt32> {
            peer.receive(script.packet(data(1001 + number, number, flags: ChunkFlag.beginning)), 0)
        }
        peer.receive(script.packet(data(1051, 50, flags: ChunkFlag.beginning | ChunkFlag.ending)), 0)
        peer.take()
        #expect(peer.messages.isEmpty)
        var body: [UInt8] = []
        body.put(UInt32(1050))
        for number in [3, 49, 7] as [UInt32] {
            body.put(UInt16(5))
            body.put(UInt16(0))
            body.put(number)
        }
        peer.receive(script.packet(.chunk(ChunkType.interleavedForwardTSN, body)), 0)
        peer.take()
        #expect(peer.messages == [[1, 2, 3]])
        #expect(peer.association.receiving.size == 0)
        #expect(peer.association.receiving.tsns.cumulative == 1051)
    }

    /// Also where a stream is refused, what was kept behind it moves on.
    @Test func whatIsKeptBehindARefusedStreamGoesOn() {
        let peer = TestPeer(
            {
                var configuration = Configuration(); configuration.streams = 10; return configuration
            }(), seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        peer.receive(script.packet(ScriptedPeer.data(1001, flags: ChunkFlag.beginning)), 0)
        peer.receive(script.packet(ScriptedPeer.data(1000, stream: 10)), 0)
        peer.receive(script.packet(ScriptedPeer.data(1002, flags: ChunkFlag.ending)), 0)
        peer.take()
        #expect(peer.messages == [[1, 2, 3, 4, 1, 2, 3, 4]])
        #expect(peer.association.receiving.size == 0)
    }
}
