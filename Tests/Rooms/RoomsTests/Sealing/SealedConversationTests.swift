import Foundation
import Sealing
import Testing

@testable import Rooms

/// Everything numbered is sealed, and opened once.
@Suite(.timeLimit(.minutes(5))) struct SealedConversationTests {
    static func say(_ side: TestSide, _ numbers: ClosedRange<Int>, _ prefix: String = "") async throws {
        for number in numbers {
            let text = OutgoingMessage(
                id: OutboxTests.id(number), sentAt: 0, content: .ready(.text("\(prefix)\(number)")))
            side.messages.append(text)
            try await side.conversation.deliver(text)
        }
    }

    /// What was handed on, whatever else was reported.
    static func texts(_ reports: RoomReports) -> [MessageContent] {
        var texts: [MessageContent] = []
        while let report = reports.take() {
            if case .received(_, let message) = report { texts.append(message.content) }
        }
        return texts
    }

    static func sealed(_ pair: ConversationPair) -> [[UInt8]] {
        pair.carried.filter { $0.starts(with: SealedHeader.magic) }
    }

    @Test func `what people say never goes over the channel in the clear`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await Self.say(pair.ada, 1...20, "a secret ")
        try await pair.settle()
        #expect(pair.ben.heard == (1...20).map { "a secret \($0)" })
        #expect(Self.sealed(pair).count == 20)
        let secret = Array("a secret".utf8)
        #expect(pair.carried.allSatisfy { !$0.contains(secret) })
        #expect(pair.ada.identity != nil && pair.ada.identity == pair.ben.identity)
        #expect(pair.ben.refused == [:])
    }

    @Test func `nothing is said before there are keys, and then everything`() async throws {
        let pair = try ConversationPair()
        try await Self.say(pair.ada, 1...3)
        await pair.connect()
        // The hello alone, which allows messages to flow, brings none.
        _ = pair.ada.channels[.messages]?.take()
        await pair.ada.conversation.received(try #require(pair.ben.channels[.messages]?.take()))
        try await Self.say(pair.ada, 4...5)
        var waiting: [[UInt8]] = []
        while let bytes = pair.ada.channels[.messages]?.take() { waiting.append(bytes) }
        #expect(waiting.allSatisfy { !$0.starts(with: SealedHeader.magic) })
        await pair.cut()
        await pair.connect()
        try await pair.settle()
        #expect(pair.ben.heard == (1...5).map(String.init))
    }

    @Test func `a message in the clear is refused and counted, whatever it says`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        for content in [.text("hello"), .withdrawn, .trust, .unknown] as [MessageContent] {
            await pair.ben.conversation.received(
                Envelope.message(.init(id: OutboxTests.id(1), sequence: 1, sentAt: 0, content: content)).bytes)
        }
        await pair.ben.conversation.received([1, 2, 3])
        await pair.ben.conversation.received(SealedHeader.magic)
        try await pair.settle()
        #expect(pair.ben.heard.isEmpty)
        #expect(pair.ben.store.received == 0)
        #expect(pair.ben.refused[.unreadable] ?? 0 >= 1)
        try await Self.say(pair.ada, 1...1)
        try await pair.settle()
        #expect(pair.ben.heard == ["1"])
    }

    @Test func `within a process a message goes out again as the same bytes, and after a restart under another key`()
        async throws
    {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        pair.ben.stores = false
        try await Self.say(pair.ada, 1...3)
        try await pair.settle()
        let first = Self.sealed(pair)
        pair.carried = []
        await pair.cut()
        await pair.connect()
        try await pair.settle()
        #expect(Self.sealed(pair) == first)
        pair.carried = []
        try await pair.ada.restart()
        await pair.cut()
        await pair.connect()
        pair.ben.stores = true
        try await pair.settle()
        let again = Self.sealed(pair)
        #expect(again.count == 3 && Set(again).isDisjoint(with: first))
        #expect(pair.ben.heard == ["1", "2", "3"])
        // The keys of both copies are gone.
        for bytes in first + again {
            #expect(throws: SealingError.self) { try pair.ben.conversation.session.open(bytes) }
        }
    }

    @Test func `what was opened and stored is not handed on again, however it comes`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await Self.say(pair.ada, 1...3)
        try await pair.settle()
        let sealed = Self.sealed(pair)
        for _ in 0..<3 {
            for bytes in sealed { await pair.ben.conversation.received(bytes) }
            try await pair.settle()
        }
        try await pair.ben.restart()
        await pair.cut()
        await pair.connect()
        for bytes in sealed { await pair.ben.conversation.received(bytes) }
        try await pair.settle()
        #expect(pair.ben.heard == ["1", "2", "3"])
        #expect(pair.ben.handedOn == 3)
    }

    /// The owner stored the message and marked its key, and the process died before it could say so.
    @Test func `a message that was stored and not acknowledged is sealed again and acknowledged`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        pair.ben.stores = false
        try await Self.say(pair.ada, 1...2)
        try await pair.settle()
        for bytes in Self.sealed(pair) {
            let use = try pair.ben.conversation.session.open(bytes).use
            try pair.ben.sealing.write(durably: true) { try SealingTables.mark([use], in: $0) }
        }
        try await pair.ben.restart()
        pair.ben.stores = true
        await pair.cut()
        await pair.connect()
        try await pair.settle()
        #expect(pair.ada.messages.isEmpty)
        #expect(pair.ben.store.received == 2)
    }

    @Test func `a reader whose keys were taken back by a backup gets the message all the same`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let copy = try pair.ben.sealing.backUp()
        try await Self.say(pair.ada, 1...5)
        try await pair.settle()
        await pair.cut()
        try pair.ben.sealing.restore(copy)
        try await pair.ben.restart()
        try await Self.say(pair.ada, 6...8)
        await pair.connect()
        try await pair.settle()
        #expect(pair.ben.heard == (1...8).map(String.init))
        #expect(pair.ada.messages.isEmpty)
    }

    @Test(arguments: [3, 20, 60, 130, 160])
    func `an altered message is refused, burns nothing and is not asked for without end`(place: Int) async throws {
        let peer = try SealedPeer()
        let (store, reports, channel) = (MemoryDeliveries(), RoomReports(), TestChannel())
        let conversation = try Conversation(
            room: "room", store: store, sealing: SealingFolder(), keyTarget: 64, filesFolder: "", report: reports)
        try await peer.connect(to: conversation, over: channel)
        var altered = try peer.text(1)
        altered[place] ^= 1
        // An honest peer says everything again when it is asked, for as long as it is asked.
        var rounds = 0
        var isAsked = true
        while isAsked, rounds < 50 {
            rounds += 1
            await conversation.received(Envelope.signal(.hello(received: 0, first: 1)).bytes)
            await conversation.received(altered)
            await conversation.received(try peer.text(2))
            isAsked = try await !peer.hear(channel, conversation).isEmpty
        }
        #expect((2...5).contains(rounds))
        while let report = reports.take() {
            if case .received = report { Issue.record("it was handed on") }
        }
        await conversation.received(try peer.text(1))
        #expect(Self.texts(reports) == [.text("1")])
    }

    @Test func `the number inside must be the one outside`() async throws {
        let peer = try SealedPeer()
        let (store, reports, channel) = (MemoryDeliveries(), RoomReports(), TestChannel())
        let conversation = try Conversation(
            room: "room", store: store, sealing: SealingFolder(), keyTarget: 64, filesFolder: "", report: reports)
        try await peer.connect(to: conversation, over: channel)
        await conversation.received(try peer.seal(1, .text("x"), inside: 2))
        await conversation.received(try peer.session.seal([], sequence: 1))
        await conversation.received(try peer.session.seal(Envelope.signal(.typing(true)).bytes, sequence: 1))
        var refused = 0
        while let report = reports.take() {
            if case .sealRefused(_, .unreadable, let count) = report { refused += count }
            if case .received = report { Issue.record("it was handed on") }
        }
        #expect(refused == 1)
        await conversation.received(try peer.text(1))
        #expect(Self.texts(reports) == [.text("1")])
    }
}
