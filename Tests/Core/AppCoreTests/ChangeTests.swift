import Testing

@testable import AppCore

/// Replies, reactions, edits and deletions.
@Suite struct ChangeTests {
    private var driver: TestDriver
    private let room: RoomID
    private var sequence: UInt64 = 10

    init() throws {
        var driver = try TestDriver()
        room = try driver.roomThatTalks()
        try driver.receive(room, "p1", .text("a question"))
        self.driver = driver
    }

    private func message(_ id: MessageID) throws -> Message {
        try #require(driver.state.rooms[room]?.messages[id])
    }

    private mutating func receive(_ id: MessageID, _ body: Body) throws {
        sequence += 1
        try driver.receive(room, id, body, sequence: sequence)
    }

    /// Says something, and has it acknowledged.
    private mutating func say(_ text: String) throws -> MessageID {
        try driver.chat(.sendText(room: room, text: text))
        try acknowledge()
        return try #require(driver.state.rooms[room]?.messages.last).id
    }

    private mutating func acknowledge() throws {
        try driver.event(.acknowledged(effect: try driver.waiting(\.isDelivery)))
    }

    /// What was asked to be delivered by the last input.
    private var delivered: [Body] {
        driver.effects.compactMap { if case .deliver(_, _, let body, _) = $0 { body } else { nil } }
    }

