import Testing

@testable import SCTP

/// Path MTU discovery (RFC 8899).
@Suite struct PathSearchTests {
    private func path(_ largest: Int, maximum: Int) -> (SimulatedPath, TestPeer, TestPeer) {
        var configuration = Configuration()
        configuration.maximumPacketSize = maximum
        let path = SimulatedPath(
            SimulatedLink(rate: 50e6, delay: .milliseconds(10), queue: 1 << 20, largest: largest), seed: 31)
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2))
        right.keepsMessages = false
        path.add(left, right)
        return (path, left, right)
    }

    @Test(arguments: [
        (1184, 1432), (1200, 1432), (1300, 1432), (1431, 1432), (1432, 1432), (9000, 8952), (65_000, 16_384),
    ])
    func findsTheLargestPacket(largest: Int, maximum: Int) {
        let (path, left, _) = path(largest, maximum: maximum)
        path.run(until: .seconds(30))
        let size = left.association.statistics.packetSize
        #expect(size <= largest && size > min(largest, maximum) - 24)
        #expect(left.association.state == .established)
        #expect(left.association.statistics.timeouts == 0)
    }

    @Test func usesTheSizeForData() {
        let (path, left, right) = path(1432, maximum: 1432)
        path.sources[0] = bulk()
        path.run(until: .seconds(3))
        #expect(left.association.statistics.packetSize == 1432)
        let perPacket = Double(right.receivedBytes) / Double(left.association.statistics.packetsSent)
        #expect(perPacket > 1300)
    }

    @Test(arguments: [false, true])
    func whatIsUnderWayOnAPathThatShrinksArrives(besideSmallMessages: Bool) throws {
        let (path, left, right) = path(1432, maximum: 1432)
        let message = [UInt8](repeating: 7, count: 65_536)
        var sent = 0
        path.sources[0] = { peer, now in
            guard now < .seconds(2), peer.association.state == .established else { return }
            while peer.association.isWritable, (try? peer.send(message, stream: 0, now: now)) != nil { sent += 65_536 }
        }
        path.run(until: .seconds(2))
        #expect(left.association.statistics.packetSize == 1432 && right.receivedBytes < sent)
        path.forward.largest = 1250
        for step in 1...600 as ClosedRange<Int64> where right.receivedBytes < sent {
            if besideSmallMessages {
                try left.send([1], stream: 1, now: path.now)
                sent += 1
                path.serve(0)
            }
            path.run(until: .seconds(2) + .milliseconds(100 * step))
        }
        #expect(right.receivedBytes == sent)
        #expect(left.association.state == .established && !left.association.needsFragments)
        path.run(until: path.now + .seconds(60))
        #expect((1230...1250).contains(left.association.statistics.packetSize))
    }
}
