import AppCore
import Catalogues
import Testing

/// A room is made, joined, waited for, accepted, or runs out.
@Suite struct EntryTests {
    @Test func aNewRoomShowsItsCodeAndHidesItsWords() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        #expect(driver.state.rooms[room]?.status == .pending)
        #expect(driver.tree.find("chat.code")?.value == .text("482913"))
        #expect(driver.tree.find("chat.words")?.value == .secret("words-1"))
        #expect(driver.state.views.main.screen == Screen(.chat, room: room))
    }

    @Test func theRoomAndItsIdentityAreFreshAndUnrelated() throws {
        var driver = try TestDriver()
        let first = try driver.roomThatWaits()
        let second = try driver.roomThatWaits()
        let devices = driver.state.rooms.map(\.device.text)
        #expect(Set(devices).count == 2)
        #expect(!devices.contains(first.text) && !devices.contains(second.text))
    }

    @Test(arguments: [60, 300, 3600, 43_200, 86_400] as [Int64]) func expiryChoicesAreTheProtocolsOwn(seconds: Int64)
        throws
    {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: seconds))
        let address = try #require(driver.state.rooms.last?.address)
        #expect(driver.effects.contains(.createRoom(address: address, expiresIn: seconds)))
    }

    @Test(arguments: [0, -1, 61, 301, 86_401, .min, .max] as [Int64]) func anyOtherExpiryIsRefusedWithASentence(
        seconds: Int64
    ) throws {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: seconds))
        #expect(driver.state.rooms.isEmpty && driver.effects.isEmpty)
        #expect(driver.text.contains("Choose how long the code is valid"))
    }

    @Test(arguments: ["482913", "482-913", " 482 913 ", "4829-13"]) func codesAreReadForgivingly(code: String) throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: code, words: nil, name: nil))
        #expect(driver.state.rooms.last?.code == "482913")
        #expect(driver.state.rooms.last?.status == .joining)
    }

    @Test(arguments: ["", "48291", "4829134", "48291a", "４８２９１３", "482913-maple-otter"])
    func whatIsNoCodeIsRefusedWithASentence(code: String) throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: code, words: nil, name: nil))
        #expect(driver.state.rooms.isEmpty)
        #expect(driver.text.contains("six digits"))
    }

    @Test func acceptanceOpensTheLinkWithTheWords() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        let address = try #require(driver.state.rooms[room]).address
        #expect(address.serverRoom == "server-room-1")
        #expect(driver.effects == [.openLink(address: address, words: "words-1", iceServers: [])])
    }

    @Test func theJoinerConnectsAtOnce() throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: "482913", words: "typed", name: "Bo"))
        let join = try driver.waiting(\.isJoin)
        try driver.event(.roomJoined(effect: join, serverRoom: "s"))
        let room = try #require(driver.state.rooms.last)
        #expect(driver.effects == [.openLink(address: room.address, words: "typed", iceServers: [])])
        #expect(room.title == "Bo")
    }

    // MARK: - Watching and polling

    @Test func pollingStartsOnlyWhileTheServerDoesNotPush() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatWaits()
        try driver.event(.roomWatching(effect: try driver.waiting(\.isWatch), on: true))
        try driver.pass(seconds: 30)
        #expect(!driver.asked(\.isCheck))

        try driver.event(.roomWatching(effect: try driver.waiting(\.isWatch), on: false))
        try driver.pass(seconds: 6)
        #expect(driver.asked(\.isCheck))
    }

    @Test func pollsComeEverySixSecondsOneAtATimeAndOnlyInFront() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatWaits()
        try driver.pass(seconds: 5)
        #expect(!driver.asked(\.isCheck))
        try driver.pass(seconds: 1)
        #expect(driver.asked(\.isCheck))
        try driver.pass(seconds: 60)
        #expect(!driver.asked(\.isCheck), "the first poll is not answered yet")
        try driver.event(.roomPending(effect: try driver.waiting(\.isCheck)))
        try driver.app(.becameInactive)
        try driver.pass(seconds: 60)
        #expect(!driver.asked(\.isCheck))
    }

    @Test func aPollCanBringTheAcceptance() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.pass(seconds: 6)
        try driver.event(.roomAccepted(effect: try driver.waiting(\.isCheck), serverRoom: "s"))
        #expect(driver.state.rooms[room]?.status == .accepted)
        #expect(driver.asked(\.isLink))
    }

    @Test func whenTheCodeRunsOutTheServerHasTheLastWord() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits(expiresIn: 60)
        try driver.event(.roomWatching(effect: try driver.waiting(\.isWatch), on: true))
        try driver.pass(seconds: 61)
        let check = try driver.waiting(\.isCheck)
        #expect(driver.state.rooms[room]?.status == .pending)
        try driver.fail(check, Failure(.codeUnknown))
        #expect(driver.state.rooms[room]?.status == .expired)
        #expect(driver.text.contains("ran out"))
    }

    @Test func aClockThatIsWrongEndsNoCodeForWhichTheServerStillWaits() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits(expiresIn: 60)
        try driver.event(.roomWatching(effect: try driver.waiting(\.isWatch), on: true))
        try driver.pass(seconds: 130 * 86_400)
        for _ in 0..<3 {
            try driver.event(.roomPending(effect: try driver.waiting(\.isCheck)))
            #expect(driver.state.rooms[room]?.status == .pending)
            try driver.pass(seconds: 50)
            #expect(!driver.asked(\.isCheck), "not in a busy loop")
            try driver.pass(seconds: 10)
        }
        try driver.event(.roomAccepted(effect: try driver.waiting(\.isCheck), serverRoom: "s"))
        #expect(driver.state.rooms[room]?.status == .accepted)
    }

    @Test func somebodyWhoComesInTheLastSecondIsLetIn() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits(expiresIn: 60)
        try driver.pass(seconds: 61)
        try driver.event(.roomAccepted(effect: try driver.waiting(\.isCheck), serverRoom: "s"))
        #expect(driver.state.rooms[room]?.status == .accepted)
    }

    @Test func aServerThatCannotBeAskedAtTheEndIsAskedAgain() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits(expiresIn: 60)
        try driver.pass(seconds: 61)
        try driver.fail(try driver.waiting(\.isCheck), Failure(.serverUnreachable, retryable: true))
        #expect(driver.state.rooms[room]?.status == .pending)
        try driver.pass(seconds: 1)
        #expect(!driver.asked(\.isCheck), "not in a busy loop")
        try driver.pass(seconds: 6)
        try driver.fail(try driver.waiting(\.isCheck), Failure(.codeExpired))
        #expect(driver.state.rooms[room]?.status == .expired)
    }

    @Test(arguments: [true, false])
    func anAnswerWithoutAResultIsAFailure(creates: Bool) throws {
        var driver = try TestDriver()
        try driver.rooms(
            creates ? .createRoom(name: nil, expiresIn: 60) : .joinRoom(code: "482913", words: nil, name: nil))
        try driver.event(.effectDone(effect: try driver.waiting(creates ? \.isCreate : \.isJoin)))
        #expect(driver.state.rooms.last?.status == .failed)
        #expect(driver.tree.find("chat.retry") != nil)
    }

    @Test func wordsInTheFieldForTheDigitsStayOut() throws {
        var driver = try TestDriver()
        try driver.app(.navigate(to: Screen(.join)))
        try driver.rooms(.editJoin(code: "482913-maple-otter", words: nil, name: nil))
        #expect(driver.state.views.main.joinForm.code == "482913--")
        try driver.dispatch(try #require(driver.tree.find("join.submit")?.offers.first).action)
        #expect(driver.state.rooms.last?.code == "482913")
    }

    @Test func aClockThatIsAheadDoesNotEndTheCodeEarly() throws {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        let create = try driver.waiting(\.isCreate)
        let serverTime = driver.now.advanced(bySeconds: -3600)
        try driver.event(.roomCreated(effect: create, code: "111111", words: nil, expiresAt: serverTime))
        let expiry = try #require(driver.state.rooms.last?.expiresAt)
        #expect(driver.now.milliseconds(until: expiry) == 300_000)
    }

    // MARK: - Failures

    @Test(arguments: Failure.Code.allCases) func everyFailureToJoinIsExplained(code: Failure.Code) throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try driver.waiting(\.isJoin)
        try driver.fail(join, Failure(code, "internal detail", retryable: true, retryAfter: 90_000))
        #expect(driver.state.rooms.last?.status == .failed)
        let problem = try #require(driver.tree.find("chat.problem")).label.english
        #expect(problem.hasSuffix(".") && problem.count > 15 && !problem.contains("internal detail"))
    }

    @Test func aRefusalForAWhileSaysHowLong() throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try driver.waiting(\.isJoin)
        try driver.fail(join, Failure(.tooManyAttempts, retryable: true, retryAfter: 90_000))
        #expect(driver.text.contains("Try again in 90 seconds."))
    }

    @Test func tryingAgainUsesTheSameIdentity() throws {
        var driver = try TestDriver()
        try driver.rooms(.createRoom(name: nil, expiresIn: 300))
        let room = try #require(driver.state.rooms.last)
        let create = try driver.waiting(\.isCreate)
        try driver.fail(create, Failure(.serverUnreachable, retryable: true))
        let retry = try #require(driver.tree.find("chat.retry")?.offers.first)
        try driver.dispatch(retry.action)
        #expect(driver.effects == [.createRoom(address: room.address, expiresIn: 300)])
    }

    @Test func aThirdPersonAtTheDoorLearnsWhy() throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try driver.waiting(\.isJoin)
        try driver.fail(join, Failure(.roomFull))
        #expect(driver.text.contains("Two people are in this room already"))
        #expect(driver.tree.find("chat.retry") == nil)
    }
}
