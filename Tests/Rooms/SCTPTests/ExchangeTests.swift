import Testing

@testable import SCTP

@Suite struct ExchangeTests {
    static let quiet = SimulatedLink(rate: 0, delay: .milliseconds(5))

    func connected(
        _ configuration: Configuration = Configuration(), _ other: Configuration? = nil
    ) -> (SimulatedPath, TestPeer, TestPeer) {
        let path = SimulatedPath(Self.quiet)
        let (left, right) = (TestPeer(configuration, seed: 1), TestPeer(other ?? configuration, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        return (path, left, right)
    }

    @Test func bothSidesConnectAtOnce() {
        let (_, left, right) = connected()
        #expect(left.association.state == .established)
        #expect(right.association.state == .established)
        #expect(left.events == [.established])
        #expect(right.events == [.established])
    }

    @Test(arguments: [true, false], [1, 100, 1156, 1157, 5000, 262_144])
    func carriesMessages(interleaving: Bool, size: Int) throws {
        var configuration = Configuration()
        configuration.interleaving = interleaving
        let (path, left, right) = connected(configuration)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for _ in 0..<3 { try left.send(bytes, stream: 3, now: path.now) }
        try left.send(bytes, stream: 4, isOrdered: false, now: path.now)
        path.serve(0)
        path.run(until: .seconds(20)) { right.messages.count == 4 }
        #expect(right.messages == [bytes, bytes, bytes, bytes])
        #expect(left.association.isInterleaved == interleaving)
    }
}
