import Testing

@testable import AppCore

/// What nobody has seen is on the disk like everything else: it is counted, found when somebody comes, and reported as seen.
@Suite struct UnreadHistoryTests {
    private static let recent = 4

    /// A room that talks, in a process that has the newest of so many unread messages in memory.
    private static func unread(_ count: Int, tellsSeen: Bool = false) throws -> (TestDriver, RoomID) {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        for number in 0..<count {
            try driver.receive(room, id(number), .text("x"), sequence: UInt64(number) + 1)
        }
        // The first start with pages counts, the next one leaves what it counted on the disk.
        try driver.restart(active: false, recent: recent)
        try driver.restart(recent: recent)
        if tellsSeen { try driver.app(.tellSeen) }
        try driver.connect()
        #expect(driver.state.rooms[room]?.unreadCount == count)
        #expect(driver.state.rooms[room]?.messages.all.count == recent)
        return (driver, room)
    }

    private static func id(_ number: Int) -> MessageID { MessageID("m\(number)") }

    private static func reports(_ effects: [Effect.Kind]) -> [[MessageID]] {
        effects.compactMap { if case .sendRead(_, let ids) = $0 { ids } else { nil } }
    }

    private func unseen(_ driver: TestDriver) -> Facts.Unseen? { driver.tree.find("chat.messages")?.facts.unseen }

    @Test(arguments: [(5, [5]), (1200, [1000, 200])]) func allOfItIsReported(
        count: Int, batches: [Int]
    ) throws {
        var (driver, room) = try Self.unread(count)
        try driver.rooms(.openRoom(room: room))
        #expect(driver.state.rooms[room]?.unreadCount == 0)
        #expect(Self.reports(driver.effects).isEmpty)
        let reports = Self.reports(try driver.answerHistory())
        #expect(reports.map(\.count) == batches)
        #expect(reports.joined().elementsEqual((0..<count).map(Self.id)))
        #expect(driver.state.rooms[room]?.live.unreportedFrom == nil)
        try driver.restart(recent: Self.recent)
        #expect(driver.state.rooms[room]?.unreadCount == 0)
    }

    @Test func theLineStandsWhereItBegins() throws {
        var (driver, room) = try Self.unread(30)
        try driver.rooms(.openRoom(room: room))
        #expect(unseen(driver) == Facts.Unseen(first: nil, count: 30))
        #expect(driver.tree.find("chat.messages")?.isBusy == true)
        try driver.answerHistory()
        #expect(unseen(driver) == Facts.Unseen(first: "message.m0", count: 30))
        // What is between comes when somebody wants it.
        #expect(driver.state.rooms[room]?.messages.contains(Self.id(15)) == false)
        #expect(driver.state.rooms[room]?.messages.count == 30)
        try driver.chat(.loadLater(room: room, message: Self.id(3)))
        try driver.answerHistory()
        #expect(driver.state.rooms[room]?.messages.contains(Self.id(5)) == true)
        #expect(unseen(driver)?.first == "message.m0")
    }

    @Test func aDiskThatFailsLeavesTheConversationAsItIs() throws {
        var (driver, room) = try Self.unread(30)
        try driver.rooms(.openRoom(room: room))
        for effect in driver.open {
            switch effect.kind {
            case .findUnseen, .listReceived: try driver.fail(effect.id, Failure(.storageFailed, retryable: true))
            default: break
            }
        }
        #expect(unseen(driver) == nil && driver.tree.find("chat.messages")?.isBusy == false)
        // It is told once the disk is well.
        try driver.receive(room, "later", .text("x"), sequence: 31)
        #expect(Self.reports(try driver.answerHistory()).joined().count == 31)
    }

    @Test func whatIsSeenBitByBitIsCountedAndReported() throws {
        var (driver, room) = try Self.unread(30, tellsSeen: true)
        try driver.rooms(.openRoom(room: room))
        try driver.answerHistory()
        #expect(driver.state.rooms[room]?.unreadCount == 30)
        try driver.app(.seen(room: room, upTo: Self.id(1)))
        #expect(driver.state.rooms[room]?.unreadCount == 28)
        #expect(Self.reports(driver.effects) == [[Self.id(0), Self.id(1)]])
        // All before it has been seen as well, and most of that is on the disk.
        try driver.app(.seen(room: room, upTo: Self.id(27)))
        #expect(driver.state.rooms[room]?.unreadCount == 2)
        #expect(Self.reports(driver.effects + (try driver.answerHistory())) == [(2...27).map(Self.id)])
    }

    @Test func aLinkThatGoesDownMeanwhileHearsItLater() throws {
        var (driver, room) = try Self.unread(30)
        try driver.rooms(.openRoom(room: room))
        let link = try driver.waiting(\.isLink)
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        #expect(Self.reports(try driver.answerHistory()).isEmpty)
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(Self.reports(driver.effects + (try driver.answerHistory())) == [(0..<30).map(Self.id)])
    }

    /// An answer that names too little, or comes twice, makes no report twice.
    @Test func oddAnswersAreHarmless() throws {
        var (driver, room) = try Self.unread(30)
        try driver.rooms(.openRoom(room: room))
        let first = try driver.waiting { if case .listReceived = $0 { true } else { false } }
        try driver.event(.receivedListed(effect: first, messages: [Self.id(0)], through: 0))
        #expect(Self.reports(driver.effects) == [[Self.id(0)]])
        try driver.event(.receivedListed(effect: first, messages: [Self.id(0)], through: 3))
        #expect(driver.effects.isEmpty)
        try driver.event(.receivedListed(effect: EffectID(987_654), messages: [], through: .max))
        let second = try driver.waiting { if case .listReceived = $0 { true } else { false } }
        try driver.event(.receivedListed(effect: second, messages: [], through: .max))
        #expect(driver.state.rooms[room]?.live.unreportedFrom == nil)
    }

    @Test func aMessageIsFoundAlthoughSomeWasSeenMeanwhile() throws {
        var (driver, room) = try Self.unread(30, tellsSeen: true)
        try driver.rooms(.openRoom(room: room))
        try driver.answerHistory()
        try driver.chat(.findMessage(room: room, message: Self.id(20)))
        let asked = try driver.waiting { if case .findMessage = $0 { true } else { false } }
        try driver.app(.seen(room: room, upTo: Self.id(1)))
        try driver.event(.historyLoaded(effect: asked, records: [], earlier: 18, unread: 18))
        try driver.answerHistory()
        #expect(driver.state.rooms[room]?.messages.contains(Self.id(20)) == true)
        #expect(driver.state.rooms[room]?.unreadCount == 28)
        let gaps = driver.state.rooms[room]?.messages.gaps ?? []
        #expect(gaps.allSatisfy { $0.unread == $0.count })
    }

    @Test func whereNothingIsKeptAnyMoreWhatIsNewStays() throws {
        var (driver, room) = try Self.unread(30)
        try driver.chat(.setEphemeral(room: room, on: true))
        #expect(driver.state.rooms[room]?.unreadCount == 30)
        #expect(driver.state.rooms[room]?.messages.all.count == 30)
        #expect(!driver.disk.keys.contains { $0.hasPrefix("message/") })
    }
}
