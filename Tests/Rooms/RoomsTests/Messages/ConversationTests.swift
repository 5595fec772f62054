import Foundation
import Testing

@testable import Rooms

struct ConversationTests {
    private let store = MemoryDeliveries()
    private let reports = RoomReports()
    private let channel = TestChannel()

    private func conversation(_ peer: SealedPeer) async throws -> Conversation {
        let conversation = try Conversation(
            room: "room", store: store, sealing: SealingFolder(), keyTarget: SealedPeer.keyTarget, filesFolder: "",
            report: reports)
        try await peer.connect(to: conversation, over: channel)
        return conversation
    }

    @Test func `a withdrawn message does not acknowledge those before it, which nobody has stored`() async throws {
        let peer = try SealedPeer()
        let conversation = try await conversation(peer)
        await conversation.received(try peer.text(1))
        await conversation.received(try peer.message(2, .withdrawn))
        await conversation.received(try peer.message(3, .unknown))
        #expect(store.received == 0)
        try await conversation.acknowledge(upTo: 1)
        #expect(store.received == 3)
    }

    @Test func `a message of no meaning to its owner is acknowledged in its turn`() async throws {
        let peer = try SealedPeer()
        let conversation = try await conversation(peer)
        for number in 1...3 { await conversation.received(try peer.text(number)) }
        try await conversation.pass(over: 2)
        #expect(store.received == 0)
        try await conversation.acknowledge(upTo: 1)
        #expect(store.received == 2)
        try await conversation.acknowledge(upTo: 3)
        #expect(store.received == 3)
    }

    @Test func `a side that saw no interruption answers the hello of one that did, once`() async throws {
        let peer = try SealedPeer()
        let conversation = try await conversation(peer)
        let theirs = Envelope.signal(.hello(received: 0, first: 1, notes: true, agents: true)).bytes
        await conversation.received(theirs)
        #expect(channel.take() == nil)
        await conversation.received(theirs)
        #expect(channel.take() == theirs)
        #expect(channel.take() == nil)
    }

    @Test func `what was refused is asked for once everything before it is stored`() async throws {
        let peer = try SealedPeer()
        let conversation = try await conversation(peer)
        let theirs = Envelope.signal(.hello(received: 0, first: 1)).bytes
        await conversation.received(theirs)
        for number in [1, 3, 4] { await conversation.received(try peer.text(number)) }
        #expect(try await peer.hear(channel, conversation) == [])
        try await conversation.acknowledge(upTo: 1)
        #expect(
            try await peer.hear(channel, conversation) == [
                Envelope.signal(.receipt(received: 1)).bytes,
                Envelope.signal(.hello(received: 1, first: 1, notes: true, agents: true)).bytes,
            ])
        await conversation.received(theirs)
        for number in 2...4 { await conversation.received(try peer.text(number)) }
        try await conversation.acknowledge(upTo: 4)
        #expect(store.received == 4)
        var handedOn: [UInt64] = []
        while let report = reports.take() {
            if case .received(_, let message) = report { handedOn.append(message.sequence) }
        }
        #expect(handedOn == [1, 2, 3, 4])
    }

    @Test(arguments: [1, 3, 8])
    func `what the channel has no room for is sent when it has, once and in order`(limit: Int) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        try await pair.settle()
        for number in 1...20 {
            pair.ada.channels[.messages]?.limit = limit
            let text = OutgoingMessage(id: OutboxTests.id(number), sentAt: 0, content: .ready(.text("\(number)")))
            try await pair.ada.conversation.deliver(text)
        }
        pair.ada.channels[.messages]?.limit = .max
        try await pair.settle()
        #expect(pair.ben.heard == (1...limit).map(String.init))
        await pair.ada.conversation.drained()
        try await pair.settle()
        #expect(pair.ben.heard == (1...20).map(String.init))
        await pair.ada.conversation.drained()
        #expect(pair.ada.channels[.messages]?.take() == nil)
    }
}
