import DataChannels
import Testing

/// Real foreign peers, in both roles, with text and binary of up to the most that each side accepts.
@Suite("Interop", .serialized, .timeLimit(.minutes(5)))
struct EchoTests {
    @Test("aiortc", arguments: Meeting.Offerer.allCases)
    func aiortc(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.aiortc())
        try await meeting.held {
            let channel = try await connect(meeting, offerer: offerer)
            // aiortc cannot carry empty messages.
            try await exchange(meeting, channel, sizes: [1, 2, 1171, 1172, 16_384, 65_535, 65_536])
            // 1 MiB is what we announce unless told otherwise.
            try await receive(meeting, channel, sizes: [262_146, 1 << 20])
            try await close(meeting, channel)
        }
    }

    @Test("libdatachannel", arguments: Meeting.Offerer.allCases)
    func libdatachannel(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.libdatachannel())
        try await meeting.held {
            let channel = try await connect(meeting, offerer: offerer)
            try await exchange(meeting, channel, sizes: [1, 2, 1171, 1172, 16_384, 65_535, 65_536])
            // libdatachannel sends no more than that, whatever we announce.
            try await receive(meeting, channel, sizes: [262_144])
            try meeting.foreign.send(.init(command: "send", kind: "binary", size: 262_145))
            var errors = meeting.errors.makeAsyncIterator()
            #expect(await errors.next() != nil)
            try await close(meeting, channel)
        }
    }

    @Test("Chromium", arguments: Meeting.Offerer.allCases)
    func chromium(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.chromium())
        try await meeting.held {
            let channel = try await connect(meeting, offerer: offerer)
            try await exchange(meeting, channel, sizes: [0, 1, 2, 1171, 1172, 16_384, 65_536])
            // Chromium sends no more than that, whatever we announce.
            try await receive(meeting, channel, sizes: [262_144])
            try meeting.foreign.send(.init(command: "send", kind: "binary", size: 262_145))
            var errors = meeting.errors.makeAsyncIterator()
            #expect(await errors.next() != nil)
            try await close(meeting, channel)
        }
    }

    @Test("Firefox", arguments: Meeting.Offerer.allCases)
    func firefox(offerer: Meeting.Offerer) async throws {
        let meeting = try Meeting(ForeignPeer.firefox())
        try await meeting.held {
            let channel = try await connect(meeting, offerer: offerer)
            let largest = await meeting.connection.remoteDescription?.dataChannels?.maxMessageSize
            #expect(largest ?? 0 >= 1 << 20)
            let echoed = [0, 1, 2, 1171, 1172, 16_384, 65_536, 262_144, 1 << 20].flatMap { [text($0), binary($0)] }
            for message in echoed { try channel.send(message) }
            var inbox = channel.messages.makeAsyncIterator()
            for message in echoed {
                #expect(await inbox.next() == message, "\(message.byteCount) bytes, there and back")
            }
            try await close(meeting, channel)
        }
    }

    /// A channel of the offerer's making.
    private func connect(_ meeting: Meeting, offerer: Meeting.Offerer) async throws -> DataChannel {
        let ours = offerer == .we ? try meeting.connection.createDataChannel(label: "from us") : nil
        try await meeting.connect(offerer: offerer)
        return if let ours { ours } else { try await meeting.channel() }
    }

    /// Sends and expects everything back, up to the largest message that the peer announces. One byte more is an error.
    private func exchange(_ meeting: Meeting, _ channel: DataChannel, sizes: [Int]) async throws {
        let largest = 262_144
        #expect(await meeting.connection.remoteDescription?.dataChannels?.maxMessageSize == UInt64(largest))
        let echoed = (sizes + [largest]).flatMap { [text($0), binary($0)] }
        for message in echoed { try channel.send(message) }
        for message in [text(largest + 1), binary(largest + 1)] {
            let error = #expect(throws: PeerConnectionError.self) { try channel.send(message) }
            #expect(error?.code == .messageTooLarge)
            #expect(error?.message == "the message has \(largest + 1) bytes; the peer accepts \(largest)")
        }
        var inbox = channel.messages.makeAsyncIterator()
        for message in echoed {
            #expect(await inbox.next() == message, "\(message.byteCount) bytes, there and back")
        }
    }

    /// Has the peer send messages of its own making.
    private func receive(_ meeting: Meeting, _ channel: DataChannel, sizes: [Int]) async throws {
        var inbox = channel.messages.makeAsyncIterator()
        for size in sizes {
            try meeting.foreign.send(.init(command: "send", kind: "text", size: size))
            #expect(await inbox.next() == text(size), "\(size) bytes of text from the peer")
            try meeting.foreign.send(.init(command: "send", kind: "binary", size: size))
            #expect(await inbox.next() == binary(size), "\(size) bytes from the peer")
        }
    }

    private func close(_ meeting: Meeting, _ channel: DataChannel) async throws {
        channel.close()
        var closed = meeting.closed.makeAsyncIterator()
        #expect(await closed.next() == channel.label)
    }

    private func text(_ count: Int) -> DataChannelMessage {
        .text(String(repeating: "ü", count: count / 2) + (count % 2 == 1 ? "x" : ""))
    }

    private func binary(_ count: Int) -> DataChannelMessage {
        .binary((0..<count).map { UInt8(truncatingIfNeeded: $0 % 251) })
    }
}
