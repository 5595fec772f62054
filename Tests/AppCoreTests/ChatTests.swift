import AppCore
import Testing

/// Messages: written, on their way, delivered, seen, received.
@Suite struct ChatTests {
    @Test func aMessageGoesFromSendingToDeliveredToSeen() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: "  hello \n"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(
            stage.effects == [.deliver(room: room, message: message.id, body: .text("hello"), sentAt: message.sentAt)])
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Sending")
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Delivered")
        try stage.event(.receipts(room: room, messages: [message.id]))
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Seen")
    }

    @Test func aReceiptMayOvertakeTheAcknowledgement() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: "hello"))
        let message = try #require(stage.state.rooms[room]?.messages.last?.id)
        let delivery = try stage.waiting(\.isDelivery)
        try stage.event(.receipts(room: room, messages: [message]))
        try stage.event(.acknowledged(effect: delivery))
        #expect(stage.state.rooms[room]?.messages[message]?.status == .read)
        #expect(stage.state.rooms[room]?.messages[message]?.effect == nil)
    }

    @Test func whatIsWrittenWithoutALinkWaits() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        try stage.chat(.sendText(room: room, text: "for later"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Waiting for the connection")
        #expect(stage.asked(\.isDelivery), "the outbox has it at once")
        try stage.connect()
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Sending")
    }

    @Test func aRefusedMessageSaysWhyAndCanBeSentAgainUnderItsId() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: "big"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        try stage.fail(try stage.waiting(\.isDelivery), Failure(.messageTooLarge))
        let node = try #require(stage.tree.find("message.\(message.id)"))
        #expect(node.detail?.contains("too large") == true)
        try stage.dispatch(try #require(node.children.first?.offers.first).action)
        #expect(
            stage.effects == [.deliver(room: room, message: message.id, body: .text("big"), sentAt: message.sentAt)])
        #expect(stage.state.rooms[room]?.messages.count == 1)
    }

    @Test func aDeliveryThatFailsForNowIsTriedAgainUnderItsOldNumber() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: "again"))
        let delivery = try stage.waiting(\.isDelivery)
        try stage.fail(delivery, Failure(.storageFailed, retryable: true, retryAfter: 5000))
        #expect(stage.state.rooms[room]?.messages.last?.status == .pending)
        try stage.pass(seconds: 5)
        #expect(stage.outcome.effects.first { $0.kind.isDelivery }?.id == delivery)
    }

    @Test func aRepetitionIsNotShownTwiceButAcknowledgedTwice() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        for _ in 0..<2 {
            try stage.receive(room, "m1", .text("once"), sequence: 4)
            #expect(stage.effects.contains(.acknowledge(room: room, sequence: 4)))
        }
        #expect(stage.state.rooms[room]?.messages.count == 1)
    }

    @Test func aMessageIsSavedBeforeItIsAcknowledged() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("keep me"))
        #expect(stage.outcome.changes.contains(.message(room, "m1")))
        #expect(stage.disk["message/\(room)/m1"]?.contains("keep me") == true)
    }

    @Test func unseenMessagesAreCountedAndReportedOnceSeen() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.rooms(.closeRoom(room: room))
        try stage.receive(room, "m1", .text("one"), sequence: 1)
        try stage.receive(room, "m2", .text("two"), sequence: 2)
        #expect(stage.tree.find("room.\(room).unread")?.value == .text("2"))
        try stage.rooms(.openRoom(room: room))
        #expect(stage.effects.contains(.sendRead(room: room, messages: ["m1", "m2"])))
        try stage.app(.back)
        #expect(stage.tree.find("room.\(room).unread") == nil)
    }

    @Test func whatWasSeenWithoutALinkIsReportedWhenItIsBack() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.rooms(.closeRoom(room: room))
        try stage.receive(room, "m1", .text("one"))
        let link = try stage.waiting(\.isLink)
        try stage.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        try stage.rooms(.openRoom(room: room))
        #expect(stage.effects.isEmpty)
        try stage.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(stage.effects == [.sendRead(room: room, messages: ["m1"])])
    }

    @Test func nothingCountsAsSeenBehindTheCover() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.app(.becameInactive)
        try stage.receive(room, "m1", .text("secret"))
        #expect(!stage.text.contains("secret"))
        #expect(stage.state.rooms[room]?.live.unread == ["m1"])
        try stage.app(.becameActive)
        #expect(stage.effects.contains(.sendRead(room: room, messages: ["m1"])))
    }

    // MARK: - Typing

    @Test func typingIsToldSparinglyAndEndsByItself() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.setDraft(room: room, text: "h"))
        #expect(stage.effects == [.sendTyping(room: room, on: true)])
        try stage.chat(.setDraft(room: room, text: "he"))
        #expect(stage.effects.isEmpty)
        try stage.chat(.setDraft(room: room, text: ""))
        #expect(stage.effects == [.sendTyping(room: room, on: false)])

        try stage.event(.typingChanged(room: room, on: true))
        #expect(stage.tree.find("chat.typing") != nil)
        try stage.pass(seconds: 9)
        #expect(stage.tree.find("chat.typing") == nil)
    }

    @Test func leavingTheScreenEndsTheTyping() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.setDraft(room: room, text: "h"))
        try stage.app(.back)
        #expect(stage.effects == [.sendTyping(room: room, on: false)])
        #expect(stage.state.rooms[room]?.live.draft == "h")
    }

    @Test func sendingEmptiesTheComposer() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        #expect(stage.tree.find("chat.send")?.isEnabled == false)
        try stage.chat(.setDraft(room: room, text: "hello"))
        try stage.dispatch(try #require(stage.tree.find("chat.send")?.offers.first).action)
        #expect(stage.state.rooms[room]?.live.draft.isEmpty == true)
        #expect(stage.state.rooms[room]?.messages.last?.body == .text("hello"))
    }

    // MARK: - Bounds

    @Test func tooLongIsRefusedWithASentence() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: String(repeating: "x", count: 65_536)))
        #expect(stage.state.rooms[room]?.messages.count == 1)
        try stage.chat(.sendText(room: room, text: String(repeating: "x", count: 65_537)))
        #expect(stage.state.rooms[room]?.messages.count == 1)
        #expect(stage.text.contains("longer than 64 KiB"))
    }

    @Test func whatIsRefusedAgainIsToldAgain() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let long = String(repeating: "x", count: 65_537)
        var told: [UInt64] = []
        for _ in 0..<3 {
            try stage.chat(.sendText(room: room, text: long))
            #expect(stage.state.notices.count { $0.text.contains("longer than 64 KiB") } == 1)
            told.append(try #require(stage.state.notices.last?.id))
        }
        #expect(Set(told).count == 3, "each is a notice of its own, for those who show what is new")
    }

    @Test func whatOthersCauseIsNotToldAgainWhileItIsShown() throws {
        var stage = try Stage()
        let room = try stage.member()
        for number in 0..<3 {
            try stage.event(.identityKnown(room: room, fingerprint: "stranger-\(number)", safetyNumber: "1"))
        }
        #expect(stage.state.notices.map(\.id) == [stage.state.notices.first?.id])
    }

    @Test func whatIsRefusedComesBackIntoTheComposer() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let (first, second) = (String(repeating: "a", count: 65_537), String(repeating: "b", count: 65_540))
        try stage.chat(.sendText(room: room, text: first))
        #expect(stage.state.rooms[room]?.live.draft == first)
        // From the composer itself nothing is doubled.
        try stage.dispatch(try #require(stage.tree.find("chat.send")?.offers.first).action)
        #expect(stage.state.rooms[room]?.live.draft == first)
        // What was said from elsewhere leaves it alone.
        try stage.chat(.sendText(room: room, text: "short"))
        #expect(stage.state.rooms[room]?.messages.last?.body == .text("short"))
        #expect(stage.state.rooms[room]?.live.draft == first)
        try stage.chat(.sendText(room: room, text: second))
        #expect(stage.state.rooms[room]?.live.draft == String((first + "\n" + second).prefix(RoomLimits.draftBytes)))
        // Shortened, it is said.
        try stage.chat(.setDraft(room: room, text: "bb"))
        try stage.dispatch(try #require(stage.tree.find("chat.send")?.offers.first).action)
        #expect(stage.state.rooms[room]?.live.draft.isEmpty == true)
        #expect(stage.state.rooms[room]?.messages.last?.body == .text("bb"))
    }

    @Test func aTextThatIsTooLongCanBeWrittenAndShortened() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let long = String(repeating: "x", count: 100_000)
        try stage.chat(.setDraft(room: room, text: long))
        #expect(stage.state.rooms[room]?.live.draft == long)
        try stage.chat(.setDraft(room: room, text: String(repeating: "x", count: 200_000)))
        #expect(stage.state.rooms[room]?.live.draft.utf8.count == RoomLimits.draftBytes)
    }

    @Test func whereNothingCanBeSaidThatIsTold() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.event(.peerLeft(room: room, forever: true))
        try stage.chat(.sendText(room: room, text: "too late"))
        #expect(stage.text.contains("Nothing can be said in this room now: Closed."))
        #expect(stage.state.rooms[room]?.live.draft.isEmpty == true, "nobody could write on there")
    }

    @Test func theQueueIsBounded() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let room = try stage.roomThatTalks()
        for number in 0...RoomLimits.pendingMessages { try stage.chat(.sendText(room: room, text: "\(number)")) }
        #expect(stage.state.rooms[room]?.messages.count == RoomLimits.pendingMessages)
        #expect(stage.tree.find("notices") != nil)
    }

    @Test func theOldestMessagesOfAFullRoomGo() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let room = try stage.roomThatTalks()
        try stage.rooms(.closeRoom(room: room))
        for number in 0...UInt64(RoomLimits.messages) {
            try stage.receive(room, MessageID("m\(number)"), .text("x"), sequence: number + 1)
        }
        let messages = try #require(stage.state.rooms[room]?.messages)
        #expect(messages.count == RoomLimits.messages * 9 / 10 + 1)
        #expect(messages["m0"] == nil && messages.last?.id == "m20000")
        #expect(stage.disk["message/\(room)/m0"] == nil)
        #expect(stage.state.rooms[room]?.live.unread.count == messages.count)
    }

    /// What one person says fills neither the disk of the other one nor the time of a start.
    @Test(arguments: [("x", 300 as UInt64), ("\u{1}", 60)]) func theOldestTextsGoWhenARoomHoldsTooMuch(
        character: String, count: UInt64
    ) throws {
        var stage = try Stage()
        stage.keepsStates = false
        let room = try stage.roomThatTalks()
        let text = String(repeating: character, count: RoomLimits.textBytes)
        for number in 0..<count {
            try stage.receive(room, MessageID("m\(number)"), .text(text), sequence: number + 1)
        }
        let disk = stage.disk.filter { $0.key.hasPrefix("message/") }
        #expect(disk.values.reduce(0) { $0 + $1.utf8.count } < RoomLimits.savedBytes + (1 << 20))
        let kept = try #require(stage.state.rooms[room])
        #expect(kept.messages.last?.id == MessageID("m\(count - 1)") && kept.messages["m0"] == nil)
        #expect(kept.messages.savedBytes <= RoomLimits.savedBytes)
        #expect(kept.messages.savedBytes > RoomLimits.savedBytes / 10 * 8)
        #expect(kept.forgotten == Int(count) - kept.messages.count)
        #expect(stage.tree.find("chat.forgotten")?.detail == "\(Int(count) - kept.messages.count) so far")
        #expect(stage.tree.find("notices") != nil)
        try stage.restart()
        #expect(stage.state.rooms[room]?.forgotten == kept.forgotten)
        #expect(stage.state.rooms[room]?.messages.savedBytes == kept.messages.savedBytes)
    }

    /// A profile that an older version let grow is no larger after the next start.
    @Test func aRoomThatHoldsTooMuchIsTrimmedAtTheStart() throws {
        var stage = try Stage()
        stage.keepsStates = false
        let room = try stage.roomThatTalks()
        let text = String(repeating: "x", count: RoomLimits.textBytes)
        try stage.receive(room, "m0", .text(text))
        let record = try #require(stage.disk["message/\(room)/m0"])
        var records = stage.records { _ in true }
        for number in 1...300 {
            let copy = record.replacing("\"m0\"", with: "\"m\(number)\"")
                .replacing("\"order\":1,", with: "\"order\":\(number + 1),")
            records.append(Record(key: .message(room, MessageID("m\(number)")), json: copy))
        }
        try stage.event(.started(locked: false, records: records))
        let kept = try #require(stage.state.rooms[room])
        #expect(kept.messages.savedBytes <= RoomLimits.savedBytes && kept.messages.last?.id == "m300")
        #expect(kept.forgotten == 301 - kept.messages.count)
        #expect(stage.outcome.changes.contains(.message(room, "m0")))
    }

    @Test(arguments: [(91.0, 0.0), (0.0, -180.5), (.nan, 0.0), (0.0, .infinity)]) func impossiblePlacesAreRefused(
        latitude: Double, longitude: Double
    ) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendLocation(room: room, latitude: latitude, longitude: longitude, accuracy: nil))
        try stage.receive(room, "m1", .location(Location(latitude: latitude, longitude: longitude)))
        #expect(stage.state.rooms[room]?.messages.isEmpty == true)
    }
}
