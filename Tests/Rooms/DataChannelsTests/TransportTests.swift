import Testing

@testable import DataChannels

/// What channels promise, over the real transports below.
@Suite("Messages and channels", .timeLimit(.minutes(5)))
struct TransportTests {
    static func pair(largest: Int = 1 << 20) throws -> Pair {
        var answerer = try PeerConnectionConfiguration.loopback()
        answerer.maxMessageSize = largest
        return try Pair(offerer: .loopback(), answerer: answerer)
    }

    @Test("messages of every size arrive whole and in order, in both directions")
    func sizes() async throws {
        let pair = try Self.pair(largest: PeerConnectionConfiguration.largestMessageSize)
        let channel = try pair.offerer.createDataChannel(label: "sizes")
        let ours = Inbox(channel)
        try await pair.connect()
        let far = try await pair.answererLog.channel()
        let inbox = Inbox(far)
        let sizes = [0, 1, 3, 4, 1171, 1172, 1173, 16384, 65536, 262_144, 1 << 20, 4_000_003]
        for size in sizes { try channel.send([UInt8](repeating: UInt8(size & 255), count: size)) }
        for size in sizes {
            #expect(await inbox.next() == .binary([UInt8](repeating: UInt8(size & 255), count: size)))
        }
        for size in sizes.dropLast() { try far.send(String(repeating: "z", count: size)) }
        for size in sizes.dropLast() { #expect(await ours.next() == .text(String(repeating: "z", count: size))) }
        await pair.close()
    }

    @Test(
        "unordered and given-up messages arrive where nothing is lost",
        arguments: [
            DataChannelConfiguration(isOrdered: false),
            DataChannelConfiguration(isOrdered: false, reliability: .maxRetransmits(2)),
            DataChannelConfiguration(reliability: .maxPacketLifeTime(milliseconds: 60_000)),
        ])
    func kinds(_ configuration: DataChannelConfiguration) async throws {
        let pair = try Self.pair()
        let channel = try pair.offerer.createDataChannel(label: "kinds", configuration: configuration)
        try await pair.connect()
        let far = try await pair.answererLog.channel()
        #expect(far.configuration == configuration)
        let inbox = Inbox(far)
        for index in 0..<100 { try channel.send([UInt8](repeating: UInt8(index), count: 1 + index * 97)) }
        let expected = (0..<100).map { DataChannelMessage.binary([UInt8](repeating: UInt8($0), count: 1 + $0 * 97)) }
        #expect(Set(await inbox.next(100)) == Set(expected))
        await pair.close()
    }

    @Test("channels are closed from either side, and their streams used again")
    func resets() async throws {
        let pair = try Self.pair()
        let stays = try pair.offerer.createDataChannel(label: "stays")
        try await pair.connect()
        let staysInbox = Inbox(try await pair.answererLog.channel())
        for turn in 0..<6 {
            let channel = try pair.offerer.createDataChannel(label: "\(turn)")
            let ours = Inbox(channel)
            let theirs = try await pair.answererLog.channel()
            let inbox = Inbox(theirs)
            for index in 0..<20 { try channel.send([UInt8](repeating: UInt8(index), count: 5000)) }
            #expect(await inbox.next(20).count == 20)
            if turn % 3 != 0 { channel.close() }
            if turn % 3 != 1 { theirs.close() }
            await ours.close()
            await inbox.close()
            #expect(channel.id == 2 || channel.id == 3)
        }
        try stays.send("still here")
        #expect(await staysInbox.next() == .text("still here"))
        await pair.close()
    }

    @Test("much goes both ways at once, beside small messages")
    func bothWays() async throws {
        let pair = try Self.pair()
        let channels = try (0..<3).map { try pair.offerer.createDataChannel(label: "\($0)") }
        let near = channels.map { Inbox($0) }
        try await pair.connect()
        var theirs: [DataChannel] = []
        for _ in channels { theirs.append(try await pair.answererLog.channel()) }
        theirs.sort { $0.label < $1.label }
        let far = theirs.map { Inbox($0) }
        for index in 0..<200 {
            for side in [channels, theirs] {
                try side[0].send([UInt8](repeating: UInt8(index), count: 40_000))
                try side[1].send([UInt8](repeating: UInt8(index), count: 64))
                try side[2].send("\(index)")
            }
        }
        for inboxes in [near, far] {
            #expect(await inboxes[2].next(200) == (0..<200).map { .text("\($0)") })
            for (place, count) in [(1, 64), (0, 40_000)] {
                let received = await inboxes[place].next(200)
                #expect(received == (0..<200).map { .binary([UInt8](repeating: UInt8($0), count: count)) })
            }
        }
        await pair.close()
    }

    @Test("a reader that does not read slows the peer down")
    func flowControl() async throws {
        let pair = try Self.pair()
        let channel = try pair.offerer.createDataChannel(label: "slow")
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let messages = (0..<1500).map { DataChannelMessage.binary([UInt8](repeating: UInt8($0 & 255), count: 10_000)) }
        for message in messages { try channel.send(message) }
        var reader = theirs.messages.makeAsyncIterator()
        #expect(await reader.next() == messages[0])
        try await Task.sleep(for: .milliseconds(300))
        // What is unread here, and in the buffers of both sides: the rest has not been sent.
        #expect(channel.bufferedAmount > 0)
        for message in messages[1...] { #expect(await reader.next() == message) }
        await pair.close()
    }

    @Test("closing one side closes the other")
    func remoteClose() async throws {
        let pair = try Self.pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        let ours = Inbox(channel)
        try await pair.connect()
        let inbox = Inbox(try await pair.answererLog.channel())
        await pair.answerer.close()
        try await pair.offererLog.state(.closed)
        await ours.close()
        await inbox.close()
        await pair.close()
    }
}
