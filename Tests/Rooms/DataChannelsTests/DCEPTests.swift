import Testing

@testable import DataChannels

@Suite("DCEP")
struct DCEPTests {
    static let openings: [(DCEP.Open, [UInt8])] = [
        (DCEP.Open(), [3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (DCEP.Open(label: "ab", subprotocol: "c"), [3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0x61, 0x62, 0x63]),
        (
            DCEP.Open(isOrdered: false, reliability: .maxRetransmits(3), priority: 0x0102),
            [3, 0x81, 1, 2, 0, 0, 0, 3, 0, 0, 0, 0]
        ),
        (
            DCEP.Open(reliability: .maxPacketLifeTime(0x0102_0304)),
            [3, 0x02, 1, 0, 1, 2, 3, 4, 0, 0, 0, 0]
        ),
    ]

    @Test("DATA_CHANNEL_OPEN reads and writes as RFC 8832 section 5.1 draws it", arguments: openings)
    func open(open: DCEP.Open, bytes: [UInt8]) throws {
        #expect(DCEP.open(open).bytes == bytes)
        #expect(try DCEP(bytes) == .open(open))
    }

    @Test("DATA_CHANNEL_ACK is one byte")
    func acknowledge() throws {
        #expect(DCEP.acknowledge.bytes == [2])
        #expect(try DCEP([2]) == .acknowledge)
    }

    @Test("every message cut short or prolonged is refused")
    func truncated() {
        for (_, bytes) in Self.openings {
            for count in 0..<bytes.count {
                #expect(throws: PeerConnectionError.self) { try DCEP(Array(bytes[..<count])) }
            }
            #expect(throws: PeerConnectionError.self) { try DCEP(bytes + [0]) }
        }
    }

    @Test("every small input is read or refused, and read messages are written back")
    func exhaustive() throws {
        var read = 0
        func check(_ bytes: [UInt8]) throws {
            guard let message = try? DCEP(bytes) else { return }
            read += 1
            #expect(try DCEP(message.bytes) == message)
        }
        try check([])
        for first in UInt8.min...UInt8.max {
            try check([first])
            for second in UInt8.min...UInt8.max {
                try check([first, second])
                try check([3, first, 0, 0, 0, 0, 0, 0, 0, 0, 0, second])
                try check([3, 0, 0, 0, 0, 0, 0, 0, 0, first & 1, 0, 0, second])
            }
        }
        #expect(read > 256)
    }

    @Test("labels that are not UTF-8 are refused")
    func badLabel() {
        #expect(throws: PeerConnectionError.self) { try DCEP([3, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0xFF]) }
    }
}

@Suite("Messages in pieces")
struct ReassemblyTests {
    @Test("pieces of several streams are joined separately")
    func streams() {
        var reassembly = Reassembly(limit: 100)
        #expect(reassembly.add([1], stream: 1, identifier: 52) == .incomplete)
        #expect(reassembly.add([9], stream: 2, identifier: 54) == .incomplete)
        #expect(reassembly.add([7], stream: 3, identifier: 53) == .complete([7]))
        #expect(reassembly.add([2], stream: 1, identifier: 53) == .complete([1, 2]))
        #expect(reassembly.add([8], stream: 2, identifier: 51) == .complete([9, 8]))
    }

    @Test("a message above the limit is refused however it is cut")
    func limit() {
        var reassembly = Reassembly(limit: 4)
        #expect(reassembly.add([1, 2, 3, 4], stream: 1, identifier: 53) == .complete([1, 2, 3, 4]))
        #expect(reassembly.add([1, 2, 3, 4, 5], stream: 1, identifier: 53) == .tooLarge)
        #expect(reassembly.add([1, 2, 3], stream: 1, identifier: 52) == .incomplete)
        #expect(reassembly.add([4, 5], stream: 1, identifier: 52) == .tooLarge)
    }

    @Test("all pieces together are bounded, and a stream that begins anew makes room")
    func total() {
        var reassembly = Reassembly(limit: 1 << 20)
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        #expect(reassembly.add(piece, stream: 1, identifier: 52) == .incomplete)
        #expect(reassembly.add(piece, stream: 2, identifier: 52) == .incomplete)
        reassembly.forget([1])
        #expect(reassembly.add(piece, stream: 3, identifier: 52) == .incomplete)
        #expect(reassembly.add([5], stream: 1, identifier: 53) == .complete([5]))
        #expect(reassembly.add(piece, stream: 4, identifier: 52) == .tooLarge)
    }
}
