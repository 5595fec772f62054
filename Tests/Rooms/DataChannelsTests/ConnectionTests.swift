import Testing

@testable import DataChannels

@Suite("Two connections in one process", .timeLimit(.minutes(5)))
struct ConnectionTests {
    @Test("text and binary travel both ways")
    func talk() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "chat")
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        let inbox = Inbox(theirs)
        #expect(theirs.label == "chat")
        try channel.send("hello")
        try channel.send([1, 2, 3])
        try channel.send("")
        try channel.send([])
        #expect(await inbox.next(4) == [.text("hello"), .binary([1, 2, 3]), .text(""), .binary([])])
        try theirs.send("welcome")
        #expect(await ours.next() == .text("welcome"))
        #expect(pair.offerer.remoteFingerprint == pair.answerer.localFingerprint)
        let statistics = await pair.offerer.statistics()
        #expect(statistics.path == .direct)
        #expect(statistics.messagesSent == 4)
        await pair.close()
    }

    @Test("either side may be the DTLS client", arguments: [SessionDescription.Setup.active, .passive])
    func roles(setup: SessionDescription.Setup) async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "a")
        let other = try pair.answerer.createDataChannel(label: "b")
        try await pair.connect(answerSetup: setup)
        let seen = try await pair.answererLog.channel()
        #expect(seen.label == "a")
        #expect(seen.id == channel.id)
        let second = try await pair.offererLog.channel()
        #expect(second.label == "b")
        #expect(second.id == other.id)
        #expect(channel.id.map { $0 % 2 } == (setup == .active ? 1 : 0))
        await pair.close()
    }
}
