import AppCore
import Catalogues
import Testing

/// The link: verified or not, broken and mended, left on purpose.
@Suite struct LinkTests {
    @Test func aClockThatIsSetBackHoldsUpNoRetry() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatConnects()
        try driver.fail(try driver.waiting(\.isLink), Failure(.noPath, retryable: true))
        driver.now = driver.now.advanced(bySeconds: -365 * 86_400)
        try driver.event(.tick)
        #expect(driver.asked(\.isLink))
    }

    @Test func verifiedTalkNeedsNoWarning() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(.verified)
        #expect(driver.state.rooms[room]?.isTalking == true)
        #expect(driver.tree.find("chat.status")?.label.english == "Connected, verified")
        #expect(driver.tree.find("chat.status")?.detail?.english == "Direct")
        #expect(driver.tree.find("chat.unverified") == nil)
    }

    @Test func unverifiedTalkCarriesAWarningUntilTheNumbersWereCompared() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(.unverified)
        let compare = try #require(driver.tree.find("chat.unverified.compare"))
        try driver.dispatch(try #require(compare.offers.first).action)
        #expect(driver.tree.find("safety_number.digits")?.value == .text("12345 67890"))
        try driver.dispatch(try #require(driver.tree.find("safety_number.same")?.offers.first).action)
        #expect(driver.effects == [.confirmSafetyNumber(room: room, matches: true)])
        #expect(driver.tree.find("safety_number.state")?.value == .words("verification.compared"))
        // The link says soon that it is verified, which it is by that and not by the words.
        let link = try driver.waiting(\.isLink)
        try driver.event(.verificationChanged(effect: link, outcome: .verified, safetyNumber: "12345 67890"))
        #expect(driver.tree.find("safety_number.state")?.value == .words("verification.compared"))
        try driver.app(.back)
        #expect(driver.tree.find("chat.unverified") == nil)
        #expect(driver.tree.find("chat.status")?.label.english == "Connected, verified")
    }

    @Test func aNewLinkHasToBeComparedAnew() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(.unverified)
        try driver.chat(.compareSafetyNumber(room: room, matches: true))
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try driver.connect(.unverified)
        #expect(driver.tree.find("chat.unverified") != nil)
    }

    @Test func aSafetyNumberThatDiffersEndsTheRoom() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks(.unverified)
        try driver.chat(.compareSafetyNumber(room: room, matches: false))
        #expect(driver.state.rooms[room]?.status == .spent)
        #expect(driver.asked(\.isLeave))
    }

    @Test func wrongWordsSpendTheRoomAndSaySo() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        try driver.chat(.sendText(room: room, text: "hello?"))
        let link = try driver.waiting(\.isLink)
        try driver.event(.verificationChanged(effect: link, outcome: .failed, safetyNumber: nil))
        #expect(driver.state.rooms[room]?.status == .spent)
        #expect(driver.asked(\.isLeave))
        #expect(driver.text.contains("create a new room"))
        #expect(driver.state.rooms[room]?.messages.last?.status == .failed)
        try driver.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(driver.state.rooms[room]?.live.link == .closed, "the spent link is not heard any more")
        try driver.receive(room, "m1", .text("let me in"))
        #expect(driver.state.rooms[room]?.messages.count == 1)
        #expect(driver.effects.isEmpty)
    }

    @Test func nothingIsTakenBeforeThePeerIsKnown() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        try driver.event(.linkChanged(effect: try driver.waiting(\.isLink), link: .connected, path: .direct))
        try driver.receive(room, "m1", .text("early"))
        #expect(driver.state.rooms[room]?.messages.isEmpty == true)
        #expect(driver.effects.isEmpty, "not acknowledged: the peer keeps it")
    }

    @Test func leavingClosesTheLinkAndNothingReconnectsByItself() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let address = try #require(driver.state.rooms[room]?.address)
        let link = try driver.waiting(\.isLink)
        try driver.rooms(.leaveRoom(room: room))
        #expect(driver.effects == [.leaveRoom(address: address)])
        try driver.event(.effectDone(effect: link))
        try driver.event(.reachabilityChanged(online: false))
        try driver.event(.reachabilityChanged(online: true))
        try driver.app(.becameInactive)
        try driver.app(.becameActive)
        try driver.pass(seconds: 600)
        #expect(!driver.asked(\.isLink))
        try driver.restart()
        #expect(!driver.asked(\.isLink))
        try driver.rooms(.openRoom(room: room))
        #expect(driver.asked(\.isLink))
    }

    @Test func aLateWordOfAnOldLinkChangesNothing() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let old = try driver.waiting(\.isLink)
        try driver.rooms(.leaveRoom(room: room))
        try driver.rooms(.openRoom(room: room))
        try driver.connect()
        try driver.event(.linkChanged(effect: old, link: .closed, path: nil))
        try driver.event(.verificationChanged(effect: old, outcome: .failed, safetyNumber: nil))
        try driver.fail(old, Failure(.noPath))
        #expect(driver.state.rooms[room]?.isTalking == true)
    }

    @Test func reconnectingKeepsTheVerification() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let link = try driver.waiting(\.isLink)
        try driver.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        #expect(driver.state.rooms[room]?.isTalking == false)
        #expect(driver.tree.find("chat.status")?.isBusy == true)
        try driver.event(.linkChanged(effect: link, link: .connected, path: .relayed))
        #expect(driver.state.rooms[room]?.isTalking == true)
        #expect(driver.tree.find("chat.status")?.detail?.english == "Through a relay, which sees only ciphertext")
    }

    @Test func aLinkThatFailsForAWhileIsOpenedAgainWhenTheTimeHasCome() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatConnects()
        let failure = Failure(.serverUnreachable, retryable: true, retryAfter: 10_000)
        try driver.fail(try driver.waiting(\.isLink), failure)
        #expect(driver.text.contains("The server cannot be reached"))
        try driver.pass(seconds: 5)
        #expect(!driver.asked(\.isLink))
        try driver.pass(seconds: 5)
        #expect(driver.asked(\.isLink))
        #expect(driver.tree.find("chat.problem") == nil)
    }

    @Test func theNetworkComingBackOpensWhatWaits() throws {
        var driver = try TestDriver()
        _ = try driver.roomThatConnects()
        try driver.event(.reachabilityChanged(online: false))
        #expect(driver.tree.find("offline") != nil)
        let failure = Failure(.serverUnreachable, retryable: true, retryAfter: 3_600_000)
        try driver.fail(try driver.waiting(\.isLink), failure)
        try driver.event(.reachabilityChanged(online: true))
        #expect(driver.asked(\.isLink))
    }

    @Test func aRoomThatTheServerForgotIsClosed() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        try driver.fail(try driver.waiting(\.isLink), Failure(.roomGone))
        #expect(driver.state.rooms[room]?.status == .closed)
        #expect(driver.tree.find("chat.delete") != nil)
    }

    @Test func aPeerThatLeavesCanComeBackAndOneThatDeletesCannot() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.event(.peerLeft(room: room, forever: false))
        #expect(driver.state.rooms[room]?.status == .accepted)
        #expect(driver.state.rooms[room]?.messages.last?.body == .peerLeft)
        try driver.chat(.sendText(room: room, text: "are you there?"))
        try driver.event(.peerLeft(room: room, forever: true))
        #expect(driver.state.rooms[room]?.status == .closed)
        #expect(driver.asked(\.isLeave))
        #expect(driver.state.rooms[room]?.messages.all.contains { $0.failure?.code == .peerGone } == true)
        #expect(driver.tree.find("chat.send") == nil)
    }

    @Test func nothingConnectsBeforeTheAppIsInFront() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        try driver.restart(active: false)
        #expect(!driver.asked(\.isLink))
        try driver.app(.becameActive)
        #expect(driver.asked(\.isLink))
        #expect(driver.state.rooms[room]?.live.link == .connecting)
    }

    @Test func theWordsAreForgottenOnceBothSidesRememberEachOther() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        #expect(driver.state.rooms[room]?.words == "words-1", "the last confirmation may not have reached the peer")
        try driver.event(.peerRemembered(effect: try driver.waiting(\.isLink)))
        #expect(driver.effects == [.forgetSecrets(secrets: ["words-1"])])
        try driver.event(.peerRemembered(effect: try driver.waiting(\.isLink)))
        #expect(driver.effects.isEmpty)
        try driver.restart()
        #expect(driver.asked { $0 == .openLink(address: driver.state.rooms[0].address, words: nil, iceServers: []) })
    }

    @Test func aLinkThatIsNotTheRoomsForgetsNoWords() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatTalks()
        let link = try driver.waiting(\.isLink)
        try driver.rooms(.leaveRoom(room: room))
        try driver.event(.peerRemembered(effect: link))
        #expect(driver.state.rooms[room]?.words == "words-1")
    }

    // MARK: - What keeps two apart

    @Test func whatKeepsTwoApartIsSaidWithItsAddressUntilItPasses() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        let failure = Failure(.relayUnreachable, retryable: true, place: "turn:relay.example:3478")
        try driver.event(.roomTroubled(room: room, failure: failure))
        #expect(driver.tree.find("chat.problem")?.label.english.contains("turn:relay.example:3478") == true)
        #expect(driver.state.rooms[room]?.live.linkEffect != nil, "the link goes on trying")
        try driver.connect()
        #expect(driver.tree.find("chat.problem") == nil)
        // A word that comes late, or about what is not wanted, is not shown.
        try driver.event(.roomTroubled(room: room, failure: failure))
        #expect(driver.tree.find("chat.problem") == nil)
        try driver.rooms(.leaveRoom(room: room))
        try driver.event(.roomTroubled(room: room, failure: failure))
        #expect(driver.state.rooms[room]?.live.linkFailure == nil)
        try driver.event(.roomTroubled(room: "nowhere", failure: failure))
    }

    @Test func aPlaceIsOfBoundedSize() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatConnects()
        let place = String(repeating: "x", count: 5000)
        try driver.event(.roomTroubled(room: room, failure: Failure(.serverUnknown, retryable: true, place: place)))
        #expect(driver.state.rooms[room]?.live.linkFailure?.place?.utf8.count == Failure.placeBytes)
    }

    @Test func aServerThatIsGoneWhileSomebodyIsWaitedForIsNamed() throws {
        var driver = try TestDriver()
        let room = try driver.roomThatWaits()
        try driver.pass(seconds: 10)
        let gone = Failure(.serverUnreachable, retryable: true, place: "http://127.0.0.1:1")
        try driver.fail(try driver.waiting(\.isCheck), gone)
        #expect(
            driver.tree.find("chat.problem")?.label.english.contains("No server answers at http://127.0.0.1:1") == true)
        #expect(driver.state.rooms[room]?.status == .pending)
        try driver.pass(seconds: 10)
        try driver.event(.roomPending(effect: try driver.waiting(\.isCheck)))
        #expect(driver.tree.find("chat.problem") == nil)
    }

    @Test func everyFailureOnTheWayHasASentenceOfItsOwnWithThePlace() {
        let codes: [Failure.Code] = [
            .serverUnreachable, .serverUnknown, .serverUntrusted, .serverMisnamed, .serverExpired, .serverWithTLS,
            .serverWithoutTLS, .serverForeign, .serverError, .authoritiesUnreadable, .noPath, .relayUnreachable,
            .relayRefused, .addressUnusable,
        ]
        let sentences = codes.map { Failure($0, place: "PLACE").sentence }
        #expect(Set(sentences).count == codes.count)
        for sentence in sentences { #expect(sentence.contains("PLACE"), "\(sentence)") }
        for code in codes { #expect(Failure(code).sentence != Failure(.other).sentence) }
    }

    @Test(arguments: [nil, false] as [Bool?]) func aServerWithoutTicketsIsSaidToBeOne(tickets: Bool?) throws {
        var driver = try TestDriver()
        try driver.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try driver.waiting { if case .joinRoom = $0 { true } else { false } }
        try driver.event(.roomJoined(effect: join, serverRoom: "s", tickets: tickets))
        #expect((driver.tree.find("chat.tickets") != nil) == (tickets == false))
        try driver.restart()
        #expect(driver.state.rooms.first?.tickets == tickets, "it is kept")
    }
}
