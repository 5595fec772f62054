import AppCore
import Catalogues
import Testing

/// Messages: written, on their way, delivered, seen, received.
@Suite struct ChatTests {
    @Test func aMessageGoesFromSendingToDeliveredToSeen() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendText(room: room, text: "hello \n"))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        #expect(
            driver.effects == [.deliver(room: room, message: message.id, body: .text("hello"), sentAt: message.sentAt)])
        #expect(driver.tree.find("message.\(message.id)")?.detail?.english == "Sending")
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
        #expect(driver.tree.find("message.\(message.id)")?.detail?.english == "Delivered")
        try driver.event(.receipts(room: room, messages: [message.id]))
        #expect(driver.tree.find("message.\(message.id)")?.detail?.english == "Seen")
    }

    @Test(arguments: [
        ("    if true {\n        go()\n    }\n\n", "    if true {\n        go()\n    }"), ("\n \n  a\n", "  a"),
        ("\tb ", "\tb"),
        ("\r\n\u{3000}c", "\u{3000}c"),
    ]) func theBlanksThatATextBeginsWithBelongToIt(typed: String, said: String) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.setDraft(room: room, text: typed))
        try driver.chat(.sendText(room: room, text: typed))
        #expect(driver.state.rooms[room]?.messages.last?.body == .text(said))
        #expect(driver.draft(in: room) == "")
    }

    /// As a page does whose host ended between the saving and the answer.
    @Test func aTextThatIsSentAgainIsNoDraft() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        var core = driver.core
        for step in 0..<2 as Range<Int64> {
            let typed = Input(
                at: driver.now, fresh: Fresh(1, 2, 3, 5), action: .chat(.setDraft(room: room, text: "hello")))
            let sent = Input(
                at: driver.now.advanced(bySeconds: step), fresh: Fresh(1, 2, 3, 4),
                action: .chat(.sendText(room: room, text: "hello")))
            _ = core.dispatch(typed)
            _ = core.dispatch(sent)
            #expect(core.state.composers.all.isEmpty)
            #expect(core.state.rooms[room]?.messages.count == 1)
        }
    }

    @Test func aReceiptMayOvertakeTheAcknowledgement() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendText(room: room, text: "hello"))
        let message = try #require(driver.state.rooms[room]?.messages.last?.id)
        let delivery = try driver.waiting(\.isDelivery)
        try driver.event(.receipts(room: room, messages: [message]))
        try driver.event(.acknowledged(effect: delivery))
        #expect(driver.state.rooms[room]?.messages[message]?.status == .read)
        #expect(driver.state.rooms[room]?.messages[message]?.effect == nil)
    }

    @Test func whatIsWrittenWithoutALinkWaits() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        try driver.chat(.sendText(room: room, text: "for later"))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        #expect(driver.tree.find("message.\(message.id)")?.detail?.english == "Waiting for the connection")
        #expect(driver.asked(\.isDelivery), "the outbox has it at once")
        try driver.connect()
        #expect(driver.tree.find("message.\(message.id)")?.detail?.english == "Sending")
    }

    @Test func aRefusedMessageSaysWhyAndCanBeSentAgainUnderItsId() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendText(room: room, text: "big"))
        let message = try #require(driver.state.rooms[room]?.messages.last)
        try driver.fail(try driver.waiting(\.isDelivery), Failure(.messageTooLarge))
        let node = try #require(driver.tree.find("message.\(message.id)"))
        #expect(node.detail?.english.contains("too large") == true)
        try driver.dispatch(try #require(node.children.first?.offers.first).action)
        #expect(
            driver.effects == [.deliver(room: room, message: message.id, body: .text("big"), sentAt: message.sentAt)])
        #expect(driver.state.rooms[room]?.messages.count == 1)
    }

    @Test func aDeliveryThatFailsForNowIsTriedAgainUnderItsOldNumber() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.sendText(room: room, text: "again"))
        let delivery = try driver.waiting(\.isDelivery)
        try driver.fail(delivery, Failure(.storageFailed, retryable: true, retryAfter: 5000))
        #expect(driver.state.rooms[room]?.messages.last?.status == .pending)
        try driver.pass(seconds: 5)
        #expect(driver.outcome.effects.first { $0.kind.isDelivery }?.id == delivery)
    }

    @Test func aRepetitionIsNotShownTwiceButAcknowledgedTwice() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        for _ in 0..<2 {
            try driver.receive(room, "m1", .text("once"), sequence: 4)
            #expect(driver.effects.contains(.acknowledge(room: room, sequence: 4)))
        }
        #expect(driver.state.rooms[room]?.messages.count == 1)
    }

    @Test func aMessageIsSavedBeforeItIsAcknowledged() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("keep me"))
        #expect(driver.outcome.changes.contains(.message(room, "m1")))
        #expect(driver.disk["message/\(room)/m1"]?.contains("keep me") == true)
    }

    @Test func unseenMessagesAreCountedAndReportedOnceSeen() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        try driver.receive(room, "m1", .text("one"), sequence: 1)
        try driver.receive(room, "m2", .text("two"), sequence: 2)
        #expect(driver.tree.find("room.\(room).unread")?.value == .count(2))
        try driver.rooms(.openRoom(room: room))
        #expect(driver.effects.contains(.sendRead(room: room, messages: ["m1", "m2"])))
        try driver.app(.back)
        #expect(driver.tree.find("room.\(room).unread") == nil)
    }

    @Test func whatWasSeenWithoutALinkIsReportedWhenItIsBack() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.rooms(.closeRoom(room: room))
        try driver.receive(room, "m1", .text("one"))
        let link = try driver.waiting(\.isLink)
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        try driver.rooms(.openRoom(room: room))
        #expect(driver.effects == [.closeNotification(room: room)])
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(driver.effects == [.sendRead(room: room, messages: ["m1"])])
    }

    @Test func nothingCountsAsSeenBehindTheCover() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.app(.becameInactive)
        try driver.receive(room, "m1", .text("secret"))
        #expect(!driver.text.contains("secret"))
        #expect(driver.state.rooms[room]?.unreadCount == 1)
        try driver.app(.becameActive)
        #expect(driver.effects.contains(.sendRead(room: room, messages: ["m1"])))
    }

    // MARK: - Typing

    @Test func typingIsToldSparinglyAndEndsByItself() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.setDraft(room: room, text: "h"))
        #expect(driver.effects == [.sendTyping(room: room, on: true)])
        try driver.chat(.setDraft(room: room, text: "he"))
        #expect(driver.effects.isEmpty)
        try driver.chat(.setDraft(room: room, text: ""))
        #expect(driver.effects == [.sendTyping(room: room, on: false)])

        try driver.event(.typingChanged(room: room, on: true))
        #expect(driver.tree.find("chat.typing") != nil)
        try driver.pass(seconds: 9)
        #expect(driver.tree.find("chat.typing") == nil)
    }

    @Test func leavingTheScreenEndsTheTyping() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.setDraft(room: room, text: "h"))
        try driver.app(.back)
        #expect(driver.effects == [.sendTyping(room: room, on: false)])
        #expect(driver.state.composers.all.map(\.text) == ["h"], "it waits for the next time")
    }

    @Test func sendingEmptiesTheComposer() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        #expect(driver.tree.find("chat.send")?.isEnabled == false)
        try driver.chat(.setDraft(room: room, text: "hello"))
        try driver.dispatch(try #require(driver.tree.find("chat.send")?.offers.first).action)
        #expect(driver.draft(in: room).isEmpty)
        #expect(driver.state.rooms[room]?.messages.last?.body == .text("hello"))
    }
}
