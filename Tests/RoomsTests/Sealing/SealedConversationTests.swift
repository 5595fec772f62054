import Foundation
import Testing
import TrustedData

@testable import Rooms

/// Everything numbered is sealed, and opened once.
@Suite(.timeLimit(.minutes(5))) struct SealedConversationTests {
    private static func say(_ side: TestSide, _ numbers: ClosedRange<Int>, _ prefix: String = "") async throws {
        for number in numbers {
            let text = OutgoingMessage(
                id: OutboxTests.id(number), sentAt: 0, content: .ready(.text("\(prefix)\(number)")))
            side.messages.append(text)
            try await side.conversation.deliver(text)
        }
    }

    /// What was handed on, whatever else was reported.
    private static func texts(_ reports: RoomReports) -> [MessageContent] {
        var texts: [MessageContent] = []
        while let report = reports.take() {
            if case .received(_, let message) = report { texts.append(message.content) }
        }
        return texts
    }

    private static func sealed(_ pair: ConversationPair) -> [[UInt8]] {
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

    @Test func `when the keys run out the last resort is used until there are new ones`() async throws {
        let peer = try SealedPeer()
        let channel = TestChannel()
        let conversation = try Conversation(
            room: "room", store: MemoryDeliveries(), sealing: SealingFolder(), keyTarget: 64, filesFolder: "",
            report: RoomReports())
        try await peer.connect(to: conversation, over: channel)
        await conversation.received(Envelope.signal(.hello(received: 0, first: 1)).bytes)
        func say(_ numbers: ClosedRange<Int>) async throws -> [OpenedMessage] {
            for number in numbers {
                try await conversation.deliver(
                    OutgoingMessage(id: OutboxTests.id(number), sentAt: 0, content: .ready(.text("\(number)"))))
            }
            return try await peer.hear(channel, conversation).map(peer.session.open)
        }
        let before = try await say(1...70)
        #expect(before.map(\.sequence) == Array(1...70))
        #expect(before.map(\.isLastResort) == (1...70).map { $0 > 64 })
        let part = try #require(try peer.session.nextAnnouncement())
        await conversation.received(Envelope.signal(.sealing(part)).bytes)
        #expect(try await say(71...75).map(\.isLastResort) == Array(repeating: false, count: 5))
    }

    /// Messages that were sealed to a last resort whose epoch has ended meanwhile are sealed again.
    @Test func `more messages at once than there are keys arrive all the same`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        try await Self.say(pair.ada, 1...200)
        for _ in 0..<2000 where pair.ben.heard.count < 200 {
            try await pair.settle()
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(pair.ben.heard == (1...200).map(String.init))
    }

    @Test func `keys can be renewed on both sides`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        let before = pair.sides.map(\.conversation.session.state.sealingEpoch)
        try await pair.ada.conversation.renewKeys()
        try await pair.settle()
        for (side, epoch) in zip(pair.sides, before) {
            #expect(side.conversation.session.state.sealingEpoch > epoch)
        }
        try await Self.say(pair.ada, 1...2)
        try await pair.settle()
        #expect(pair.ben.heard == ["1", "2"])
    }

    @Test func `whoever shows another identity is not talked to`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        await pair.cut()
        let stranger = try SealedPeer()
        await pair.ada.conversation.connected([.messages: TestChannel()], binding: SealedPeer.binding(.creator))
        let control = try stranger.session.connected(to: SealedPeer.binding(.joiner))[0]
        let failure = await pair.ada.conversation.received(Envelope.signal(.sealing(control)).bytes)
        #expect(failure == .identityChanged)
    }

    @Test func `revoked trust ends on both sides, and nothing of before opens again`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await Self.say(pair.ada, 1...2)
        try await pair.settle()
        try await Self.say(pair.ada, 3...3)
        let late = try #require(pair.ada.channels[.messages]?.take())
        let holdings = try #require(try pair.ben.conversation.session.renew().first)
        let notice = try await pair.ada.conversation.revoke()
        let hasEnded = await pair.ada.conversation.received(Envelope.signal(.sealing(holdings)).bytes)
        #expect(hasEnded == nil, "the notice must be out before the link ends")
        let failure = await pair.ben.conversation.received(Envelope.signal(.sealing(notice)).bytes)
        #expect(failure == .trustRevoked)
        await pair.ben.conversation.received(late)
        try await pair.settle()
        #expect(pair.ben.isRevoked)
        #expect(pair.ben.heard == ["1", "2"])
        for side in pair.sides {
            let tombstones = try SealingDirectory(store: side.sealing).tombstones()
            #expect(tombstones.map(\.bond) == ["room"])
            await #expect(throws: SealingError.self) { try await side.restart() }
        }
    }

    /// Any mixture of broken connections and restarts, on both sides at once: everything arrives once and in order.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `nothing is lost and nothing comes twice`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pair = try ConversationPair()
        var written = [0, 0]
        for _ in 0..<10 {
            for (index, side) in pair.sides.enumerated() {
                let count = Int.random(in: 0...3, using: &random)
                guard count > 0 else { continue }
                try await Self.say(side, written[index] + 1...written[index] + count)
                written[index] += count
            }
            pair.envelopesLeft = Int.random(in: 0...30, using: &random)
            await pair.connect()
            try await pair.settle()
            await pair.cut()
            if Bool.random(using: &random), let side = pair.sides.randomElement(using: &random) {
                try await side.restart()
            }
        }
        pair.envelopesLeft = .max
        await pair.connect()
        try await pair.settle()
        #expect(pair.ben.heard == (0..<written[0]).map { "\($0 + 1)" })
        #expect(pair.ada.heard == (0..<written[1]).map { "\($0 + 1)" })
    }
}
