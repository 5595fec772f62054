import Testing

@testable import SCTP

@Suite struct AcknowledgementTests {
    private func accepted() -> (TestPeer, ScriptedPeer) {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        return (peer, script)
    }

    @Test func acknowledgesEverySecondPacketOrAfterTheDelay() {
        let (peer, script) = accepted()
        peer.receive(script.packet(ScriptedPeer.data(1000)), 0)
        #expect(peer.transmit(0).isEmpty)
        #expect(peer.association.nextDeadline == .milliseconds(20))
        peer.receive(script.packet(ScriptedPeer.data(1001, number: 1)), 0)
        let answer = peer.transmit(0).chunks
        #expect(answer.map(\.type) == [ChunkType.selectiveAcknowledgement])
        #expect(answer[0].uint32(0) == 1001)
        peer.receive(script.packet(ScriptedPeer.data(1002, number: 2)), .milliseconds(1))
        #expect(peer.transmit(.milliseconds(20)).isEmpty)
        #expect(peer.transmit(.milliseconds(21)).chunks[0].uint32(0) == 1002)
    }

    @Test func acknowledgesAtOnceWhatCannotWait() {
        let (peer, script) = accepted()
        // A gap, its end, a chunk that came before, and one with the I bit (RFC 7053).
        peer.receive(script.packet(ScriptedPeer.data(1001, number: 1)), 0)
        let gap = peer.transmit(0).chunks[0]
        #expect(gap.uint32(0) == 999 && gap.uint16(8) == 1 && gap.uint16(12) == 2 && gap.uint16(14) == 2)
        peer.receive(script.packet(ScriptedPeer.data(1000)), 0)
        #expect(peer.transmit(0).chunks[0].uint32(0) == 1001)
        peer.receive(script.packet(ScriptedPeer.data(1000)), 0)
        let duplicate = peer.transmit(0).chunks[0]
        #expect(duplicate.uint16(10) == 1 && duplicate.uint32(12) == 1000)
        peer.receive(script.packet(ScriptedPeer.data(1002, number: 2, flags: 3 | ChunkFlag.immediate)), 0)
        #expect(peer.transmit(0).chunks[0].uint32(0) == 1002)
        peer.take()
        #expect(peer.messages.count == 3)
    }

    @Test func oneAcknowledgementCoversABurst() {
        let (peer, script) = accepted()
        for number in 0..<50 {
            peer.receive(script.packet(ScriptedPeer.data(1000 + UInt32(number), number: UInt16(number))), 0)
        }
        #expect(peer.transmit(0).types == [ChunkType.selectiveAcknowledgement])
    }

    @Test func goesWithData() throws {
        let (peer, script) = accepted()
        peer.receive(script.packet(ScriptedPeer.data(1000)), 0)
        try peer.send([1])
        #expect(peer.transmit(0).types == [ChunkType.selectiveAcknowledgement, ChunkType.data])
        peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN)), 1)
        #expect(peer.transmit(.milliseconds(30)).isEmpty, "nothing is left to acknowledge")
    }

    // MARK: - Acknowledgements that lie

    private func sending(_ count: Int = 10) throws -> (TestPeer, ScriptedPeer, UInt32) {
        let (peer, script) = accepted()
        for _ in 0..<count { try peer.send([UInt8](repeating: 1, count: 1000)) }
        #expect(peer.transmit(0).types.count == count)
        return (peer, script, script.otherTSN)
    }

    @Test func endsForAcknowledgementsOfWhatWasNeverSent() throws {
        let (peer, script, first) = try sending()
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &+ 10)), 1)
        #expect(peer.association.state == .closed)
        #expect(peer.transmit(1).types == [ChunkType.abort])
    }

    @Test func passesOverWildGaps() throws {
        let (peer, script, first) = try sending()
        let wild: [(UInt16, UInt16)] = [(0, 0), (0, 5), (5, 2), (11, 12), (3, 60_000), (65_535, 65_535)]
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &- 1, gaps: wild)), 1)
        #expect(peer.association.state == .established)
        #expect(peer.association.statistics.bytesAcknowledged == 0)
        #expect(peer.association.statistics.inFlight == 10 * 1016)
        // More blocks announced than there are.
        var short = ScriptedPeer.acknowledgement(first &+ 2)
        short[12] = 0xFF
        peer.receive(script.packet(short), 1)
        #expect(peer.association.statistics.inFlight == 10 * 1016)
    }

    @Test func sendsAgainWhatAPeerTakesBack() throws {
        let (peer, script, first) = try sending(4)
        let now = Nanoseconds.milliseconds(20)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &- 1, gaps: [(2, 3)])), now)
        #expect(peer.association.statistics.inFlight == 2 * 1016)
        // It acknowledges the first and no longer speaks of the others: they were the next ones.
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first)), now)
        let again = peer.transmit(now).chunks.filter { $0.type == ChunkType.data }.map { $0.uint32(0) }
        #expect(again.contains(first &+ 1) && again.contains(first &+ 2))
        // An older one that was overtaken changes nothing.
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &+ 3)), now)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(first &+ 1, gaps: [(1, 1)])), now)
        #expect(peer.association.statistics.inFlight == 0)
    }

    @Test func hugeWindowsDoNotGrowTheFlight() throws {
        let (peer, script) = accepted()
        for _ in 0..<4000 { try peer.send([UInt8](repeating: 1, count: 1000)) }
        let sent = peer.transmit(0).count
        #expect(peer.association.statistics.inFlight <= Configuration().initialWindow * 1172 + 1184)
        // Acknowledgements in quick succession, as if the path were endless.
        peer.receive(
            script.packet(
                ScriptedPeer.acknowledgement(script.otherTSN &+ UInt32(sent - 1), window: .max)), .milliseconds(1))
        #expect(peer.transmit(.milliseconds(1)).count <= 4 * sent)
    }
}
