import AppCore
import Testing

/// How long messages are kept, as both people agreed.
@Suite struct LifetimeTests {
    @Test func aProposalChangesNothingUntilItIsAccepted() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.proposeLifetime(room: room, lifetime: .oneHour))
        let proposal = try #require(driver.state.rooms[room]?.outgoingProposal)
        #expect(
            driver.effects == [
                .deliver(room: room, message: proposal.id, body: .lifetimeProposal(.oneHour), sentAt: driver.now)
            ])
        #expect(driver.state.rooms[room]?.lifetime == .keep)
        #expect(driver.tree.find("chat.status")?.facts.lifetime == nil)
        #expect(driver.tree.find("chat.proposed") != nil)

        try driver.receive(room, "a1", .lifetimeAnswer(proposal: proposal.id, accepted: true))
        #expect(driver.state.rooms[room]?.lifetime == .oneHour)
        let shown = driver.tree.find("chat.status")?.facts.lifetime
        #expect(shown == .key("duration", ["time": .duration(3_600_000)]))
        #expect(driver.text.contains("You both agreed: messages go after 1 hour."))
    }

    @Test func aPeerCannotChangeTheLifetimeOnItsOwn() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "a1", .lifetimeAnswer(proposal: "never-asked", accepted: true))
        #expect(driver.state.rooms[room]?.lifetime == .keep)
        try driver.receive(room, "p1", .lifetimeProposal(.thirtyDays))
        #expect(driver.state.rooms[room]?.lifetime == .keep)
        #expect(driver.tree.find("chat.proposal.accept") != nil)
    }

    @Test func declining() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "p1", .lifetimeProposal(.oneDay))
        try driver.dispatch(try #require(driver.tree.find("chat.proposal.decline")?.offers.first).action)
        #expect(driver.state.rooms[room]?.lifetime == .keep)
        #expect(driver.state.rooms[room]?.incomingProposal == nil)
        try driver.receive(room, "p1", .lifetimeProposal(.oneDay))
        #expect(driver.state.rooms[room]?.incomingProposal == nil, "a repetition is not a new proposal")

        try driver.chat(.proposeLifetime(room: room, lifetime: .oneDay))
        let own = try #require(driver.state.rooms[room]?.outgoingProposal)
        try driver.receive(room, "a1", .lifetimeAnswer(proposal: own.id, accepted: false))
        #expect(driver.state.rooms[room]?.outgoingProposal == nil)
        #expect(driver.text.contains("wants to keep the present lifetime"))
    }

    @Test(arguments: [("0", true), ("z", false)]) func whenProposalsCrossBothSidesKeepTheSameOne(
        peersId: String, isKept: Bool
    ) throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.chat(.proposeLifetime(room: room, lifetime: .oneHour))
        try driver.receive(room, MessageID(peersId), .lifetimeProposal(.oneDay))
        #expect((driver.state.rooms[room]?.incomingProposal != nil) == isKept)
        #expect((driver.state.rooms[room]?.outgoingProposal == nil) == isKept)
    }

    @Test func eachMessageKeepsTheLifetimeItWasWrittenUnder() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "before", .text("stays"))
        try driver.agree(room, on: .oneHour)
        try driver.receive(room, "hour", .text("one hour"), sequence: 2)
        try driver.agree(room, on: .oneDay)
        try driver.receive(room, "day", .text("one day"), sequence: 3)

        try driver.pass(seconds: 3601)
        #expect(driver.state.rooms[room]?.messages["hour"] == nil)
        #expect(driver.disk["message/\(room)/hour"] == nil)
        #expect(driver.state.rooms[room]?.messages["day"] != nil)
        try driver.pass(seconds: 86_400)
        #expect(driver.state.rooms[room]?.messages["day"] == nil)
        #expect(driver.state.rooms[room]?.messages["before"] != nil)
    }

    @Test func theCoreAsksToBeWokenInTime() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.agree(room, on: .oneHour)
        let expiry = driver.now.advanced(bySeconds: 3600)
        try driver.pass(seconds: 60)
        #expect(driver.effects == [.schedule(at: expiry)])
    }

    @Test func messagesThatExpireUnsentAreWithdrawn() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.agree(room, on: .oneHour)
        try driver.chat(.sendText(room: room, text: "too late"))
        let message = try #require(driver.state.rooms[room]?.messages.last).id
        try driver.pass(seconds: 3601)
        #expect(driver.effects.contains(.withdraw(room: room, messages: [message])))
    }

    @Test func whatExpiredWhileTheAppWasClosedIsGoneAtTheStart() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.agree(room, on: .oneHour)
        try driver.receive(room, "hour", .text("one hour"), sequence: 2)
        driver.sleep(seconds: 7200)
        try driver.restart()
        #expect(driver.state.rooms[room]?.messages["hour"] == nil)
        #expect(driver.disk["message/\(room)/hour"] == nil)
    }

    // MARK: - Keeping nothing

    @Test func anEphemeralRoomLeavesNothingOnDisk() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.receive(room, "m1", .text("early"))
        #expect(driver.disk["message/\(room)/m1"] != nil)
        try driver.chat(.setEphemeral(room: room, on: true))
        #expect(driver.disk["message/\(room)/m1"] == nil)
        try driver.receive(room, "m2", .text("late"), sequence: 2)
        try driver.chat(.sendText(room: room, text: "mine"))
        #expect(!driver.disk.values.contains { $0.contains("late") || $0.contains("mine") })
        #expect(driver.state.rooms[room]?.messages.count == 3)
        try driver.rooms(.leaveRoom(room: room))
        #expect(driver.state.rooms[room]?.messages.isEmpty == true)
    }

    @Test func keepingAgainSavesWhatIsThere() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.agree(room, on: .ephemeral)
        try driver.receive(room, "m1", .text("kept"), sequence: 2)
        #expect(driver.disk["message/\(room)/m1"] == nil)
        try driver.agree(room, on: .keep)
        #expect(driver.disk["message/\(room)/m1"] != nil)
    }
}

extension TestDriver {
    /// The peer proposes, this side agrees.
    mutating func agree(_ room: RoomID, on lifetime: Lifetime) throws {
        try receive(room, MessageID("agree-\(lifetime.rawValue)-\(trace.count)"), .lifetimeProposal(lifetime))
        try chat(.answerLifetime(room: room, accept: true))
    }
}
