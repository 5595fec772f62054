import Testing

@testable import AppCore

/// What the person has seen is one number of a room, and not a mark on each message.
@Suite struct SeenTests {
    /// A room that talks, is not on the screen, and in which so many messages came.
    private static func unread(_ count: Int) throws -> (TestDriver, RoomID) {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        for number in 0..<count {
            try driver.receive(room, MessageID("m\(number)"), .text("x"), sequence: UInt64(number) + 1)
        }
        return (driver, room)
    }

    @Test(arguments: [(1, [1]), (1000, [1000]), (2500, [1000, 1000, 500])]) func lookingChangesOneRecord(
        count: Int, batches: [Int]
    ) throws {
        var (driver, room) = try Self.unread(count)
        #expect(driver.state.rooms[room]?.unreadCount == count)
        try driver.rooms(.openRoom(room: room))
        #expect(driver.outcome.changes.filter { $0 == .room(room) }.count == 1)
        #expect(!driver.outcome.changes.contains { if case .message = $0 { true } else { false } })
        let reports = driver.effects.compactMap { if case .sendRead(room, let ids) = $0 { ids } else { nil } }
        #expect(reports.map(\.count) == batches)
        #expect(reports.joined().elementsEqual((0..<count).map { MessageID("m\($0)") }))
    }

    @Test func aRestartKnowsWhatWasSeen() throws {
        var (driver, room) = try Self.unread(3)
        try driver.restart()
        #expect(driver.state.rooms[room]?.unreadCount == 3)
        try driver.rooms(.openRoom(room: room))
        try driver.restart()
        #expect(driver.state.rooms[room]?.unreadCount == 0)
        #expect(driver.state.rooms[room]?.live.unreportedFrom == nil)
    }

    @Test func onlyWhatCameIsCountedAndReported() throws {
        var (driver, room) = try Self.unread(1)
        try driver.chat(.sendText(room: room, text: "mine"))
        try driver.receive(room, "late", .text("x"), sequence: 2)
        #expect(driver.state.rooms[room]?.unreadCount == 2)
        try driver.rooms(.openRoom(room: room))
        #expect(driver.effects.contains(.sendRead(room: room, messages: ["m0", "late"])))
        try driver.receive(room, "seen", .text("x"), sequence: 3)
        #expect(driver.effects.contains(.sendRead(room: room, messages: ["seen"])))
        #expect(driver.state.rooms[room]?.unreadCount == 0)
    }

    /// Its messages are gone after a restart, and their orders begin again.
    @Test func aRoomThatKeepsNothingCountsAfterARestart() throws {
        var (driver, room) = try Self.unread(5)
        try driver.chat(.setEphemeral(room: room, on: true))
        try driver.rooms(.openRoom(room: room))
        try driver.restart()
        try driver.connect()
        try driver.rooms(.closeRoom(room: room))
        try driver.receive(room, "new", .text("x"))
        #expect(driver.state.rooms[room]?.unreadCount == 1)
    }

    @Test func aConversationSaysWhereWhatIsNewBegins() throws {
        var (driver, room) = try Self.unread(3)
        try driver.rooms(.openRoom(room: room))
        let unseen = { (driver: TestDriver) in driver.tree.find("chat.messages")?.facts.unseen }
        #expect(driver.state.rooms[room]?.unreadCount == 0)
        #expect(unseen(driver) == Facts.Unseen(first: "message.m0", count: 3))
        try driver.receive(room, "m3", .text("x"), sequence: 4)
        #expect(unseen(driver)?.count == 3, "what comes while the person looks is not new to them")
        try driver.app(.navigate(to: Screen(.roomSettings, room: room)))
        try driver.app(.back)
        #expect(unseen(driver)?.first == "message.m0")
        try driver.app(.becameInactive)
        try driver.receive(room, "m4", .text("x"), sequence: 5)
        try driver.app(.becameActive)
        #expect(unseen(driver) == Facts.Unseen(first: "message.m4", count: 1))
        try driver.rooms(.closeRoom(room: room))
        try driver.rooms(.openRoom(room: room))
        #expect(unseen(driver) == nil)
    }

    /// Version 0.2 wrote `read` or `unread` into each message, and nothing into the room.
    @Test(arguments: [
        (["read", "read", "read"], 0), (["read", "unread", "unread"], 2), (["unread", "unread", "unread"], 3),
    ]) func recordsOfVersion02AreUnderstood(statuses: [String], unread: Int) throws {
        var (driver, room) = try Self.unread(3)
        var records = driver.records { _ in true }
        #expect(records.contains { $0.json.contains("seen_up_to") })
        for index in records.indices {
            switch records[index].key {
            case .room: records[index].json.replace(/,"seen_up_to":[0-9]+|"seen_up_to":[0-9]+,/, with: "")
            case .message(_, let id):
                let status = statuses[Int(id.text.dropFirst()) ?? 0]
                records[index].json.replace(#""status":"delivered""#, with: #""status":"\#(status)""#)
            default: break
            }
        }
        #expect(!records.contains { $0.json.contains("seen_up_to") || $0.json.contains("delivered") })
        try driver.event(.started(locked: false, records: records))
        #expect(driver.outcome.unreadable.isEmpty && driver.outcome.changes.contains(.room(room)))
        #expect(driver.state.rooms[room]?.unreadCount == unread)
        try driver.app(.becameActive)
        try driver.rooms(.openRoom(room: room))
        try driver.restart()
        #expect(driver.state.rooms[room]?.unreadCount == 0)
    }
}