    private func change(_ id: MessageID) throws -> MessageChange { try #require(try message(id).change) }

    // MARK: - Replies

    @Test mutating func aReplyShowsWhatItAnswersAsItStandsHere() throws {
        try driver.chat(.reply(room: room, message: "p1", text: "an answer\n"))
        #expect(delivered == [.reply(to: "p1", text: "an answer")])
        let reply = try #require(driver.state.rooms[room]?.messages.last)
        #expect(reply.quote?.excerpt == "a question" && reply.quote?.side == .received)
        #expect(driver.text.contains("Answers \u{201C}a question\u{201D}"))
        try receive("p2", .edit(of: "p1", version: 1, text: "another question"))
        #expect(try message(reply.id).quote?.excerpt == "another question")
        try receive("p3", .deletion(of: "p1"))
        #expect(try message(reply.id).quote?.excerpt == "")
        #expect(driver.text.contains("Answers an earlier message"))
    }

    @Test mutating func whatWasToBeAnsweredMayBeGone() throws {
        try driver.chat(.reply(room: room, message: "never-here", text: "all the same"))
        #expect(delivered == [.text("all the same")])
        try receive("p2", .reply(to: "never-here", text: "indeed"))
        #expect(try message("p2").quote?.excerpt == "")
    }

    @Test mutating func anExcerptIsShort() throws {
        let own = try say(String(repeating: "\u{1F98A}", count: 1000))
        try receive("p2", .reply(to: own, text: "long"))
        let quote = try #require(try message("p2").quote)
        #expect(quote.excerpt.utf8.count <= RoomLimits.quoteBytes && quote.excerpt.hasPrefix("\u{1F98A}"))
    }

    // MARK: - Reactions

    @Test mutating func aPersonHasOneReactionToAMessage() throws {
        try driver.chat(.react(room: room, message: "p1", emoji: "\u{1F44D}"))
        #expect(delivered == [.reaction(to: "p1", emoji: "\u{1F44D}")])
        // Before the peer knows of the first one.
        try driver.chat(.react(room: room, message: "p1", emoji: "\u{2764}\u{FE0F}"))
        #expect(driver.effects.contains { if case .withdraw = $0 { true } else { false } })
        #expect(try message("p1").reactions?.map(\.emoji) == ["\u{2764}\u{FE0F}"])
        try acknowledge()
        #expect(try !message("p1").tellsOfChange)
        try driver.chat(.react(room: room, message: "p1", emoji: nil))
        #expect(delivered == [.reaction(to: "p1", emoji: nil)])
        #expect(!driver.text.contains("Reactions"))
        try acknowledge()
        #expect(try message("p1").reactions == nil)
    }

    @Test(arguments: [
        ("\u{1F44D}", true), ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", true), ("\u{1F1E9}\u{1F1EA}", true),
        ("a", true), ("", false),
        ("no", false), (" ", false), ("\n", false), ("\u{7}", false), ("\u{202E}", false), ("\u{200D}", false),
        ("\u{2028}", false),
        ("e" + String(repeating: "\u{301}", count: 40), false),
    ])
    mutating func aReactionIsOneCharacter(emoji: String, isOne: Bool) throws {
        let own = try say("hello")
        try receive("p2", .reaction(to: own, emoji: emoji))
        #expect(try message(own).reactions?.first?.emoji == (isOne ? emoji : nil))
        try driver.chat(.react(room: room, message: "p1", emoji: emoji))
        #expect(delivered.isEmpty == !isOne)
    }

    // MARK: - Edits

    @Test(arguments: [true, false]) mutating func anEditIsShownHereAtOnceAndTheAnswerIsKept(accepted: Bool) throws {
        let own = try say("a typo")
        try driver.chat(.editMessage(room: room, message: own, text: "no typo"))
        #expect(delivered == [.edit(of: own, version: 1, text: "no typo")])
        #expect(try message(own).body == .text("no typo") && message(own).versions?.map(\.text) == ["a typo"])
        #expect(try change(own).state == .waiting)
        try acknowledge()
        try receive("p2", .changeAnswer(change: try change(own).id, accepted: accepted))
        #expect(try change(own).state == (accepted ? .followed : .kept))
        #expect(driver.text.contains("keeps what it said before") == !accepted)
    }

    @Test mutating func onlyTheAnswerToTheNewestChangeCounts() throws {
        let own = try say("one")
        try driver.chat(.editMessage(room: room, message: own, text: "two"))
        let first = try change(own).id
        try acknowledge()
        try driver.chat(.editMessage(room: room, message: own, text: "three"))
        try receive("p2", .changeAnswer(change: first, accepted: false))
        #expect(try change(own).state == .waiting && change(own).version == 2)
    }

    @Test mutating func anEditOfTheOtherPersonIsFollowedAndAnswered() throws {
        try receive("p2", .edit(of: "p1", version: 1, text: "a better question"))
        #expect(delivered == [.changeAnswer(change: "p2", accepted: true)])
        #expect(try message("p1").body == .text("a better question"))
        #expect(try message("p1").versions?.map(\.text) == ["a question"])
        // Carried around, an older one can come later.
        try receive("p3", .edit(of: "p1", version: 1, text: "an older question"))
        #expect(delivered == [.changeAnswer(change: "p3", accepted: false)])
        #expect(try message("p1").body == .text("a better question"))
    }

    @Test mutating func earlierTextsAreFew() throws {
        let own = try say("0")
        for number in 1...20 { try driver.chat(.editMessage(room: room, message: own, text: "\(number)")) }
        #expect(try message(own).versions?.map(\.text) == ["15", "16", "17", "18", "19"])
        let log = try #require(driver.state.rooms[room]?.messages)
        #expect(log.savedBytes == log.all.reduce(0) { $0 + $1.savedBytes })
    }

    // MARK: - Deletions

    @Test mutating func nothingIsLeftOfADeletedMessage() throws {
        let own = try say("a secret")
        try driver.chat(.editMessage(room: room, message: own, text: "another secret"))
        try acknowledge()
        try driver.chat(.deleteMessage(room: room, message: own))
        #expect(delivered == [.deletion(of: own)])
        #expect(!driver.disk.values.contains { $0.contains("secret") })
        #expect(driver.text.contains("You deleted this message."))
        try acknowledge()
        try receive("p2", .changeAnswer(change: try change(own).id, accepted: false))
        #expect(driver.text.contains("The other person keeps it."))
    }

    @Test mutating func whatDidNotArriveYetNeverDoes() throws {
        try driver.chat(.sendText(room: room, text: "too quick"))
        let own = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.chat(.deleteMessage(room: room, message: own))
        #expect(driver.effects.contains(.withdraw(room: room, messages: [own])))
        #expect(driver.state.rooms[room]?.messages.pendingCount == 0)
    }

    @Test mutating func whatTheOtherPersonSaidIsDeletedHereAlone() throws {
        try driver.chat(.deleteMessage(room: room, message: "p1"))
        #expect(delivered.isEmpty && driver.state.rooms[room]?.messages["p1"] == nil)
    }

    // MARK: - What nobody may

    @Test mutating func nobodyChangesWhatAnotherPersonSaid() throws {
        let own = try say("mine")
        try receive("p2", .edit(of: own, version: 1, text: "yours"))
        #expect(delivered == [.changeAnswer(change: "p2", accepted: false)])
        try receive("p3", .deletion(of: own))
        #expect(delivered == [.changeAnswer(change: "p3", accepted: false)])
        #expect(try message(own).body == .text("mine"))
        try driver.chat(.editMessage(room: room, message: "p1", text: "never said"))
        #expect(try message("p1").body == .text("a question"))
    }

    @Test(arguments: [Body.edit(of: "p1", version: 1, text: "changed"), .deletion(of: "p1")])
    mutating func whoKeepsMessagesAsTheyCameSeesWhatHappened(change: Body) throws {
        try driver.chat(.keepChanged(room: room, on: true))
        try receive("p2", change)
        #expect(delivered == [.changeAnswer(change: "p2", accepted: false)])
        #expect(try message("p1").body == .text("a question") && self.change("p1").state == .kept)
        #expect(driver.text.contains("It is kept as it came."))
        try driver.restart()
        #expect(driver.state.rooms[room]?.keepsChanged == true)
    }

    @Test(arguments: [Body.edit(of: "gone", version: 1, text: "x"), .deletion(of: "gone")])
    mutating func whatIsNotHereIsAsGoodAsDeleted(change: Body) throws {
        try receive("p2", change)
        let isDeletion = change == .deletion(of: "gone")
        #expect(delivered == [.changeAnswer(change: "p2", accepted: isDeletion)])
    }

    @Test mutating func whoTakesNoAnswersFillsNothing() throws {
        driver.keepsStates = false
        for number in 0..<3000 {
            try receive(MessageID("f\(number)"), .edit(of: "gone", version: 1, text: "x"))
            try receive(MessageID("g\(number)"), .edit(of: "p1", version: number + 1, text: "x\(number)"))
        }
        #expect(driver.open.count(where: { $0.kind.isDelivery }) <= RoomLimits.pendingMessages + 1)
    }

    // MARK: - On the way

    @Test mutating func changesThatAreOnTheirWaySurviveARestart() throws {
        let (edited, deleted) = (try say("one"), try say("two"))
        try driver.chat(.editMessage(room: room, message: edited, text: "changed"))
        try driver.chat(.deleteMessage(room: room, message: deleted))
        try driver.chat(.react(room: room, message: "p1", emoji: "!"))
        try receive("p2", .edit(of: "p1", version: 1, text: "another question"))
        let before = Set(driver.open.map(\.kind).filter(\.isDelivery))
        #expect(before.count == 4)
        try driver.restart()
        #expect(Set(driver.open.map(\.kind).filter(\.isDelivery)) == before)
    }

    @Test mutating func anEphemeralRoomLeavesNothingOfThemOnTheDisk() throws {
        let own = try say("one")
        try driver.chat(.setEphemeral(room: room, on: true))
        try driver.chat(.editMessage(room: room, message: own, text: "canary"))
        try driver.chat(.react(room: room, message: "p1", emoji: "\u{1F425}"))
        #expect(!driver.disk.values.contains { $0.contains("canary") || $0.contains("\u{1F425}") })
    }

    @Test mutating func aRoomThatEndsLeavesNothingWaiting() throws {
        let own = try say("one")
        try driver.chat(.editMessage(room: room, message: own, text: "two"))
        try driver.event(.peerLeft(room: room, forever: true))
        #expect(try change(own).state == .undelivered && !message(own).tellsOfChange)
        #expect(driver.text.contains("was not told of the change"))
    }

    // MARK: - Offers

    @Test mutating func aListOffersOnceWhatItsRowsUse() throws {
        let own = try say("mine")
        let list = try #require(driver.tree.find("chat.messages"))
        #expect(list.templates.map(\.verb) == [.reply, .react, .edit, .delete, .open, .save])
        #expect(list.find("message.p1")?.uses == [.reply, .react, .delete])
        #expect(list.find("message.\(own)")?.uses == [.reply, .react, .edit, .delete])
        let offer = try #require(driver.tree.offer(.edit, at: "message.\(own)"))
        #expect(offer.inputs == ["text"])
        let action = try offer.action(filledWith: ["text": .string("changed")])
        #expect(action == .chat(.editMessage(room: room, message: own, text: "changed")))
        #expect(driver.tree.offer(.edit, at: "message.p1") == nil)
    }
}
