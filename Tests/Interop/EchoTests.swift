import DataChannels
import Testing

/// Real foreign peers, in both roles, with text and binary of 0 bytes to 1 MiB.
@Suite("Interop", .serialized, .timeLimit(.minutes(2)))
struct EchoTests {
    @Test("aiortc", arguments: Meeting.Offerer.allCases)
    func aiortc(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.aiortc())
        // aiortc accepts 64 KiB unless told otherwise and says so in its description.
        try await talk(meeting, offerer: offerer, sizes: [1, 2, 1171, 1172, 16_384, 65_535, 65_536])
        await meeting.end()
    }

    @Test("Chromium", arguments: Meeting.Offerer.allCases)
    func chromium(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.chromium())
        try await talk(meeting, offerer: offerer, sizes: [0, 1, 2, 1171, 1172, 16_384, 65_536, 262_144])
        await meeting.end()
    }

    /// Sends on a channel of the offerer's making and expects everything back.
    private func talk(_ meeting: Meeting, offerer: Meeting.Offerer, sizes: [Int]) async throws {
        let ours = offerer == .we ? try meeting.connection.createDataChannel(label: "from us") : nil
        try await meeting.connect(offerer: offerer)
        let channel = if let ours { ours } else { try await meeting.channel() }
        let (messages, sink) = AsyncStream<DataChannelMessage>.makeStream()
        channel.setHandlers(onMessage: { sink.yield($0) }, onClose: { sink.finish() })
        let expected = sizes.flatMap { size -> [DataChannelMessage] in
            [.text(String(repeating: "ü", count: size / 2) + (size % 2 == 1 ? "x" : "")), .binary(pattern(size))]
        }
        for message in expected { try channel.send(message) }
        var index = 0
        for await message in messages {
            #expect(message == expected[index], "message \(index) of \(expected[index].byteCount) bytes")
            index += 1
            if index == expected.count { break }
        }
        #expect(index == expected.count)
        channel.close()
        for await label in meeting.closed {
            #expect(label == channel.label)
            break
        }
    }

    private func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) } }
}
