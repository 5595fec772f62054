import Foundation
import Testing

@testable import Rooms

/// Files that rest, and go on from where they stopped.
@Suite(.timeLimit(.minutes(5)))
struct FilePauseTests {
    enum Interruption: CaseIterable { case none, connection, sender, receiver }

    /// A file of which the first chunk has come, while the others are not taken from the channel yet.
    private static func half(_ pair: ConversationPair) async throws -> MessageID {
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        pair.ben.transfers[id]?.state = .running
        try await pair.ben.conversation.acceptFile(id)
        await pair.ada.conversation.received(try #require(pair.ben.channels[.messages]?.take()))
        await pair.ben.conversation.received(try #require(pair.ada.channels[.files]?.take()))
        return id
    }

    private static func interrupt(_ pair: ConversationPair, _ interruption: Interruption) async throws {
        switch interruption {
        case .none: break
        case .connection: await pair.cut()
        case .sender: try await pair.ada.restart()
        case .receiver: try await pair.ben.restart()
        }
        if interruption != .none { await pair.connect() }
        try await pair.settle()
    }

    @Test(arguments: Interruption.allCases)
    func `a file that the receiver pauses stays where it is until it is resumed`(interruption: Interruption)
        async throws
    {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        // What is in the channel is lost with it.
        await pair.cut()
        try await pair.ben.conversation.pauseFile(id)
        // The core does not accept again what it has paused.
        pair.ben.transfers[id]?.state = .offered
        await pair.connect()
        try await Self.interrupt(pair, interruption)
        #expect(pair.ben.transfers[id]?.isOpen == true)
        #expect(await pair.ada.conversation.outgoing.isEmpty)
        try await pair.ben.conversation.resumeFile(id)
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }

    @Test(arguments: Interruption.allCases)
    func `a file that the sender pauses stays where it is until it is resumed`(interruption: Interruption) async throws
    {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        await pair.cut()
        try await pair.ada.conversation.pauseFile(id)
        await pair.connect()
        try await Self.interrupt(pair, interruption)
        #expect(pair.ben.transfers[id]?.state == .running)
        #expect(await pair.ada.conversation.outgoing.isEmpty)
        try await pair.ada.conversation.resumeFile(id)
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }

    @Test func `the sender stops when the receiver says so`() async throws {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        let offset = try #require(await pair.ben.conversation.incoming[id]?.offset)
        try await pair.ben.conversation.pauseFile(id)
        await pair.ada.conversation.received(Envelope.signal(.filePaused(id)).bytes)
        #expect(await pair.ada.conversation.outgoing[id] == nil)
        #expect(offset > 0)
        // A second pause, and a resumption of what is not paused, change nothing.
        try await pair.ben.conversation.pauseFile(id)
        try await pair.ada.conversation.resumeFile(id)
        #expect(await pair.ada.conversation.outgoing[id] == nil)
    }

    @Test func `both pause, and it goes on when both have resumed`() async throws {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        await pair.cut()
        try await pair.ada.conversation.pauseFile(id)
        try await pair.ben.conversation.pauseFile(id)
        await pair.connect()
        try await pair.ben.conversation.resumeFile(id)
        try await pair.settle()
        #expect(pair.ben.transfers[id]?.state == .running)
        try await pair.ada.conversation.resumeFile(id)
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }

    @Test func `a paused file can be cancelled, and taken again without being paused`() async throws {
        let pair = try ConversationPair()
        let id = try await Self.half(pair)
        await pair.cut()
        try await pair.ben.conversation.pauseFile(id)
        try await pair.ben.conversation.cancelFile(id)
        try await pair.ben.conversation.acceptFile(id)
        await pair.connect()
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }
}
