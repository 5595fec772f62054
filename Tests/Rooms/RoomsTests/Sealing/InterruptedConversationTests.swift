import Synchronization
import Testing

@testable import Rooms
@testable import Sealing

/// Backups, crashes, full channels: what was said arrives, and no key is burnt before its message is stored.
@Suite(.timeLimit(.minutes(5))) struct InterruptedConversationTests {
    private static func words(_ number: Int) -> OutgoingMessage {
        OutgoingMessage(id: OutboxTests.id(number), sentAt: 0, content: .ready(.text("\(number)")))
    }

    private static func say(_ side: TestSide, _ numbers: ClosedRange<Int>) async throws {
        for number in numbers {
            side.messages.append(words(number))
            try await side.conversation.deliver(words(number))
        }
    }

    private static func conversation(
        _ sealing: SealingFolder, _ reports: RoomReports = RoomReports(), keys: Int = 64
    ) throws -> Conversation {
        try Conversation(
            room: "room", store: MemoryDeliveries(), sealing: sealing, keyTarget: keys, filesFolder: "", report: reports
        )
    }

    private static func next(_ reports: RoomReports) -> ReceivedMessage? {
        while let report = reports.take() { if case .received(_, let message) = report { return message } }
        return nil
    }

    @Test func `a sender whose numbers were taken back by a backup loses nothing`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await Self.say(pair.ada, 1...3)
        try await pair.settle()
        let (copy, delivery) = (try pair.ada.sealing.backUp(), pair.ada.store.delivery)
        try await Self.say(pair.ada, 4...8)
        try await pair.settle()
        await pair.cut()
        try pair.ada.sealing.restore(copy)
        pair.ada.store.delivery = delivery
        try await pair.ada.restart()
        try await Self.say(pair.ada, 9...10)
        #expect(pair.ada.store.delivery.lastSent == 5)
        await pair.connect()
        try await pair.settle()
        #expect(pair.ben.heard == (1...10).map(String.init))
        #expect(pair.ada.messages.isEmpty)
        #expect(pair.ada.store.delivery.lastSent == 10 && pair.ada.store.delivery.messages.isEmpty)
    }

    @Test func `many messages that were stored and not acknowledged are sealed again at once`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        pair.ben.stores = false
        try await Self.say(pair.ada, 1...20)
        try await pair.settle()
        for bytes in pair.carried where bytes.starts(with: SealedHeader.magic) {
            let use = try pair.ben.conversation.session.open(bytes).use
            try pair.ben.sealing.write(durably: true) { try SealingTables.mark([use], in: $0) }
        }
        try await pair.ben.restart()
        pair.ben.stores = true
        await pair.cut()
        pair.carried = []
        await pair.connect()
        try await pair.settle()
        #expect(pair.ada.messages.isEmpty)
        #expect(pair.carried.count { $0.starts(with: SealedHeader.magic) } <= 60)
    }

    @Test func `the key of a copy is kept until the message is stored`() async throws {
        let (peer, folder) = (try SealedPeer(), try SealingFolder())
        let first = try Self.conversation(folder)
        try await peer.connect(to: first, over: TestChannel())
        let copies = [try peer.seal(1, .text("1")), try peer.seal(1, .text("1"))]
        for bytes in copies { await first.received(bytes) }
        // The process dies, and so did that of the sender, which has the second copy only.
        await first.disconnected()
        peer.session.disconnected()
        let reports = RoomReports()
        let second = try Self.conversation(folder, reports)
        try await peer.connect(to: second, over: TestChannel())
        for bytes in copies.reversed() { await second.received(bytes) }
        let message = try #require(Self.next(reports), "its key is burnt")
        #expect(Self.next(reports) == nil)
        try folder.write(durably: true) { try SealingTables.mark([message.use], in: $0) }
        try await second.acknowledge(upTo: 1)
        for bytes in copies { #expect(throws: SealingError.self) { try second.session.open(bytes) } }
    }

    @Test func `a message that looks forged is asked for under another key`() async throws {
        let peer = try SealedPeer()
        let (reports, channel) = (RoomReports(), TestChannel())
        let conversation = try Self.conversation(SealingFolder(), reports)
        try await peer.connect(to: conversation, over: channel)
        var damaged = try peer.seal(1, .text("1"))
        damaged[damaged.count - 1] ^= 1
        for _ in 0..<9 { await conversation.received(damaged) }
        try await peer.hear(channel, conversation)
        #expect(peer.refused == [1, 1, 1])
        await conversation.received(try peer.seal(1, .text("1")))
        #expect(Self.next(reports)?.content == .text("1"))
    }

    @Test func `what a full channel refused is said when there is room`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let channel = try #require(pair.ada.channels[.messages])
        let before = pair.sides.map(\.conversation.session.state.sealingEpoch)
        channel.limit = 0
        try await pair.ada.conversation.renewKeys()
        try await Self.say(pair.ada, 1...2)
        // The hello that is to find out what is missing does not go out either.
        await pair.ada.conversation.drained()
        #expect(channel.take() == nil)
        channel.limit = .max
        await pair.ada.conversation.drained()
        try await pair.settle()
        #expect(pair.ben.heard == ["1", "2"])
        for (side, epoch) in zip(pair.sides, before) {
            #expect(side.conversation.session.state.sealingEpoch > epoch)
        }
    }

    @Test func `a message under a key that another one used is told as that, and asked for again`() async throws {
        let (reports, channel, peer) = (RoomReports(), TestChannel(), try SealedPeer())
        let folder = try SealingFolder()
        let conversation = try Self.conversation(folder, reports)
        try await peer.connect(to: conversation, over: channel)
        let backup = try SealingFolder(try peer.folder.backUp())
        await conversation.received(try peer.text(1))
        let first = try #require(Self.next(reports))
        try folder.write(durably: true) { try SealingTables.mark([first.use], in: $0) }
        try await conversation.acknowledge(upTo: 1)
        let restored = try SealingSession(pairing: "room", store: backup, target: SealedPeer.keyTarget)
        let envelope = Envelope.message(
            .init(id: OutboxTests.id(2), sequence: 2, sentAt: 0, content: .text("2"))
        ).bytes
        await conversation.received(try restored.seal(envelope, sequence: 2))
        try await peer.hear(channel, conversation)
        #expect(peer.refused == [2])
        var refusals: [SealingError.Code] = []
        while let report = reports.take() {
            if case .sealRefused(_, let code, _) = report { refusals.append(code) }
        }
        #expect(refusals == [.reused])
    }

    @Test func `parts of a pool are made while little waits in the channel`() async throws {
        let peer = try SealedPeer()
        let channel = TestChannel()
        channel.bufferedAmount = Conversation.announcementWater
        let conversation = try Self.conversation(SealingFolder(), keys: 1024)
        try await peer.connect(to: conversation, over: channel)
        for _ in 0..<10 {
            try await Task.sleep(for: .milliseconds(5))
            try await peer.hear(channel, conversation)
        }
        #expect(peer.session.state.keysToSeal == 64, "the first part, without which nothing can be said")
        channel.bufferedAmount = Conversation.announcementWater - 1
        for _ in 0..<2000 where peer.session.state.keysToSeal < 1024 {
            try await Task.sleep(for: .milliseconds(5))
            try await peer.hear(channel, conversation)
        }
        #expect(peer.session.state.keysToSeal == 1024)
    }

    /// Two sessions of one room would write the same keys.
    @Test func `no keys are made any more when a conversation is at rest`() async throws {
        let peer = try SealedPeer()
        let channel = TestChannel()
        let conversation = try Self.conversation(SealingFolder(), keys: SealingLimits.capacity)
        for _ in 0..<5 {
            try await peer.connect(to: conversation, over: channel)
            for _ in 0..<2000 where !conversation.session.ledger.withLock({ $0.isMakingKeys }) {
                try await Task.sleep(for: .microseconds(200))
            }
            await conversation.disconnected()
            await conversation.rest()
            #expect(!conversation.session.ledger.withLock { $0.isMakingKeys })
            peer.session.disconnected()
            while channel.take() != nil {}
        }
    }
}
