import Testing

@testable import DataChannels

@Suite("SACK holder")
struct SACKHolderTests {
    private var holder = SACKHolder()
    private var sent: [[UInt8]] = []

    private static let header = [UInt8](repeating: 0, count: 12)

    /// A packet that is one SACK; `mark` tells it from others.
    private static func sack(_ mark: UInt8) -> [UInt8] { header + [3, 0, 0, 16] + [UInt8](repeating: mark, count: 12) }

    /// A chunk of user data.
    private static func data(_ mark: UInt8) -> [UInt8] { [0, 3, 0, 20] + [UInt8](repeating: mark, count: 16) }

    private mutating func pass(_ packet: [UInt8]) {
        packet.withUnsafeBytes { bytes in holder.pass(bytes) { sent.append(Array($0)) } }
    }

    private mutating func flush() { holder.flush { sent.append(Array($0)) } }

    @Test("of many SACKs only the latest is sent, at the end of the round")
    mutating func latest() {
        for mark in 1...5 { pass(Self.sack(UInt8(mark))) }
        #expect(sent.isEmpty)
        flush()
        #expect(sent == [Self.sack(5)])
        flush()
        #expect(sent.count == 1)
    }

    @Test("another packet is sent at once, after an earlier SACK")
    mutating func order() {
        let packet = Self.header + Self.data(1)
        pass(packet)
        pass(Self.sack(1))
        pass(packet)
        #expect(sent == [packet, Self.sack(1), packet])
        flush()
        #expect(sent.count == 3)
    }

    @Test("a packet that carries a newer SACK in front of data replaces the one that waits")
    mutating func replaced() {
        let both = Self.sack(2) + Self.data(1)
        pass(Self.sack(1))
        pass(both)
        flush()
        #expect(sent == [both])
    }

    @Test("the padding of a SACK belongs to it")
    mutating func padding() {
        // Length 18 with two bytes of padding, which usrsctp never writes.
        let padded = Self.header + [3, 0, 0, 18] + [UInt8](repeating: 1, count: 16)
        pass(padded)
        #expect(sent.isEmpty)
        flush()
        #expect(sent == [padded])
    }

    @Test("packets that only look like one are passed on", arguments: [0, 1, 11, 12, 13, 15, 16])
    mutating func short(count: Int) {
        let packet = Array((Self.header + [3, 0, 0xFF, 0xFF]).prefix(count))
        pass(packet)
        #expect(sent == [packet])
    }
}
