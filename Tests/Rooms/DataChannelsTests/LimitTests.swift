import Testing

@testable import DataChannels

/// Silent peers and readers that do not read: everything ends, and memory is bounded.
@Suite("Limits", .timeLimit(.minutes(5)))
struct LimitTests {
    @Test("a peer that vanishes: disconnected, then failed")
    func peerGone() async throws {
        let pair = try Pair(limits: ConnectionLimits(second: 50))
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        // As when its process is killed: neither DTLS nor SCTP says goodbye.
        pair.answerer.peer.onLoop { $0.ice?.close() }
        try channel.send("is anybody there?")
        // A second lasts 50 ms here: on a starved machine the peer may have been missed, and found, before it was gone.
        while await pair.offererLog.states.last != .failed { try await Task.sleep(for: .milliseconds(20)) }
        #expect(await pair.offererLog.states.contains(.disconnected))
        #expect(await pair.offererLog.failure?.code == .connectivity)
        await pair.close()
        #expect(channel.state == .closed)
    }

    @Test("a silent connection gives DTLS's buffers back, and talks again")
    func silentConnection() async throws {
        let pair = try Pair(limits: ConnectionLimits(silence: 100_000, loss: 100_000, second: 20))
        let channel = try pair.offerer.createDataChannel(label: "x")
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let inbox = Inbox(theirs)
        for turn in 0..<3 as Range<UInt8> {
            for peer in [pair.offerer.peer, pair.answerer.peer] {
                while await !peer.hasReleasedBuffers { try await Task.sleep(for: .milliseconds(5)) }
            }
            try channel.send([UInt8](repeating: turn, count: 100_000))
            #expect(await inbox.next() == .binary([UInt8](repeating: turn, count: 100_000)))
            try theirs.send("\(turn)")
            #expect(await ours.next() == .text("\(turn)"))
        }
        for peer in [pair.offerer.peer, pair.answerer.peer] {
            while await !peer.hasReleasedBuffers { try await Task.sleep(for: .milliseconds(5)) }
        }
        // Also the goodbye needs them.
        await pair.answerer.close()
        try await pair.offererLog.state(.closed)
        await pair.close()
    }

    @Test("no answer to the description: failed")
    func neverConnects() async throws {
        let pair = try Pair(limits: ConnectionLimits(second: 5))
        _ = try pair.offerer.createDataChannel(label: "x")
        var offer = try await pair.offerer.createOffer()
        try await pair.offerer.setLocalDescription(offer)
        // A password of someone else: no check will succeed.
        offer.dataChannels?.icePassword = String(repeating: "x", count: 24)
        offer.dataChannels?.candidates = []
        try await pair.answerer.setRemoteDescription(offer)
        let answer = try await pair.answerer.createAnswer()
        try await pair.answerer.setLocalDescription(answer)
        try await pair.answererLog.state(.failed)
        #expect(await pair.answererLog.failure?.code == .connectivity)
        await pair.close()
    }

    @Test("a channel whose closing is not answered ends, and its stream stays in use")
    func closingUnanswered() async throws {
        let pair = try Pair(limits: ConnectionLimits(silence: 100_000, loss: 100_000, second: 20))
        let channel = try pair.offerer.createDataChannel(label: "x", configuration: .init(negotiatedID: 4))
        let inbox = Inbox(channel)
        try await pair.connect()
        await inbox.open()
        pair.answerer.peer.onLoop { $0.ice?.close() }
        channel.close()
        await inbox.close()
        #expect(channel.state == .closed)
        #expect(pair.offerer.connectionState == .connected)
        let error = #expect(throws: PeerConnectionError.self) {
            try pair.offerer.createDataChannel(label: "y", configuration: .init(negotiatedID: 4))
        }
        #expect(error?.code == .invalidConfiguration)
        let another = try pair.offerer.createDataChannel(label: "y", configuration: .init(negotiatedID: 6))
        #expect(another.state != .closed)
        await pair.close()
    }

    @Test("an id in use is refused, and free again after closing")
    func negotiatedTwice() async throws {
        let pair = try Pair()
        let configuration = DataChannelConfiguration(negotiatedID: 2)
        let first = try pair.offerer.createDataChannel(label: "x", configuration: configuration)
        let error = #expect(throws: PeerConnectionError.self) {
            try pair.offerer.createDataChannel(label: "y", configuration: configuration)
        }
        #expect(error?.code == .invalidConfiguration)
        let theirs = try pair.answerer.createDataChannel(label: "z", configuration: configuration)
        // In-band channels go around it, on either side.
        let inBand = try (0..<3).map { try pair.offerer.createDataChannel(label: "\($0)") }
        let inbox = Inbox(first)
        try await pair.connect(answerSetup: .passive)
        for _ in inBand { _ = try await pair.answererLog.channel() }
        #expect(inBand.map(\.id) == [0, 4, 6])
        let used = #expect(throws: PeerConnectionError.self) {
            try pair.offerer.createDataChannel(label: "y", configuration: .init(negotiatedID: 4))
        }
        #expect(used?.code == .invalidConfiguration)
        theirs.close()
        await inbox.close()
        let again = try pair.offerer.createDataChannel(label: "y", configuration: configuration)
        #expect(again.state != .closed)
        await pair.close()
    }

    @Test("a negotiated channel closed before the connection ends at once and frees its id")
    func closedEarly() async throws {
        let pair = try Pair()
        let configuration = DataChannelConfiguration(negotiatedID: 3)
        let channel = try pair.offerer.createDataChannel(label: "x", configuration: configuration)
        let inbox = Inbox(channel)
        try channel.send("never sent")
        channel.close()
        await inbox.close()
        #expect(try pair.offerer.createDataChannel(label: "x", configuration: configuration).state == .connecting)
        await pair.close()
    }

    @Test("a slow reader slows the peer down and loses nothing, even after the close")
    func slowReader() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let messages = (0..<600).map { DataChannelMessage.binary([UInt8](repeating: UInt8($0 & 255), count: 10_000)) }
        for message in messages { try channel.send(message) }
        var reader = theirs.messages.makeAsyncIterator()
        #expect(await reader.next() == messages[0])
        try await Task.sleep(for: .milliseconds(200))
        // 1 MiB in the backlog and what may lie in the buffers of SCTP: the rest has not been sent.
        #expect(channel.bufferedAmount > 0)
        #expect(await pair.answerer.peer.unread < ChannelTable.unreadLimit + 20_000)
        channel.close()
        for message in messages[1...] { #expect(await reader.next() == message) }
        #expect(await reader.next() == nil)
        await pair.close()
    }

    @Test("messages unread at the close are delivered first, to handlers too")
    func unreadAtClose() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        for index in 0..<10 { try channel.send("\(index)") }
        channel.close()
        while theirs.state != .closed { try await Task.sleep(for: .milliseconds(1)) }
        let inbox = Inbox(theirs)
        #expect(await inbox.next(10) == (0..<10).map { .text("\($0)") })
        await inbox.close()
        await pair.close()
    }

    @Test("a cancelled reader takes no message with it")
    func cancelledReader() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let waiting = Task { await theirs.messages.first { _ in true } }
        try await Task.sleep(for: .milliseconds(20))
        waiting.cancel()
        #expect(await waiting.value == nil)
        try channel.send("for the next one")
        #expect(await theirs.messages.first { _ in true } == .text("for the next one"))
        await pair.close()
    }
}

extension Peer {
    fileprivate var unread: Int { channels.unread }
}

extension Peer {
    /// Whether DTLS has given its buffers back.
    fileprivate var hasReleasedBuffers: Bool { dtls?.hasBuffers == false }
}
