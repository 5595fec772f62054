import DataChannels
import Testing

/// What libdatachannel, which has usrsctp below, and our channels promise each other beyond an echo, in both roles.
@Suite("Channels with libdatachannel", .serialized, .timeLimit(.minutes(5)))
struct LibdatachannelTests {
    typealias Offerer = Meeting.Offerer

    /// Connected, with the first channel, which the offerer made.
    private func meet(_ offerer: Offerer, _ work: (Meeting, DataChannel) async throws -> Void) async throws {
        let meeting = try Meeting(ForeignPeer.libdatachannel())
        try await meeting.held {
            let ours = offerer == .we ? try meeting.connection.createDataChannel(label: "first") : nil
            try await meeting.connect(offerer: offerer)
            let channel = if let ours { ours } else { try await meeting.channel() }
            try await work(meeting, channel)
        }
    }

    private func block(_ number: Int) -> DataChannelMessage {
        .binary([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 + number * 397 % 40_000))
    }

    @Test(
        "unordered and unreliable channels carry everything where nothing is lost", arguments: Offerer.allCases,
        [
            DataChannelConfiguration(isOrdered: false),
            DataChannelConfiguration(isOrdered: false, reliability: .maxRetransmits(3)),
            DataChannelConfiguration(reliability: .maxRetransmits(0)),
            DataChannelConfiguration(isOrdered: false, reliability: .maxPacketLifeTime(milliseconds: 60_000)),
        ])
    func kinds(_ offerer: Offerer, _ configuration: DataChannelConfiguration) async throws {
        try await meet(offerer) { meeting, _ in
            let channel = try meeting.connection.createDataChannel(label: "kind", configuration: configuration)
            // Few enough that neither side's socket drops any: a message that may not be sent again would be lost.
            let messages = (0..<12).map { block($0) } + [.text("ü")]
            for message in messages { try channel.send(message) }
            var received: [DataChannelMessage] = []
            var inbox = channel.messages.makeAsyncIterator()
            while received.count < messages.count, let message = await inbox.next() { received.append(message) }
            #expect(Set(received) == Set(messages))
            if configuration.isOrdered { #expect(received == messages) }
        }
    }

    @Test("channels are closed from either side, and new ones take their streams", arguments: Offerer.allCases)
    func resets(_ offerer: Offerer) async throws {
        try await meet(offerer) { meeting, first in
            var closed = meeting.closed.makeAsyncIterator()
            var identifiers: Set<UInt16> = []
            for turn in 0..<6 {
                let label = "turn \(turn)"
                let channel: DataChannel
                if turn % 2 == 0 {
                    channel = try meeting.connection.createDataChannel(label: label)
                } else {
                    try meeting.foreign.send(.init(command: "open", label: label))
                    channel = try await meeting.channel()
                }
                #expect(channel.label == label)
                try channel.send(block(turn))
                var inbox = channel.messages.makeAsyncIterator()
                #expect(await inbox.next() == block(turn))
                if let id = channel.id { identifiers.insert(id) }
                if turn % 3 == 0 {
                    try meeting.foreign.send(.init(command: "close", label: label))
                } else {
                    channel.close()
                }
                #expect(await closed.next() == label)
                #expect(await inbox.next() == nil)
                while channel.state != .closed { try await Task.sleep(for: .milliseconds(5)) }
            }
            #expect(identifiers.count <= 4, "streams are used again: \(identifiers)")
            try first.send("still here")
            var inbox = first.messages.makeAsyncIterator()
            #expect(await inbox.next() == .text("still here"))
        }
    }

    @Test("a hundred channels at once, each with its own order", arguments: Offerer.allCases)
    func many(_ offerer: Offerer) async throws {
        try await meet(offerer) { meeting, _ in
            let channels = try (0..<100).map { try meeting.connection.createDataChannel(label: "\($0)") }
            for number in 0..<10 {
                for (place, channel) in channels.enumerated() { try channel.send("\(place) \(number)") }
            }
            for (place, channel) in channels.enumerated() {
                var inbox = channel.messages.makeAsyncIterator()
                for number in 0..<10 { #expect(await inbox.next() == .text("\(place) \(number)")) }
            }
            #expect(Set(channels.map(\.id)).count == 100)
        }
    }

    @Test("a further offer changes nothing", arguments: Offerer.allCases, Offerer.allCases)
    func renegotiation(_ first: Offerer, _ second: Offerer) async throws {
        try await meet(first) { meeting, channel in
            try channel.send("before")
            try await meeting.connect(offerer: second)
            try channel.send("after")
            var inbox = channel.messages.makeAsyncIterator()
            #expect(await inbox.next() == .text("before"))
            #expect(await inbox.next() == .text("after"))
            #expect(meeting.connection.connectionState == .connected)
        }
    }
}
