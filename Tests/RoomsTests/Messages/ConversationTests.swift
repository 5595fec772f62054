import DataChannels
import Foundation
import Testing

@testable import Rooms

struct ConversationTests {
    private let store = MemoryDeliveries()
    private let reports = RoomReports()

    private func conversation() throws -> Conversation {
        try Conversation(room: "room", store: store, filesFolder: "", report: reports)
    }

    private static func message(_ number: Int, _ content: MessageContent) -> [UInt8] {
        Envelope.message(
            .init(id: OutboxTests.id(number), sequence: UInt64(number), sentAt: 0, content: content)
        ).bytes
    }

    @Test func `a withdrawn message does not acknowledge those before it, which nobody has stored`() async throws {
        let conversation = try conversation()
        await conversation.received(Self.message(1, .text("one")))
        await conversation.received(Self.message(2, .withdrawn))
        await conversation.received(Self.message(3, .unknown))
        #expect(store.received == 0)
        try await conversation.acknowledge(upTo: 1)
        #expect(store.received == 3)
    }

    @Test func `a message of no meaning to its owner is acknowledged in its turn`() async throws {
        let conversation = try conversation()
        for number in 1...3 { await conversation.received(Self.message(number, .text("\(number)"))) }
        try await conversation.pass(over: 2)
        #expect(store.received == 0)
        try await conversation.acknowledge(upTo: 1)
        #expect(store.received == 2)
        try await conversation.acknowledge(upTo: 3)
        #expect(store.received == 3)
    }

    @Test func `a side that saw no interruption answers the hello of one that did, once`() async throws {
        let peer = try PeerConnection(configuration: PeerConnectionConfiguration())
        let channel = try peer.createDataChannel(label: "messages")
        let conversation = try conversation()
        await conversation.connected([.messages: channel])
        let hello = channel.bufferedAmount
        #expect(hello > 0)
        let theirs = Envelope.signal(.hello(received: 0, first: 1)).bytes
        await conversation.received(theirs)
        #expect(channel.bufferedAmount == hello)
        await conversation.received(theirs)
        #expect(channel.bufferedAmount == 2 * hello)
        await peer.close()
    }

    @Test func `what comes faster than it can be stored is asked for again`() async throws {
        let peer = try PeerConnection(configuration: PeerConnectionConfiguration())
        let channel = try peer.createDataChannel(label: "messages")
        let conversation = try conversation()
        await conversation.connected([.messages: channel])
        await conversation.received(Envelope.signal(.hello(received: 0, first: 1)).bytes)
        let window = Int(Inbox.window)
        for number in 1...window + 10 { await conversation.received(Self.message(number, .text("x"))) }
        let before = channel.bufferedAmount
        try await conversation.acknowledge(upTo: UInt64(window))
        // A receipt, and a hello that asks for the rest.
        let receipt = Envelope.signal(.receipt(received: UInt64(window))).bytes.count
        #expect(channel.bufferedAmount > before + receipt)
        await conversation.received(Self.message(window + 1, .text("x")))
        try await conversation.acknowledge(upTo: UInt64(window) + 1)
        #expect(store.received == UInt64(window) + 1)
        reports.finish()
        var handedOn = 0
        for await _ in reports { handedOn += 1 }
        #expect(handedOn == window + 1)
        await peer.close()
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
