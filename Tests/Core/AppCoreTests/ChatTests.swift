import AppCore
import Testing

/// Messages: written, on their way, delivered, seen, received.
@Suite struct ChatTests {
    @Test func aMessageGoesFromSendingToDeliveredToSeen() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.sendText(room: room, text: "hello \n"))
        let message = try #require(stage.state.rooms[room]?.messages.last)
        #expect(
            stage.effects == [.deliver(room: room, message: message.id, body: .text("hello"), sentAt: message.sentAt)])
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Sending")
        try stage.event(.acknowledged(effect: try stage.waiting(\.isDelivery)))
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Delivered")
        try stage.event(.receipts(room: room, messages: [message.id]))
        #expect(stage.tree.find("message.\(message.id)")?.detail == "Seen")
    }

    @Test(arguments: [
        ("    if true {\n        go()\n    }\n\n", "    if true {\n        go()\n    }"), ("\n \n  a\n", "  a"),
        ("\tb ", "\tb"),
        ("\r\n\u{3000}c", "\u{3000}c"),
    ]) func theBlanksThatATextBeginsWithBelongToIt(typed: String, said: String) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.setDraft(room: room, text: typed))
        try stage.chat(.sendText(room: room, text: typed))
        #expect(stage.state.rooms[room]?.messages.last?.body == .text(said))
        #expect(stage.state.rooms[room]?.live.draft == "")
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
}
