import AppCore
import Testing

/// How long messages stay, by the consent of both.
@Suite struct LifetimeTests {
    @Test func aProposalChangesNothingUntilItIsAccepted() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.proposeLifetime(room: room, lifetime: .oneHour))
        let proposal = try #require(stage.state.rooms[room]?.outgoingProposal)
        #expect(
            stage.effects == [
                .deliver(room: room, message: proposal.id, body: .lifetimeProposal(.oneHour), sentAt: stage.now)
            ])
        #expect(stage.state.rooms[room]?.lifetime == .keep)
        #expect(stage.tree.find("chat.proposed") != nil)

        try stage.receive(room, "a1", .lifetimeAnswer(proposal: proposal.id, accepted: true))
        #expect(stage.state.rooms[room]?.lifetime == .oneHour)
        #expect(stage.text.contains("You both agreed: messages go after 1 hour."))
    }

    @Test func aPeerCannotChangeTheLifetimeOnItsOwn() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "a1", .lifetimeAnswer(proposal: "never-asked", accepted: true))
        #expect(stage.state.rooms[room]?.lifetime == .keep)
        try stage.receive(room, "p1", .lifetimeProposal(.thirtyDays))
        #expect(stage.state.rooms[room]?.lifetime == .keep)
        #expect(stage.tree.find("chat.proposal.accept") != nil)
    }

    @Test func declining() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "p1", .lifetimeProposal(.oneDay))
        try stage.dispatch(try #require(stage.tree.find("chat.proposal.decline")?.offers.first).action)
        #expect(stage.state.rooms[room]?.lifetime == .keep)
        #expect(stage.state.rooms[room]?.incomingProposal == nil)
        try stage.receive(room, "p1", .lifetimeProposal(.oneDay))
        #expect(stage.state.rooms[room]?.incomingProposal == nil, "a repetition is not a new proposal")

        try stage.chat(.proposeLifetime(room: room, lifetime: .oneDay))
        let own = try #require(stage.state.rooms[room]?.outgoingProposal)
        try stage.receive(room, "a1", .lifetimeAnswer(proposal: own.id, accepted: false))
        #expect(stage.state.rooms[room]?.outgoingProposal == nil)
        #expect(stage.text.contains("wants to keep the present lifetime"))
    }

    @Test(arguments: [("0", true), ("z", false)]) func whenProposalsCrossBothSidesKeepTheSameOne(
        peersId: String, isKept: Bool
    ) throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.chat(.proposeLifetime(room: room, lifetime: .oneHour))
        try stage.receive(room, MessageID(peersId), .lifetimeProposal(.oneDay))
        #expect((stage.state.rooms[room]?.incomingProposal != nil) == isKept)
        #expect((stage.state.rooms[room]?.outgoingProposal == nil) == isKept)
    }

    @Test func eachMessageKeepsTheLifetimeItWasWrittenUnder() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "before", .text("stays"))
        try stage.agree(room, on: .oneHour)
        try stage.receive(room, "hour", .text("one hour"), sequence: 2)
        try stage.agree(room, on: .oneDay)
        try stage.receive(room, "day", .text("one day"), sequence: 3)

        try stage.pass(seconds: 3601)
        #expect(stage.state.rooms[room]?.messages["hour"] == nil)
        #expect(stage.disk["message/\(room)/hour"] == nil)
        #expect(stage.state.rooms[room]?.messages["day"] != nil)
        try stage.pass(seconds: 86_400)
        #expect(stage.state.rooms[room]?.messages["day"] == nil)
        #expect(stage.state.rooms[room]?.messages["before"] != nil)
    }

    @Test func theCoreAsksToBeWokenInTime() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.agree(room, on: .oneHour)
        let expiry = stage.now.advanced(bySeconds: 3600)
        try stage.pass(seconds: 60)
        #expect(stage.effects == [.schedule(at: expiry)])
    }

    @Test func messagesThatExpireUnsentAreWithdrawn() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.agree(room, on: .oneHour)
        try stage.chat(.sendText(room: room, text: "too late"))
        let message = try #require(stage.state.rooms[room]?.messages.last).id
        try stage.pass(seconds: 3601)
        #expect(stage.effects.contains(.withdraw(room: room, messages: [message])))
    }

    @Test func whatExpiredWhileTheAppWasClosedIsGoneAtTheStart() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.agree(room, on: .oneHour)
        try stage.receive(room, "hour", .text("one hour"), sequence: 2)
        stage.sleep(seconds: 7200)
        try stage.restart()
        #expect(stage.state.rooms[room]?.messages["hour"] == nil)
        #expect(stage.disk["message/\(room)/hour"] == nil)
    }

    // MARK: - Keeping nothing

    @Test func anEphemeralRoomLeavesNothingOnDisk() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.receive(room, "m1", .text("early"))
        #expect(stage.disk["message/\(room)/m1"] != nil)
        try stage.chat(.setEphemeral(room: room, on: true))
        #expect(stage.disk["message/\(room)/m1"] == nil)
        try stage.receive(room, "m2", .text("late"), sequence: 2)
        try stage.chat(.sendText(room: room, text: "mine"))
        #expect(!stage.disk.values.contains { $0.contains("late") || $0.contains("mine") })
        #expect(stage.state.rooms[room]?.messages.count == 3)
        try stage.rooms(.leaveRoom(room: room))
        #expect(stage.state.rooms[room]?.messages.isEmpty == true)
    }

    @Test func keepingAgainSavesWhatIsThere() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.agree(room, on: .ephemeral)
        try stage.receive(room, "m1", .text("kept"), sequence: 2)
        #expect(stage.disk["message/\(room)/m1"] == nil)
        try stage.agree(room, on: .keep)
        #expect(stage.disk["message/\(room)/m1"] != nil)
    }
}

extension Stage {
    /// The peer proposes, this side agrees.
    mutating func agree(_ room: RoomID, on lifetime: Lifetime) throws {
        try receive(room, MessageID("agree-\(lifetime.rawValue)-\(trace.count)"), .lifetimeProposal(lifetime))
        try chat(.answerLifetime(room: room, accept: true))
    }
}
