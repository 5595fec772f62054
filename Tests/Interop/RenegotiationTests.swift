import Testing

@testable import DataChannels

/// Offers that follow the first one, from either side, and channels that give lost messages up, with peers that are not ours.
@Suite("Renegotiation", .serialized, .timeLimit(.minutes(5)))
struct RenegotiationTests {
    enum Foreign: CaseIterable {
        case chromium, aiortc

        func start() throws -> ForeignPeer {
            switch self {
            case .chromium: try .chromium()
            case .aiortc: try .aiortc()
            }
        }

        /// aiortc answers with the credentials that it has, and looks for no new path.
        var restartsICE: Bool { self != .aiortc }
    }

    @Test(
        "an offer that restarts ICE changes nothing for the channels", arguments: Foreign.allCases,
        Meeting.Offerer.allCases)
    func furtherOffer(foreign: Foreign, offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(foreign.start())
        try await meeting.held {
            let connection = meeting.connection
            let ordered = try connection.createDataChannel(label: "ordered")
            let unordered = try connection.createDataChannel(
                label: "unordered",
                configuration: DataChannelConfiguration(isOrdered: false, reliability: .maxRetransmits(3)))
            try await meeting.connect(offerer: .we)
            try await echo("before", ordered, unordered)
            let before = try #require(await connection.remoteDescription?.dataChannels)
            // On their way while the paths change.
            let under = (0..<20).map { DataChannelMessage.binary([UInt8](repeating: UInt8($0), count: 40_000)) }
            for message in under { try ordered.send(message) }
            try await meeting.connect(offerer: offerer, iceRestart: foreign.restartsICE)
            var inbox = ordered.messages.makeAsyncIterator()
            for message in under { #expect(await inbox.next() == message) }
            while await connection.peer.isRestarting { try await Task.sleep(for: .milliseconds(5)) }
            let after = try #require(await connection.remoteDescription?.dataChannels)
            #expect((before.iceUsernameFragment != after.iceUsernameFragment) == foreign.restartsICE)
            #expect(before.fingerprints == after.fingerprints)
            try await echo("after", ordered, unordered)
            #expect(connection.connectionState == .connected)
        }
    }

    /// Few messages, so that neither side's socket drops any: one that may not be sent again often would be lost.
    private func echo(_ name: String, _ ordered: DataChannel, _ unordered: DataChannel) async throws {
        let messages = (0..<12).map {
            DataChannelMessage.text("\(name) \($0) " + String(repeating: "ü", count: $0 * 700))
        }
        for channel in [ordered, unordered] {
            for message in messages { try channel.send(message) }
            var received: [DataChannelMessage] = []
            var inbox = channel.messages.makeAsyncIterator()
            while received.count < messages.count, let message = await inbox.next() { received.append(message) }
            if channel.configuration.isOrdered { #expect(received == messages) }
            #expect(Set(received) == Set(messages), "\(channel.label)")
        }
    }
}
