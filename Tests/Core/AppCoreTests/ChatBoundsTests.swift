import AppCore
import Catalogues
import Testing

/// Input that is too long, too much or impossible is refused with a sentence, and is not lost.
@Suite struct ChatBoundsTests {
    @Test func tooLongIsRefusedWithASentence() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendText(room: room, text: String(repeating: "x", count: 65_536)))
        #expect(driver.state.rooms[room]?.messages.count == 1)
        try driver.chat(.sendText(room: room, text: String(repeating: "x", count: 65_537)))
        #expect(driver.state.rooms[room]?.messages.count == 1)
        #expect(driver.text.contains("longer than 64 KiB"))
    }

    @Test func whatIsRefusedAgainIsToldAgain() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let long = String(repeating: "x", count: 65_537)
        var told: [UInt64] = []
        for _ in 0..<3 {
            try driver.chat(.sendText(room: room, text: long))
            #expect(driver.state.notices.count { $0.sentence.contains("longer than 64 KiB") } == 1)
            told.append(try #require(driver.state.notices.last?.id))
        }
        #expect(Set(told).count == 3, "each is a notice of its own, for those who show what is new")
    }

    @Test func whatOthersCauseIsNotToldAgainWhileItIsShown() throws {
        var driver = try TestDriver()
        let room = try driver.member()
        for number in 0..<3 {
            try driver.event(.identityKnown(room: room, fingerprint: "stranger-\(number)", safetyNumber: "1"))
        }
        #expect(driver.state.notices.map(\.id) == [driver.state.notices.first?.id])
    }

    @Test func whatIsRefusedComesBackIntoTheComposer() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let (first, second) = (String(repeating: "a", count: 65_537), String(repeating: "b", count: 65_540))
        try driver.chat(.sendText(room: room, text: first))
        #expect(driver.draft(in: room) == first)
        // From the composer itself nothing is doubled.
        try driver.dispatch(try #require(driver.tree.find("chat.send")?.offers.first).action)
        #expect(driver.draft(in: room) == first)
        // What was said from elsewhere leaves it alone.
        try driver.chat(.sendText(room: room, text: "short"))
        #expect(driver.state.rooms[room]?.messages.last?.body == .text("short"))
        #expect(driver.draft(in: room) == first)
        try driver.chat(.sendText(room: room, text: second))
        #expect(driver.draft(in: room) == String((first + "\n" + second).prefix(RoomLimits.draftBytes)))
        // Shortened, it is said.
        try driver.chat(.setDraft(room: room, text: "bb"))
        try driver.dispatch(try #require(driver.tree.find("chat.send")?.offers.first).action)
        #expect(driver.draft(in: room).isEmpty)
        #expect(driver.state.rooms[room]?.messages.last?.body == .text("bb"))
    }

    @Test func aTextThatIsTooLongCanBeWrittenAndShortened() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let long = String(repeating: "x", count: 100_000)
        try driver.chat(.setDraft(room: room, text: long))
        #expect(driver.draft(in: room) == long)
        try driver.chat(.setDraft(room: room, text: String(repeating: "x", count: 200_000)))
        #expect(driver.draft(in: room).utf8.count == RoomLimits.draftBytes)
    }

    @Test func whereNothingCanBeSaidThatIsTold() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.event(.peerLeft(room: room, forever: true))
        try driver.chat(.sendText(room: room, text: "too late"))
        #expect(driver.text.contains("Nothing can be said in this room now: Closed."))
        #expect(driver.draft(in: room).isEmpty, "nobody could write on there")
    }

    @Test func theQueueIsBounded() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        for number in 0...RoomLimits.pendingMessages { try driver.chat(.sendText(room: room, text: "\(number)")) }
        #expect(driver.state.rooms[room]?.messages.count == RoomLimits.pendingMessages)
        #expect(driver.tree.find("notices") != nil)
    }

    @Test func theOldestMessagesOfAFullRoomGo() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        for number in 0...UInt64(RoomLimits.messages) {
            try driver.receive(room, MessageID("m\(number)"), .text("x"), sequence: number + 1)
        }
        let messages = try #require(driver.state.rooms[room]?.messages)
        #expect(messages.count == RoomLimits.messages * 9 / 10 + 1)
        #expect(messages["m0"] == nil && messages.last?.id == "m20000")
        #expect(driver.disk["message/\(room)/m0"] == nil)
        #expect(driver.state.rooms[room]?.unreadCount == messages.count)
    }

    /// What one person says fills neither the disk of the other one nor the time of a start.
    @Test(arguments: [("x", 300 as UInt64), ("\u{1}", 60)]) func theOldestTextsGoWhenARoomHoldsTooMuch(
        character: String, count: UInt64
    ) throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        let text = String(repeating: character, count: RoomLimits.textBytes)
        for number in 0..<count {
            try driver.receive(room, MessageID("m\(number)"), .text(text), sequence: number + 1)
        }
        let disk = driver.disk.filter { $0.key.hasPrefix("message/") }
        #expect(disk.values.reduce(0) { $0 + $1.utf8.count } < RoomLimits.savedBytes + (1 << 20))
        let kept = try #require(driver.state.rooms[room])
        #expect(kept.messages.last?.id == MessageID("m\(count - 1)") && kept.messages["m0"] == nil)
        #expect(kept.messages.savedBytes <= RoomLimits.savedBytes)
        #expect(kept.messages.savedBytes > RoomLimits.savedBytes / 10 * 8)
        #expect(kept.forgotten == Int(count) - kept.messages.count)
        #expect(driver.tree.find("chat.forgotten")?.detail?.english == "\(Int(count) - kept.messages.count) so far")
        #expect(driver.tree.find("notices") != nil)
        try driver.restart()
        #expect(driver.state.rooms[room]?.forgotten == kept.forgotten)
        #expect(driver.state.rooms[room]?.messages.savedBytes == kept.messages.savedBytes)
    }

    /// A profile that an older version let grow is no larger after the next start.
    @Test func aRoomThatHoldsTooMuchIsTrimmedAtTheStart() throws {
        var driver = try TestDriver()
        driver.keepsStates = false
        let room = try driver.roomThatTalks()
        let text = String(repeating: "x", count: RoomLimits.textBytes)
        try driver.receive(room, "m0", .text(text))
        let record = try #require(driver.disk["message/\(room)/m0"])
        var records = driver.records { _ in true }
        for number in 1...300 {
            let copy = record.replacing("\"m0\"", with: "\"m\(number)\"")
                .replacing("\"order\":1,", with: "\"order\":\(number + 1),")
            records.append(Record(key: .message(room, MessageID("m\(number)")), json: copy))
        }
        try driver.event(.started(locked: false, records: records))
        let kept = try #require(driver.state.rooms[room])
        #expect(kept.messages.savedBytes <= RoomLimits.savedBytes && kept.messages.last?.id == "m300")
        #expect(kept.forgotten == 301 - kept.messages.count)
        #expect(driver.outcome.changes.contains(.message(room, "m0")))
    }

    @Test(arguments: [(91.0, 0.0), (0.0, -180.5), (.nan, 0.0), (0.0, .infinity)]) func impossiblePlacesAreRefused(
        latitude: Double, longitude: Double
    ) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendLocation(room: room, latitude: latitude, longitude: longitude, accuracy: nil))
        try driver.receive(room, "m1", .location(Location(latitude: latitude, longitude: longitude)))
        #expect(driver.state.rooms[room]?.messages.isEmpty == true)
    }
}
