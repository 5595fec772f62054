import Foundation
import Testing

@testable import Rooms

/// Files continue, whichever side notices that a connection was interrupted.
@Suite(.timeLimit(.minutes(5)))
struct FileInterruptionTests {
    enum Witness: CaseIterable { case sender, receiver, both }

    private static func isWanted(_ signal: Envelope.Signal) -> Bool {
        if case .fileAnswer(_, .some) = signal { true } else { false }
    }

    private static func interrupt(_ pair: ConversationPair, _ witness: Witness) async throws {
        switch witness {
        case .sender: await pair.interrupt(pair.ada)
        case .receiver: await pair.interrupt(pair.ben)
        case .both:
            await pair.cut()
            await pair.connect()
        }
        try await pair.settle()
    }

    /// The whole file is in the channel, and is lost with it.
    @Test(arguments: Witness.allCases)
    func `a file goes on after an interruption that one side noticed`(witness: Witness) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        pair.ben.transfers[id]?.state = .running
        try await pair.ben.conversation.acceptFile(id)
        await pair.ada.conversation.received(try #require(pair.ben.channels[.messages]?.take()))
        let chunk = try #require(pair.ada.channels[.files]?.take())
        await pair.ben.conversation.received(chunk)
        #expect(await pair.ben.conversation.incoming[id]?.offset ?? 0 > 0)
        try await Self.interrupt(pair, witness)
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }

    @Test(arguments: Witness.allCases)
    func `the end of a file is said again after an interruption that one side noticed`(witness: Witness) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        pair.ben.transfers[id]?.end(.failed(.fileDeclined))
        try await pair.ben.conversation.declineFile(id)
        try await Self.interrupt(pair, witness)
        #expect(pair.ada.transfers[id]?.state == .failed(.fileDeclined))
        for side in pair.sides { #expect(side.store.files.isEmpty) }
    }

    @Test func `what is there of a file is not read again when the connection comes back`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        try await pair.ben.conversation.acceptFile(id)
        await pair.ada.conversation.received(try #require(pair.ben.channels[.messages]?.take()))
        await pair.ben.conversation.received(try #require(pair.ada.channels[.files]?.take()))
        let offset = try #require(await pair.ben.conversation.incoming[id]?.offset)
        await pair.cut()
        #expect(await pair.ben.conversation.incoming[id]?.offset == offset)
        await pair.connect()
        #expect(await pair.ben.conversation.fileWork.isEmpty)
    }
}
