import Errors
import Testing

@testable import SCTP

/// The receive window: what is not read holds the peer back, and memory is bounded whatever comes.
@Suite struct WindowTests {
    private func connected(_ configuration: Configuration) -> (SimulatedPath, TestPeer, TestPeer) {
        let path = SimulatedPath(SimulatedLink(rate: 100e6, delay: .milliseconds(5)))
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        return (path, left, right)
    }

    @Test func aPeerThatDoesNotReadIsWaitedFor() throws {
        var configuration = Configuration()
        configuration.receiveWindow = 600_000
        let (path, left, right) = connected(configuration)
        right.reads = false
        let message = [UInt8](repeating: 5, count: 10_000)
        for _ in 0..<300 { try left.send(message, now: path.now) }
        path.serve(0)
        path.run(until: path.now + .seconds(20))
        #expect(right.association.receiving.size <= 600_000 + 10_000)
        #expect(left.association.unsentBytes > 2_000_000)
        #expect(left.association.state == .established && right.association.state == .established)
        // Events still come while messages wait.
        try right.association.reset([1], now: path.now)
        path.serve(1)
        path.run(until: path.now + .seconds(1))
        #expect(right.events.contains(.resetDone([1], performed: true)))
        // As soon as it reads, the rest comes quickly: the window is announced.
        right.reads = true
        path.serve(1)
        let start = path.now
        path.run(until: path.now + .seconds(20)) { right.messages.count == 300 }
        #expect(path.now - start < .seconds(2))
    }

    @Test func aClosedWindowIsAskedForAndNeverEndsTheAssociation() throws {
        var configuration = Configuration()
        configuration.maxRetransmissions = 3
        let peer = TestPeer(configuration, seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, roundTrip: .milliseconds(20), window: 2000)
        var now = Nanoseconds.milliseconds(40)
        for _ in 0..<10 { try peer.send([UInt8](repeating: 1, count: 1000), now: now) }
        var asked = 0
        _ = peer.transmit(now)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN &+ 1, window: 0)), now)
        for _ in 0..<60 {
            let packets = peer.transmit(now)
            let data = packets.chunks.filter { $0.type == ChunkType.data }
            #expect(data.count <= 1, "one chunk asks, not more")
            asked += data.count
            // The peer drops it and repeats that it has no room.
            if !data.isEmpty {
                peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN &+ 1, window: 0)), now)
            }
            now = min(peer.deadline, now + .seconds(10))
            peer.association.advance(to: now)
        }
        #expect(asked > 5)
        #expect(peer.association.state == .established)
        peer.receive(script.packet(ScriptedPeer.acknowledgement(script.otherTSN &+ 1, window: 100_000)), now)
        var sent = 0
        for _ in 0..<100 {
            sent += peer.transmit(now).chunks.filter { $0.type == ChunkType.data }.count
            now = min(peer.deadline, now + .seconds(1))
            peer.association.advance(to: now)
        }
        #expect(sent >= 7)
    }

    /// A peer that ignores the window, and fills it with pieces that never become whole.
    @Test(arguments: [true, false])
    func piecesWithoutEndAreBounded(interleaved: Bool) {
        var configuration = Configuration()
        configuration.receiveWindow = 1 << 20
        let peer = TestPeer(configuration, seed: 1)
        var script = ScriptedPeer()
        script.accept(peer, abilities: interleaved ? [.interleaving, .partialReliability] : [.partialReliability])
        // Every second TSN, one byte each, as the middle of a message: the worst relation of cost and bytes.
        for number in 0..<100_000 {
            let tsn = 1001 &+ 2 * UInt32(number)
            let stream = UInt16(number % 60_000)
            if interleaved {
                var body: [UInt8] = []
                for value: UInt32 in [tsn, UInt32(stream) << 16, UInt32(number), 5] { body.put(value) }
                peer.receive(script.packet(.chunk(ChunkType.interleavedData, flags: 0, body + [1])), 0)
            } else {
                peer.receive(script.packet(ScriptedPeer.data(tsn, stream: stream, flags: 0, [1])), 0)
            }
            if number % 64 == 0 { _ = peer.transmit(0) }
        }
        peer.take()
        #expect(peer.association.state == .established)
        #expect(peer.association.receiving.size <= (1 << 20) + 4096)
        #expect(peer.association.room < 2048 || peer.association.receiving.tsns.countBehindGaps < 40_000)
        let answer = peer.transmit(0)
        for packet in answer { #expect(packet.count <= 1184) }
    }

    /// Ordered messages behind one that never comes.
    @Test func messagesThatWaitForTheirTurnAreBounded() {
        var configuration = Configuration()
        configuration.receiveWindow = 1 << 20
        let peer = TestPeer(configuration, seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        for number in 0..<60_000 {
            peer.receive(
                script.packet(ScriptedPeer.data(1000 + UInt32(number), number: UInt16(number + 1), flags: 3, [1])), 0)
        }
        #expect(peer.association.receiving.size <= (1 << 20) + Configuration().maxMessageSize + 4096)
        peer.take()
        #expect(peer.messages.isEmpty)
    }

    @Test func theSenderIsLimitedToo() throws {
        var configuration = Configuration()
        configuration.sendLimit = 100_000
        configuration.sendThreshold = 50_000
        let (path, left, _) = connected(configuration)
        var error: SCTPError?
        for _ in 0..<20 {
            do { try left.send([UInt8](repeating: 1, count: 10_000), stream: 2, now: path.now) } catch {
                _ = error
            }
        }
        #expect(left.association.unsentBytes == 100_000)
        #expect(left.association.unsentBytes(stream: 2) == 100_000)
        let isWritable = left.association.isWritable
        #expect(!isWritable)
        do {
            try left.association.send(OutgoingMessage([1], stream: 2, identifier: 1), now: path.now)
        } catch let caught { error = caught }
        #expect(error?.code == .limit)
        path.serve(0)
        path.run(until: path.now + .seconds(1))
        #expect(left.events.contains(.writable))
        #expect(left.association.unsentBytes == 0)
        #expect(throws: SCTPError.self) { try left.send([], now: path.now) }
        #expect(throws: SCTPError.self) { try left.send([1], stream: 65_535, now: path.now) }
    }

    @Test func whatWasNotBegunCanBeDropped() throws {
        let (path, left, right) = connected(Configuration())
        try left.send([UInt8](repeating: 1, count: 200_000), stream: 1, now: path.now)
        for _ in 0..<10 { try left.send([2], stream: 1, now: path.now) }
        try left.send([3], stream: 2, now: path.now)
        path.serve(0)
        left.association.discardUnsent(stream: 1)
        path.run(until: path.now + .seconds(2))
        #expect(right.messages(on: 1).allSatisfy { $0.count == 200_000 })
        #expect(right.messages(on: 2) == [[3]])
        #expect(left.association.unsentBytes == 0)
    }
}
