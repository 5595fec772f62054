import AppCore
import Testing

/// The link: verified or not, broken and mended, left on purpose.
@Suite struct LinkTests {
    @Test func aClockThatIsSetBackHoldsUpNoRetry() throws {
        var stage = try Stage()
        _ = try stage.roomThatConnects()
        try stage.fail(try stage.waiting(\.isLink), Failure(.noPath, retryable: true))
        stage.now = stage.now.advanced(bySeconds: -365 * 86_400)
        try stage.event(.tick)
        #expect(stage.asked(\.isLink))
    }

    @Test func verifiedTalkNeedsNoWarning() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(.verified)
        #expect(stage.state.rooms[room]?.isTalking == true)
        #expect(stage.tree.find("chat.status")?.label == "Connected, verified")
        #expect(stage.tree.find("chat.status")?.detail == "Direct")
        #expect(stage.tree.find("chat.unverified") == nil)
    }

    @Test func unverifiedTalkCarriesAWarningUntilTheNumbersWereCompared() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(.unverified)
        let compare = try #require(stage.tree.find("chat.unverified.compare"))
        try stage.dispatch(try #require(compare.offers.first).action)
        #expect(stage.tree.find("safety_number.digits")?.value == .text("12345 67890"))
        try stage.dispatch(try #require(stage.tree.find("safety_number.same")?.offers.first).action)
        #expect(stage.effects == [.confirmSafetyNumber(room: room, matches: true)])
        try stage.app(.back)
        #expect(stage.tree.find("chat.unverified") == nil)
        #expect(stage.tree.find("chat.status")?.label == "Connected, verified")
    }

    @Test func aNewLinkHasToBeComparedAnew() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(.unverified)
        try stage.chat(.compareSafetyNumber(room: room, matches: true))
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .waitingForPeer, path: nil))
        try stage.connect(.unverified)
        #expect(stage.tree.find("chat.unverified") != nil)
    }

    @Test func aSafetyNumberThatDiffersEndsTheRoom() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks(.unverified)
        try stage.chat(.compareSafetyNumber(room: room, matches: false))
        #expect(stage.state.rooms[room]?.status == .spent)
        #expect(stage.asked(\.isLeave))
    }

    @Test func wrongWordsSpendTheRoomAndSaySo() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        try stage.chat(.sendText(room: room, text: "hello?"))
        let link = try stage.waiting(\.isLink)
        try stage.event(.verificationChanged(effect: link, outcome: .failed, safetyNumber: nil))
        #expect(stage.state.rooms[room]?.status == .spent)
        #expect(stage.asked(\.isLeave))
        #expect(stage.text.contains("create a new room"))
        #expect(stage.state.rooms[room]?.messages.last?.status == .failed)
        try stage.event(.linkChanged(effect: link, link: .connected, path: .direct))
        #expect(stage.state.rooms[room]?.live.link == .closed, "the spent link is not heard any more")
        try stage.receive(room, "m1", .text("let me in"))
        #expect(stage.state.rooms[room]?.messages.count == 1)
        #expect(stage.effects.isEmpty)
    }

    @Test func nothingIsTakenBeforeThePeerIsKnown() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        try stage.event(.linkChanged(effect: try stage.waiting(\.isLink), link: .connected, path: .direct))
        try stage.receive(room, "m1", .text("early"))
        #expect(stage.state.rooms[room]?.messages.isEmpty == true)
        #expect(stage.effects.isEmpty, "not acknowledged: the peer keeps it")
    }

    @Test func leavingClosesTheLinkAndNothingReconnectsByItself() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let address = try #require(stage.state.rooms[room]?.address)
        let link = try stage.waiting(\.isLink)
        try stage.rooms(.leaveRoom(room: room))
        #expect(stage.effects == [.leaveRoom(address: address)])
        try stage.event(.effectDone(effect: link))
        try stage.event(.reachabilityChanged(online: false))
        try stage.event(.reachabilityChanged(online: true))
        try stage.app(.becameInactive)
        try stage.app(.becameActive)
        try stage.pass(seconds: 600)
        #expect(!stage.asked(\.isLink))
        try stage.restart()
        #expect(!stage.asked(\.isLink))
        try stage.rooms(.openRoom(room: room))
        #expect(stage.asked(\.isLink))
    }

    @Test func aLateWordOfAnOldLinkChangesNothing() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let old = try stage.waiting(\.isLink)
        try stage.rooms(.leaveRoom(room: room))
        try stage.rooms(.openRoom(room: room))
        try stage.connect()
        try stage.event(.linkChanged(effect: old, link: .closed, path: nil))
        try stage.event(.verificationChanged(effect: old, outcome: .failed, safetyNumber: nil))
        try stage.fail(old, Failure(.noPath))
        #expect(stage.state.rooms[room]?.isTalking == true)
    }

    @Test func reconnectingKeepsTheVerification() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let link = try stage.waiting(\.isLink)
        try stage.event(.linkChanged(effect: link, link: .reconnecting, path: nil))
        #expect(stage.state.rooms[room]?.isTalking == false)
        #expect(stage.tree.find("chat.status")?.isBusy == true)
        try stage.event(.linkChanged(effect: link, link: .connected, path: .relayed))
        #expect(stage.state.rooms[room]?.isTalking == true)
        #expect(stage.tree.find("chat.status")?.detail == "Through a relay, which sees only ciphertext")
    }

    @Test func aLinkThatFailsForAWhileIsOpenedAgainWhenTheTimeHasCome() throws {
        var stage = try Stage()
        _ = try stage.roomThatConnects()
        let failure = Failure(.serverUnreachable, retryable: true, retryAfter: 10_000)
        try stage.fail(try stage.waiting(\.isLink), failure)
        #expect(stage.text.contains("The server cannot be reached"))
        try stage.pass(seconds: 5)
        #expect(!stage.asked(\.isLink))
        try stage.pass(seconds: 5)
        #expect(stage.asked(\.isLink))
        #expect(stage.tree.find("chat.problem") == nil)
    }

    @Test func theNetworkComingBackOpensWhatWaits() throws {
        var stage = try Stage()
        _ = try stage.roomThatConnects()
        try stage.event(.reachabilityChanged(online: false))
        #expect(stage.tree.find("offline") != nil)
        let failure = Failure(.serverUnreachable, retryable: true, retryAfter: 3_600_000)
        try stage.fail(try stage.waiting(\.isLink), failure)
        try stage.event(.reachabilityChanged(online: true))
        #expect(stage.asked(\.isLink))
    }

    @Test func aRoomThatTheServerForgotIsClosed() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        try stage.fail(try stage.waiting(\.isLink), Failure(.roomGone))
        #expect(stage.state.rooms[room]?.status == .closed)
        #expect(stage.tree.find("chat.delete") != nil)
    }

    @Test func aPeerThatLeavesCanComeBackAndOneThatDeletesCannot() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.event(.peerLeft(room: room, forever: false))
        #expect(stage.state.rooms[room]?.status == .accepted)
        #expect(stage.state.rooms[room]?.messages.last?.body == .peerLeft)
        try stage.chat(.sendText(room: room, text: "are you there?"))
        try stage.event(.peerLeft(room: room, forever: true))
        #expect(stage.state.rooms[room]?.status == .closed)
        #expect(stage.asked(\.isLeave))
        #expect(stage.state.rooms[room]?.messages.all.contains { $0.failure?.code == .peerGone } == true)
        #expect(stage.tree.find("chat.send") == nil)
    }

    @Test func nothingConnectsBeforeTheAppIsInFront() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        try stage.restart(active: false)
        #expect(!stage.asked(\.isLink))
        try stage.app(.becameActive)
        #expect(stage.asked(\.isLink))
        #expect(stage.state.rooms[room]?.live.link == .connecting)
    }

    @Test func theWordsAreForgottenOnceBothSidesRememberEachOther() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        #expect(stage.state.rooms[room]?.words == "words-1", "the last confirmation may not have reached the peer")
        try stage.event(.peerRemembered(effect: try stage.waiting(\.isLink)))
        #expect(stage.effects == [.forgetSecrets(secrets: ["words-1"])])
        try stage.event(.peerRemembered(effect: try stage.waiting(\.isLink)))
        #expect(stage.effects.isEmpty)
        try stage.restart()
        #expect(stage.asked { $0 == .openLink(address: stage.state.rooms[0].address, words: nil, iceServers: []) })
    }

    @Test func aLinkThatIsNotTheRoomsForgetsNoWords() throws {
        var stage = try Stage()
        let room = try stage.roomThatTalks()
        let link = try stage.waiting(\.isLink)
        try stage.rooms(.leaveRoom(room: room))
        try stage.event(.peerRemembered(effect: link))
        #expect(stage.state.rooms[room]?.words == "words-1")
    }

    // MARK: - What keeps two apart

    @Test func whatKeepsTwoApartIsSaidWithItsAddressUntilItPasses() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        let failure = Failure(.relayUnreachable, retryable: true, place: "turn:relay.example:3478")
        try stage.event(.roomTroubled(room: room, failure: failure))
        #expect(stage.tree.find("chat.problem")?.label.contains("turn:relay.example:3478") == true)
        #expect(stage.state.rooms[room]?.live.linkEffect != nil, "the link goes on trying")
        try stage.connect()
        #expect(stage.tree.find("chat.problem") == nil)
        // A word that comes late, or about what is not wanted, is not shown.
        try stage.event(.roomTroubled(room: room, failure: failure))
        #expect(stage.tree.find("chat.problem") == nil)
        try stage.rooms(.leaveRoom(room: room))
        try stage.event(.roomTroubled(room: room, failure: failure))
        #expect(stage.state.rooms[room]?.live.linkFailure == nil)
        try stage.event(.roomTroubled(room: "nowhere", failure: failure))
    }

    @Test func aPlaceIsOfBoundedSize() throws {
        var stage = try Stage()
        let room = try stage.roomThatConnects()
        let place = String(repeating: "x", count: 5000)
        try stage.event(.roomTroubled(room: room, failure: Failure(.serverUnknown, retryable: true, place: place)))
        #expect(stage.state.rooms[room]?.live.linkFailure?.place?.utf8.count == Failure.placeBytes)
    }

    @Test func aServerThatIsGoneWhileSomebodyIsWaitedForIsNamed() throws {
        var stage = try Stage()
        let room = try stage.roomThatWaits()
        try stage.pass(seconds: 10)
        let gone = Failure(.serverUnreachable, retryable: true, place: "http://127.0.0.1:1")
        try stage.fail(try stage.waiting(\.isCheck), gone)
        #expect(stage.tree.find("chat.problem")?.label.contains("No server answers at http://127.0.0.1:1") == true)
        #expect(stage.state.rooms[room]?.status == .pending)
        try stage.pass(seconds: 10)
        try stage.event(.roomPending(effect: try stage.waiting(\.isCheck)))
        #expect(stage.tree.find("chat.problem") == nil)
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
        var stage = try Stage()
        try stage.rooms(.joinRoom(code: "482913", words: nil, name: nil))
        let join = try stage.waiting { if case .joinRoom = $0 { true } else { false } }
        try stage.event(.roomJoined(effect: join, serverRoom: "s", tickets: tickets))
        #expect((stage.tree.find("chat.tickets") != nil) == (tickets == false))
        try stage.restart()
        #expect(stage.state.rooms.first?.tickets == tickets, "it is kept")
    }
}
