import Testing

@testable import DataChannels

@Suite("Channels", .timeLimit(.minutes(5)))
struct ChannelTests {
    @Test(
        "every kind of channel is announced as it was made",
        arguments: [
            DataChannelConfiguration(),
            DataChannelConfiguration(isOrdered: false),
            DataChannelConfiguration(reliability: .maxRetransmits(0)),
            DataChannelConfiguration(isOrdered: false, reliability: .maxRetransmits(7), subprotocol: "chat/2"),
            DataChannelConfiguration(reliability: .maxPacketLifeTime(milliseconds: 500)),
            DataChannelConfiguration(isOrdered: false, reliability: .maxPacketLifeTime(milliseconds: 65535)),
        ])
    func kinds(configuration: DataChannelConfiguration) async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "Grüße 🦦", configuration: configuration)
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        #expect(theirs.label == "Grüße 🦦")
        #expect(theirs.configuration == configuration)
        let inbox = Inbox(theirs)
        for index in 0..<50 { try channel.send("\(index)") }
        // Nothing is lost on loopback, whatever the reliability; the order is kept where it is promised.
        let received = await inbox.next(50)
        let expected = (0..<50).map { DataChannelMessage.text("\($0)") }
        if configuration.isOrdered { #expect(received == expected) } else { #expect(Set(received) == Set(expected)) }
        try theirs.send([1])
        #expect(await ours.next() == .binary([1]))
        await pair.close()
    }

    @Test("channels agreed on elsewhere need no announcement")
    func negotiated() async throws {
        let pair = try Pair()
        let configuration = DataChannelConfiguration(negotiatedID: 1023)
        let one = try pair.offerer.createDataChannel(label: "x", configuration: configuration)
        let two = try pair.answerer.createDataChannel(label: "y", configuration: configuration)
        let (oneInbox, twoInbox) = (Inbox(one), Inbox(two))
        try await pair.connect()
        await oneInbox.open()
        await twoInbox.open()
        try one.send("to two")
        try two.send("to one")
        #expect(await twoInbox.next() == .text("to two"))
        #expect(await oneInbox.next() == .text("to one"))
        #expect(one.id == 1023)
        #expect(throws: PeerConnectionError.self) {
            try pair.offerer.createDataChannel(label: "x", configuration: .init(negotiatedID: 65535))
        }
        await pair.close()
    }

    @Test("messages of every size arrive whole, up to 16 MiB")
    func sizes() async throws {
        var large = try PeerConnectionConfiguration.loopback()
        large.maxMessageSize = PeerConnectionConfiguration.largestMessageSize
        let pair = try Pair(answerer: large)
        let channel = try pair.offerer.createDataChannel(label: "sizes")
        try await pair.connect()
        let inbox = Inbox(try await pair.answererLog.channel())
        let sizes = [
            0, 1, 2, 1171, 1172, 1173, 1200, 16384, 65535, 65536, 262_144, 262_145, 1 << 20, 5_000_001, 16 << 20,
        ]
        for size in sizes { try channel.send(Self.pattern(size)) }
        for size in sizes {
            let message = await inbox.next()
            #expect(message == .binary(Self.pattern(size)), "\(size) bytes")
        }
        await pair.close()
    }

    private static func pattern(_ count: Int) -> [UInt8] {
        let block = (0..<251).map { UInt8($0) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    @Test("a message that the peer does not accept is an error here, and does not reach the peer")
    func tooLarge() async throws {
        var small = try PeerConnectionConfiguration.loopback()
        small.maxMessageSize = 1000
        let pair = try Pair(answerer: small)
        let channel = try pair.offerer.createDataChannel(label: "small")
        try await pair.connect()
        let inbox = Inbox(try await pair.answererLog.channel())
        let error = #expect(throws: PeerConnectionError.self) { try channel.send([UInt8](repeating: 0, count: 1001)) }
        #expect(error?.code == .messageTooLarge)
        try channel.send([UInt8](repeating: 7, count: 1000))
        #expect(await inbox.next() == .binary([UInt8](repeating: 7, count: 1000)))
        await pair.close()
    }

    @Test("closing delivers what was sent before, and closes the other side")
    func gracefulClose() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "short")
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let inbox = Inbox(theirs)
        for index in 0..<200 { try channel.send([UInt8](repeating: UInt8(index), count: 10_000)) }
        channel.close()
        #expect(throws: PeerConnectionError.self) { try channel.send("too late") }
        #expect(await inbox.next(200).count == 200)
        await inbox.close()
        await ours.close()
        #expect(channel.state == .closed && theirs.state == .closed)

        // The stream can be used again.
        let next = try pair.offerer.createDataChannel(label: "next")
        let seen = try await pair.answererLog.channel()
        #expect(seen.label == "next")
        #expect(next.id == channel.id)
        try next.send("again")
        #expect(await Inbox(seen).next() == .text("again"))
        await pair.close()
    }

    @Test("many channels opened and closed at once all end")
    func manyClosings() async throws {
        let pair = try Pair()
        let channels = try (0..<40).map { try pair.offerer.createDataChannel(label: "\($0)") }
        let inboxes = channels.map { Inbox($0) }
        try await pair.connect()
        var theirs: [DataChannel] = []
        for _ in channels { theirs.append(try await pair.answererLog.channel()) }
        // Between channels there is no order.
        theirs.sort { Int($0.label) ?? 0 < Int($1.label) ?? 0 }
        let theirInboxes = theirs.map { Inbox($0) }
        // Half from each side, some from both.
        for (index, channel) in channels.enumerated() where index % 3 != 1 { channel.close() }
        for (index, channel) in theirs.enumerated() where index % 3 != 0 { channel.close() }
        for inbox in inboxes + theirInboxes { await inbox.close() }
        await pair.close()
    }

    @Test("bufferedAmount falls, and the handler is called")
    func bufferedAmount() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "flow")
        try await pair.connect()
        let inbox = Inbox(try await pair.answererLog.channel())
        let (low, sink) = AsyncStream<Int>.makeStream()
        channel.bufferedAmountLowThreshold = 100_000
        channel.setHandlers(onMessage: { _ in }, onBufferedAmountLow: { sink.yield(channel.bufferedAmount) })
        for _ in 0..<200 { try channel.send([UInt8](repeating: 1, count: 65536)) }
        for await amount in low {
            #expect(amount <= 100_000)
            break
        }
        #expect(await inbox.next(200).count == 200)
        #expect(channel.bufferedAmount == 0)
        await pair.close()
    }

    @Test("more than the buffer holds is refused")
    func bufferLimit() throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "full")
        let message = [UInt8](repeating: 0, count: 16 << 20)
        for _ in 0..<4 { try channel.send(message) }
        let error = #expect(throws: PeerConnectionError.self) { try channel.send([0]) }
        #expect(error?.code == .limit)
    }

    @Test("messages wait for handlers, slow the peer down, and none is lost")
    func lateHandlers() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "late")
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        for index in 0..<600 { try channel.send([UInt8](repeating: UInt8(index & 255), count: 10_000)) }
        // Much more than the receiver takes unread: the rest waits at the sender.
        try await Task.sleep(for: .milliseconds(300))
        #expect(channel.bufferedAmount > 0)
        let received = await Inbox(theirs).next(600)
        #expect(received == (0..<600).map { .binary([UInt8](repeating: UInt8($0 & 255), count: 10_000)) })
        await pair.close()
    }

    @Test("a short message of another channel overtakes a long queue")
    func fairness() async throws {
        let pair = try Pair()
        let bulk = try pair.offerer.createDataChannel(label: "bulk")
        let chat = try pair.offerer.createDataChannel(label: "chat")
        try await pair.connect()
        let bulkInbox = Inbox(try await pair.answererLog.channel())
        let chatInbox = Inbox(try await pair.answererLog.channel())
        for _ in 0..<800 { try bulk.send([UInt8](repeating: 0, count: 65536)) }
        try chat.send("quick")
        #expect(await chatInbox.next() == .text("quick"))
        #expect(bulk.bufferedAmount > 0)
        #expect(await bulkInbox.next(800).count == 800)
        await pair.close()
    }
}
