import Foundation
import Sealing
import Testing

@testable import Rooms

/// Keys that run out, are renewed, and end.
@Suite(.timeLimit(.minutes(5))) struct SealedKeysTests {
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
        try await SealedConversationTests.say(pair.ada, 1...200)
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
        try await SealedConversationTests.say(pair.ada, 1...2)
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
        try await SealedConversationTests.say(pair.ada, 1...2)
        try await pair.settle()
        try await SealedConversationTests.say(pair.ada, 3...3)
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
            #expect(tombstones.map(\.pairing) == ["room"])
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
                try await SealedConversationTests.say(side, written[index] + 1...written[index] + count)
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
