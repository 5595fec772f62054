import Sealing
import Testing

@testable import Rooms

struct RoomReportsTests {
    private let store = MemoryDeliveries()
    private let reports = RoomReports()

    private func conversation() throws -> Conversation {
        try Conversation(
            room: "room", store: store, sealing: SealingFolder(), keyTarget: SealedPeer.keyTarget, filesFolder: "",
            report: reports)
    }

    @Test func `a peer that floods does not fill the memory of a listener that is slow`() async throws {
        let conversation = try conversation()
        await conversation.connected(
            [.messages: TestChannel(), .files: TestChannel()], binding: SealedPeer.binding(.creator))
        await conversation.received(Envelope.signal(.hello(received: 0, first: 1, notes: true)).bytes)
        let offer = OfferedFile(name: "x", bytes: 1, sha256: Array(repeating: 0, count: 32))
        let file = OutboxTests.id(-1)
        try await conversation.remember(
            StoredFile(id: file, direction: .outgoing, offer: offer, path: "/nowhere", isAccepted: false))
        for round in 0..<2000 {
            let seen = (round * 50..<round * 50 + 50).map { OutboxTests.id($0) }
            await conversation.received(Envelope.signal(.read(seen)).bytes)
            for signal in [
                .typing(round % 2 == 0), .goodbye(forever: false), .fileChecked(file, intact: true),
                .fileSettled(file), .fileCancelled(OutboxTests.id(round)),
            ] as [Envelope.Signal] {
                await conversation.received(Envelope.signal(signal).bytes)
            }
        }
        #expect(reports.count == 5)
        var (seen, isTyping): ([MessageID], Bool?) = ([], nil)
        while let report = reports.take() {
            if case .read(_, let messages) = report { seen += messages }
            if case .typing(_, let on) = report { isTyping = on }
        }
        #expect(seen.count == RoomReport.readLimit)
        #expect(isTyping == false)
    }

    @Test func `messages that come again with every connection wait once`() async throws {
        let conversation = try conversation()
        let peer = try SealedPeer()
        for _ in 0..<10 {
            try await peer.connect(to: conversation, over: TestChannel())
            for number in 1...50 { await conversation.received(try peer.text(number)) }
            await conversation.disconnected()
        }
        var sequences: [UInt64] = []
        while let report = reports.take() {
            if case .received(_, let message) = report { sequences.append(message.sequence) }
        }
        #expect(sequences == Array(1...50))
    }

    @Test func `what one room reports does not take the place of another room's`() {
        for room in ["a", "b"] {
            reports.yield(.typing(room: room, true))
            reports.yield(.peerLeft(room: room, forever: false))
            reports.yield(.peerLeft(room: room, forever: true))
        }
        #expect(reports.count == 6)
    }

    @Test func `every report is heard in order, also those that wait at the end`() async {
        let reports = reports
        let listener = Task {
            var heard: [String] = []
            for await report in reports { if case .watchEnded(let room, _) = report { heard.append(room) } }
            return heard
        }
        for number in 0..<1000 {
            reports.yield(.watchEnded(room: "\(number)", number: 1))
            if number % 100 == 0 { await Task.yield() }
        }
        reports.finish()
        #expect(await listener.value == (0..<1000).map { "\($0)" })
    }
}
