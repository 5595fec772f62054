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

    @Test func aPathThatShrinksIsNoticed() throws {
        let (path, left, right) = path(1432, maximum: 1432)
        path.run(until: .seconds(5))
        #expect(left.association.statistics.packetSize == 1432)
        path.forward.largest = 1250
        // What is under way in large chunks cannot be cut again, so nothing large may be sent when it shrinks here.
        try left.send([1], now: path.now)
        path.serve(0)
        path.run(until: .seconds(6))
        #expect(right.receivedBytes == 1)
        left.association.path.noteTimeOut(path.now)
        left.association.path.noteTimeOut(path.now)
        left.association.path.noteTimeOut(path.now)
        #expect(left.association.statistics.packetSize == 1184)
        path.serve(0)
        path.run(until: .seconds(60))
        #expect((1230...1250).contains(left.association.statistics.packetSize))
    }
}
