import Foundation
import Testing

@testable import Rooms

/// The end of a file reaches the other side, whatever happens to the connection and the processes.
@Suite(.timeLimit(.minutes(5)))
struct FileEndTests {
    enum Ending: CaseIterable { case checked, damaged, declined, cancelledByReceiver, cancelledBySender }
    enum Restart: CaseIterable { case nobody, sender, receiver, both }

    /// Offers a file and ends it, up to the answer.
    private static func end(_ pair: ConversationPair, _ ending: Ending) async throws -> MessageID {
        let id = try await pair.offer(1)
        try await pair.settle()
        switch ending {
        case .checked, .damaged:
            if ending == .damaged { try Data(count: 200_000).write(to: URL(fileURLWithPath: pair.folder + "/sent-1")) }
            pair.ben.transfers[id]?.state = .running
            try await pair.ben.conversation.acceptFile(id)
        case .declined:
            pair.ben.transfers[id]?.end(.failed(.fileDeclined))
            try await pair.ben.conversation.declineFile(id)
        case .cancelledByReceiver:
            pair.ben.transfers[id]?.end(.failed(.fileCancelled))
            try await pair.ben.conversation.cancelFile(id)
        case .cancelledBySender:
            pair.ada.transfers[id]?.end(.failed(.fileCancelled))
            try await pair.ada.conversation.cancelFile(id)
        }
        try await pair.settle()
        return id
    }

    private static func isAnswer(_ signal: Envelope.Signal) -> Bool {
        switch signal {
        case .fileAnswer(_, nil), .fileChecked, .fileCancelled: true
        default: false
        }
    }

    private static func isSettled(_ signal: Envelope.Signal) -> Bool {
        if case .fileSettled = signal { true } else { false }
    }

    private static func expected(_ ending: Ending) -> TestTransfer.State {
        switch ending {
        case .checked: .finished
        case .damaged: .failed(.fileCorrupt)
        case .declined: .failed(.fileDeclined)
        case .cancelledByReceiver, .cancelledBySender: .failed(.fileCancelled)
        }
    }

