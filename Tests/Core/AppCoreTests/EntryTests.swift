import AppCore
import Testing

/// A room is made, joined, waited for, accepted, or runs out.
@Suite struct EntryTests {
    @Test func aNewRoomShowsItsCodeAndHidesItsWords() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        #expect(stage.state.rooms[room]?.status == .pending)
        #expect(stage.tree.find("chat.code")?.value == .text("482913"))
        #expect(stage.tree.find("chat.words")?.value == .secret("words-1"))
        #expect(stage.state.screen == Screen(.chat, room: room))
    }

    @Test func theRoomAndItsIdentityAreFreshAndUnrelated() throws {
        var stage = try Stage()
        let first = try stage.roomThatWaits()
        let second = try stage.roomThatWaits()
        let devices = stage.state.rooms.map(\.device.text)
        #expect(Set(devices).count == 2)
        #expect(!devices.contains(first.text) && !devices.contains(second.text))
    }

    @Test(arguments: [60, 300, 3600, 43_200, 86_400] as [Int64]) func expiryChoicesAreTheProtocolsOwn(seconds: Int64)
        throws
    {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: seconds))
        let address = try #require(stage.state.rooms.last?.address)
        #expect(stage.effects.contains(.createRoom(address: address, expiresIn: seconds)))
    }

    @Test(arguments: [0, -1, 61, 301, 86_401, .min, .max] as [Int64]) func anyOtherExpiryIsRefusedWithASentence(
        seconds: Int64
    ) throws {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: seconds))
        #expect(stage.state.rooms.isEmpty && stage.effects.isEmpty)
        #expect(stage.text.contains("Choose how long the code is valid"))
    }

    @Test(arguments: ["482913", "482-913", " 482 913 ", "4829-13"]) func codesAreReadForgivingly(code: String) throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: code, words: nil, name: nil))
        #expect(stage.state.rooms.last?.code == "482913")
        #expect(stage.state.rooms.last?.status == .joining)
    }

    @Test(arguments: ["", "48291", "4829134", "48291a", "４８２９１３", "482913-maple-otter"])
    func whatIsNoCodeIsRefusedWithASentence(code: String) throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: code, words: nil, name: nil))
        #expect(stage.state.rooms.isEmpty)
        #expect(stage.text.contains("six digits"))
    }

    @Test func acceptanceOpensTheLinkWithTheWords() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        let address = try #require(stage.state.rooms[room]).address
        #expect(address.serverRoom == "server-room-1")
        #expect(stage.effects == [.openLink(address: address, words: "words-1", iceServers: [])])
    }

    @Test func theJoinerConnectsAtOnce() throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: "482913", words: "typed", name: "Bo"))
        let join = try stage.waiting(\.isJoin)
        try stage.event(.roomJoined(effect: join, serverRoom: "s"))
        let room = try #require(stage.state.rooms.last)
        #expect(stage.effects == [.openLink(address: room.address, words: "typed", iceServers: [])])
        #expect(room.title == "Bo")
    }

    // MARK: - Watching and polling

    @Test func pollingStartsOnlyWhileTheServerDoesNotPush() throws {
        var stage = try Stage()
        _ = try stage.roomThatWaits()
        try stage.event(.roomWatching(effect: try stage.waiting(\.isWatch), on: true))
        try stage.pass(seconds: 30)
        #expect(!stage.asked(\.isCheck))

        try stage.event(.roomWatching(effect: try stage.waiting(\.isWatch), on: false))
        try stage.pass(seconds: 6)
        #expect(stage.asked(\.isCheck))
    }

    @Test func pollsComeEverySixSecondsOneAtATimeAndOnlyInFront() throws {
        var stage = try Stage()
        _ = try stage.roomThatWaits()
        try stage.pass(seconds: 5)
        #expect(!stage.asked(\.isCheck))
        try stage.pass(seconds: 1)
        #expect(stage.asked(\.isCheck))
        try stage.pass(seconds: 60)
        #expect(!stage.asked(\.isCheck), "the first poll is not answered yet")
        try stage.event(.roomPending(effect: try stage.waiting(\.isCheck)))
        try stage.app(.becameInactive)
        try stage.pass(seconds: 60)
        #expect(!stage.asked(\.isCheck))
    }

    @Test func aPollCanBringTheAcceptance() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.pass(seconds: 6)
        try stage.event(.roomAccepted(effect: try stage.waiting(\.isCheck), serverRoom: "s"))
        #expect(stage.state.rooms[room]?.status == .accepted)
        #expect(stage.asked(\.isLink))
    }

    @Test func whenTheCodeRunsOutTheServerHasTheLastWord() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits(expiresIn: 60)
        try stage.event(.roomWatching(effect: try stage.waiting(\.isWatch), on: true))
        try stage.pass(seconds: 61)
        let check = try stage.waiting(\.isCheck)
        #expect(stage.state.rooms[room]?.status == .pending)
        try stage.fail(check, Failure(.codeUnknown))
        #expect(stage.state.rooms[room]?.status == .expired)
        #expect(stage.text.contains("ran out"))
    }

    @Test func aClockThatIsWrongEndsNoCodeForWhichTheServerStillWaits() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits(expiresIn: 60)
        try stage.event(.roomWatching(effect: try stage.waiting(\.isWatch), on: true))
        try stage.pass(seconds: 130 * 86_400)
        for _ in 0..<3 {
            try stage.event(.roomPending(effect: try stage.waiting(\.isCheck)))
            #expect(stage.state.rooms[room]?.status == .pending)
            try stage.pass(seconds: 50)
            #expect(!stage.asked(\.isCheck), "not in a busy loop")
            try stage.pass(seconds: 10)
        }
        try stage.event(.roomAccepted(effect: try stage.waiting(\.isCheck), serverRoom: "s"))
        #expect(stage.state.rooms[room]?.status == .accepted)
    }

    @Test func somebodyWhoComesInTheLastSecondIsLetIn() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits(expiresIn: 60)
        try stage.pass(seconds: 61)
        try stage.event(.roomAccepted(effect: try stage.waiting(\.isCheck), serverRoom: "s"))
        #expect(stage.state.rooms[room]?.status == .accepted)
    }

    @Test func aServerThatCannotBeAskedAtTheEndIsAskedAgain() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits(expiresIn: 60)
        try stage.pass(seconds: 61)
        try stage.fail(try stage.waiting(\.isCheck), Failure(.serverUnreachable, retryable: true))
        #expect(stage.state.rooms[room]?.status == .pending)
        try stage.pass(seconds: 1)
        #expect(!stage.asked(\.isCheck), "not in a busy loop")
        try stage.pass(seconds: 6)
        try stage.fail(try stage.waiting(\.isCheck), Failure(.codeExpired))
        #expect(stage.state.rooms[room]?.status == .expired)
    }

    @Test(arguments: [true, false])
    func anAnswerWithoutAResultIsAFailure(creates: Bool) throws {
        var stage = try Stage()
        try stage.rooms(
            creates ? .createRoom(name: nil, expiresIn: 60) : .joinRoom(code: "482913", words: nil, name: nil))
        try stage.event(.effectDone(effect: try stage.waiting(creates ? \.isCreate : \.isJoin)))
        #expect(stage.state.rooms.last?.status == .failed)
        #expect(stage.tree.find("chat.retry") != nil)
    }

    @Test func wordsInTheFieldForTheDigitsStayOut() throws {
        var stage = try Stage()
        try stage.app(.navigate(to: Screen(.join)))
        try stage.rooms(.editJoin(code: "482913-maple-otter", words: nil, name: nil))
        #expect(stage.state.joinForm.code == "482913--")
        try stage.dispatch(try #require(stage.tree.find("join.submit")?.offers.first).action)
        #expect(stage.state.rooms.last?.code == "482913")
    }

    @Test func aClockThatIsAheadDoesNotEndTheCodeEarly() throws {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try stage.waiting(\.isCreate)
        let serverTime = stage.now.advanced(bySeconds: -3600)
        try stage.event(.roomCreated(effect: create, code: "111111", words: nil, expiresAt: serverTime))
        let expiry = try #require(stage.state.rooms.last?.expiresAt)
        #expect(stage.now.milliseconds(until: expiry) == 300_000)
    }

    // MARK: - Failures

    @Test(arguments: Failure.Code.allCases) func everyFailureToJoinIsExplained(code: Failure.Code) throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try stage.waiting(\.isJoin)
        try stage.fail(join, Failure(code, "internal detail", retryable: true, retryAfter: 90_000))
        #expect(stage.state.rooms.last?.status == .failed)
        let problem = try #require(stage.tree.find("chat.problem")).label
        #expect(problem.hasSuffix(".") && problem.count > 15 && !problem.contains("internal detail"))
    }

    @Test func aRefusalForAWhileSaysHowLong() throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try stage.waiting(\.isJoin)
        try stage.fail(join, Failure(.tooManyAttempts, retryable: true, retryAfter: 90_000))
        #expect(stage.text.contains("Try again in 90 seconds."))
    }

    @Test func tryingAgainUsesTheSameIdentity() throws {
        var stage = try Stage()
        try stage.rooms(.createRoom(name: nil, expiresIn: 300))
        let room = try #require(stage.state.rooms.last)
        let create = try stage.waiting(\.isCreate)
        try stage.fail(create, Failure(.serverUnreachable, retryable: true))
        let retry = try #require(stage.tree.find("chat.retry")?.offers.first)
        try stage.dispatch(retry.action)
        #expect(stage.effects == [.createRoom(address: room.address, expiresIn: 300)])
    }

    @Test func aThirdPersonAtTheDoorLearnsWhy() throws {
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try stage.waiting(\.isJoin)
        try stage.fail(join, Failure(.roomFull))
        #expect(stage.text.contains("Two people are in this room already"))
        #expect(stage.tree.find("chat.retry") == nil)
    }
}