    @Test(arguments: Ending.allCases, Restart.allCases)
    func `an answer that was lost with its connection is said again`(ending: Ending, restart: Restart) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        pair.breaks = Self.isAnswer
        let id = try await Self.end(pair, ending)
        let waiting = ending == .cancelledBySender ? pair.ben : pair.ada
        #expect(waiting.channels.isEmpty)
        #expect(waiting.transfers[id]?.isOpen == true)
        if restart == .sender || restart == .both { try await pair.ada.restart() }
        if restart == .receiver || restart == .both { try await pair.ben.restart() }
        pair.breaks = { _ in false }
        await pair.connect()
        try await pair.settle()
        for side in pair.sides {
            #expect(side.transfers[id]?.state == Self.expected(ending))
            #expect(side.store.files.isEmpty)
        }
    }

    @Test(arguments: Ending.allCases, Restart.allCases)
    func `an answer whose receipt was lost is said again and changes nothing`(
        ending: Ending, restart: Restart
    ) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        pair.breaks = Self.isSettled
        let id = try await Self.end(pair, ending)
        let before = pair.sides.map { $0.transfers[id] }
        for state in before { #expect(state?.state == Self.expected(ending)) }
        #expect(pair.sides.count { !$0.store.files.isEmpty } == 1)
        if restart == .sender || restart == .both { try await pair.ada.restart() }
        if restart == .receiver || restart == .both { try await pair.ben.restart() }
        pair.breaks = { _ in false }
        for _ in 0..<2 {
            await pair.cut()
            await pair.connect()
            try await pair.settle()
        }
        #expect(pair.sides.map { $0.transfers[id] } == before)
        for side in pair.sides { #expect(side.store.files.isEmpty) }
    }

    /// The store knows how the file ended, and the process dies before its owner does.
    @Test(arguments: [Ending.checked, .damaged, .cancelledBySender])
    func `an end that the owner has not stored is reported again after a restart`(ending: Ending) async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        pair.ben.transfers[id]?.state = .running
        if ending == .cancelledBySender {
            try await pair.ada.conversation.end(id, .cancelled)
        } else {
            let path = pair.ben.folder + "/file-1"
            try await pair.ben.conversation.end(id, ending == .checked ? .arrived(path: path) : .damaged)
        }
        let (from, to) = ending == .cancelledBySender ? (pair.ada, pair.ben) : (pair.ben, pair.ada)
        await to.conversation.received(try #require(from.channels[.messages]?.take()))
        #expect(from.store.files.first?.end?.isOurs == true)
        #expect(to.store.files.first?.end?.isOurs == false)
        for side in pair.sides { try await side.restart() }
        await pair.connect()
        try await pair.settle()
        for side in pair.sides {
            #expect(side.transfers[id]?.state == Self.expected(ending))
            #expect(side.store.files.isEmpty)
        }
        #expect(pair.ben.transfers[id]?.path == (ending == .checked ? pair.ben.folder + "/file-1" : nil))
    }

    @Test func `what was declined before anybody heard of it can be accepted after all`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        let id = try await pair.offer(1)
        try await pair.settle()
        await pair.cut()
        try await pair.ben.conversation.declineFile(id)
        pair.ben.transfers[id]?.state = .running
        try await pair.ben.conversation.acceptFile(id)
        await pair.connect()
        try await pair.settle()
        for side in pair.sides { #expect(side.transfers[id]?.state == .finished) }
    }

    @Test func `no more files are remembered than are read quickly`() async throws {
        let pair = try ConversationPair()
        await pair.connect()
        await pair.ben.conversation.received(Envelope.signal(.hello(received: 0, first: 1)).bytes)
        let count = Conversation.fileLimit + 100
        let offer = OfferedFile(name: "x", bytes: 1, sha256: Array(repeating: 0, count: 32))
        for number in 1...count {
            await pair.ben.conversation.keep(offer, of: OutboxTests.id(number))
        }
        #expect(pair.ben.store.files.count == Conversation.fileLimit)
        #expect(pair.ben.store.files.contains { $0.id == OutboxTests.id(count) })
    }

    /// After any mixture of answers, broken connections and restarts the file ends on both sides.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `no side waits for ever`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let pair = try ConversationPair()
        var ids: [MessageID] = []
        for round in 1...12 {
            if ids.count < 4 { ids.append(try await pair.offer(ids.count + 1, bytes: 70_000)) }
            pair.envelopesLeft = Int.random(in: 0...24, using: &random)
            await pair.connect()
            try await pair.settle()
            if let id = ids.randomElement(using: &random) { try await Self.decide(pair, id, &random) }
            try await pair.settle()
            await pair.cut()
            if round % 3 == 0, let side = pair.sides.randomElement(using: &random) { try await side.restart() }
        }
        pair.envelopesLeft = .max
        for id in ids where pair.ben.transfers[id]?.state != .running {
            try await Self.decide(pair, id, &random)
        }
        await pair.connect()
        try await pair.settle()
        for id in ids {
            let (sent, received) = (pair.ada.transfers[id], pair.ben.transfers[id])
            #expect(sent?.isOpen == received?.isOpen || (sent?.isOpen == false && received == nil))
            if sent?.state == .finished { #expect(received?.state == .finished) }
            if sent?.isOpen == false {
                for side in pair.sides { #expect(side.store.files.allSatisfy { $0.id != id }) }
            }
        }
        let arrived = try FileManager.default.contentsOfDirectory(atPath: pair.ben.folder).sorted()
        let finished = pair.ben.transfers.values.filter { $0.state == .finished }
        #expect(arrived.count == finished.count + pair.ben.store.files.count { $0.isAccepted })
    }

    /// One of the two people acts on a file, if it is open there.
    private static func decide(
        _ pair: ConversationPair, _ id: MessageID, _ random: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where pair.ada.transfers[id]?.isOpen == true:
            pair.ada.transfers[id]?.end(.failed(.fileCancelled))
            try await pair.ada.conversation.cancelFile(id)
        case 1 where pair.ben.transfers[id]?.state == .offered:
            pair.ben.transfers[id]?.end(.failed(.fileDeclined))
            try await pair.ben.conversation.declineFile(id)
        case 2 where pair.ben.transfers[id]?.state == .running:
            pair.ben.transfers[id]?.end(.failed(.fileCancelled))
            try await pair.ben.conversation.cancelFile(id)
        case 3... where pair.ben.transfers[id]?.state == .offered:
            pair.ben.transfers[id]?.state = .running
            try await pair.ben.conversation.acceptFile(id)
        default: break
        }
    }
}
