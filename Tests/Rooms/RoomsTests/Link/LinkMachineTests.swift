import Testing

@testable import Rooms

struct LinkMachineTests {
    @Test(arguments: LinkPair.Side.allCases)
    func `two sides connect, whoever comes first`(first: LinkPair.Side) {
        var pair = LinkPair()
        pair.give(first, .start)
        #expect(pair[first].reports == [.connecting, .waitingForPeer])
        pair.give(first == .creator ? .joiner : .creator, .start)
        for side in LinkPair.Side.allCases {
            #expect(pair[side].reports.last == .connected)
            #expect(pair[side].peersMade == 1)
            #expect(pair[side].verificationsStarted == 1)
            #expect(pair[side].timers.isEmpty)
        }
    }

    @Test func `a socket that comes back leaves a healthy peer connection alone`() {
        var pair = LinkPair()
        pair.startBoth()
        pair.cutSockets()
        for side in LinkPair.Side.allCases { #expect(pair[side].reports.last == .connected) }
        for side in LinkPair.Side.allCases { pair.fire(side, .retry) }
        for side in LinkPair.Side.allCases {
            #expect(pair[side].inRoom)
            #expect(pair[side].peersMade == 1)
            #expect(pair[side].reports.last == .connected)
        }
    }

    @Test(arguments: LinkPair.Side.allCases)
    func `a restarted process gets a new peer connection`(side: LinkPair.Side) {
        var pair = LinkPair()
        pair.startBoth()
        let other: LinkPair.Side = side == .creator ? .joiner : .creator
        pair.restartProcess(side, seed: 99)
        #expect(pair[side].reports.last == .connected)
        #expect(pair[other].reports.last == .connected)
        #expect(pair[other].peersMade == 2)
        // The users of the connection have to learn that it is a new one.
        #expect(pair[other].reports.suffix(3) == [.reconnecting, .verifying, .connected])
        #expect(pair[side].peersMade == 1)
    }

    @Test func `an interruption is first met with an ICE restart`() {
        var pair = LinkPair()
        pair.startBoth()
        for side in LinkPair.Side.allCases { pair.give(side, .peerDisconnected) }
        #expect(pair[.creator].reports.last == .reconnecting)
        pair.fire(.creator, .restart)
        #expect(pair[.creator].restarts == 1)
        #expect(pair[.creator].peersMade == 1)
        for side in LinkPair.Side.allCases { #expect(pair[side].reports.last == .connected) }
    }

    @Test(arguments: LinkPair.Side.allCases)
    func `an interruption that lasts brings a new peer connection`(side: LinkPair.Side) {
        var pair = LinkPair()
        pair.startBoth()
        for side in LinkPair.Side.allCases { pair.give(side, .peerDisconnected) }
        pair.fire(side, .abandon)
        for side in LinkPair.Side.allCases {
            #expect(pair[side].reports.last == .connected)
            #expect(pair[side].peersMade == 2)
        }
    }

    @Test func `both sides giving up at once still meet again`() {
        var pair = LinkPair()
        pair.startBoth()
        for side in LinkPair.Side.allCases { pair.give(side, .peerFailed) }
        for _ in 0..<4 { for side in LinkPair.Side.allCases { pair.fire(side, .retry) } }
        for side in LinkPair.Side.allCases {
            #expect(pair[side].reports.last == .connected)
            #expect(pair[side].peersMade <= 3)
        }
    }

    @Test func `a lost offer is made again after the time limit`() {
        var pair = LinkPair()
        pair.offersLost = true
        pair.startBoth()
        #expect(pair[.creator].reports.last == .connecting)
        pair.offersLost = false
        for _ in 0..<3 {
            for side in LinkPair.Side.allCases {
                pair.fire(side, .negotiation)
                pair.fire(side, .retry)
            }
        }
        for side in LinkPair.Side.allCases { #expect(pair[side].reports.last == .connected) }
    }

    @Test func `an unreachable server is tried again, later and later`() {
        var pair = LinkPair()
        pair.serverUp = false
        pair.give(.creator, .start)
        var waits: [Duration] = []
        for _ in 0..<10 {
            waits.append(pair[.creator].timers[.retry] ?? .zero)
            pair.fire(.creator, .retry)
        }
        #expect(waits.allSatisfy { $0 > .zero && $0 <= BackOff.longest })
        #expect(waits[6] > waits[0])
        #expect(pair[.creator].failure == nil)
        pair.serverUp = true
        pair.fire(.creator, .retry)
        #expect(pair[.creator].reports.last == .waitingForPeer)
    }

    @Test func `leaving closes the peer link before it tells the server`() throws {
        var pair = LinkPair()
        pair.startBoth()
        var machine = pair[.creator].machine
        let commands = machine.handle(.stop)
        let drop = try #require(commands.firstIndex(of: .dropPeer))
        let leave = try #require(commands.firstIndex(of: .send(.leaveRoom)))
        let close = try #require(commands.firstIndex(of: .closeSocket))
        #expect(drop < leave && leave < close)
        #expect(commands.last == .report(.closed))
        #expect(machine.handle(.notice(.roomReady(room: "room"))).isEmpty)
    }

    @Test(arguments: [
        (SignalingNotice.error("Invalid roomId"), LinkFailure.roomGone),
        (.error("Forbidden"), .forbidden), (.roomFull, .roomFull),
    ])
    func `a refused join ends the link with its reason`(notice: SignalingNotice, failure: LinkFailure) {
        var machine = LinkMachine(
            identity: .init(room: "r", device: "d", ticket: "t", role: .responder),
            seed: 1
        )
        _ = machine.handle(.start)
        _ = machine.handle(.socketOpened)
        #expect(machine.handle(.notice(notice)).last == .giveUp(failure))
    }

    @Test func `a server that never answers is left and tried again`() {
        var machine = LinkMachine(identity: .init(room: "r", device: "d", ticket: "t", role: .responder), seed: 1)
        _ = machine.handle(.start)
        _ = machine.handle(.socketOpened)
        let commands = machine.handle(.timer(.answer))
        #expect(commands.contains(.closeSocket))
        #expect(commands.contains { if case .set(.retry, _) = $0 { true } else { false } })
    }

    @Test func `nothing the relay says makes a machine trap or loop`() {
        var random = SeededGenerator(seed: 7)
        let words = ["", "AA", "AAEC", "!!", String(repeating: "A", count: 4096)]
        for seed in 0..<200 as Range<UInt64> {
            var pair = LinkPair()
            pair.startBoth()
            for _ in 0..<50 {
                let side = LinkPair.Side.allCases[Int.random(in: 0...1, using: &random)]
                let text = words[Int.random(in: 0..<words.count, using: &random)]
                let notices: [SignalingNotice] = [
                    .verify(data: text), .offer(sdp: text), .answer(sdp: text), .roomReady(room: "room"),
                    .peerLeft, .peerDisconnected, .error(text), .leftRoom, .roomJoined(room: "x"),
                    .verify(
                        data: RelayFrame.greeting(
                            Greeting(
                                own: LinkInstance(run: random.next() % 3),
                                known: LinkInstance(run: seed, generation: random.next() % 3)
                            )
                        ).text
                    ),
                ]
                pair.give(side, .notice(notices[Int.random(in: 0..<notices.count, using: &random)]))
            }
            #expect(pair[.creator].peersMade < 60)
        }
    }

    @Test(arguments: LinkPair.Side.allCases, [true, false])
    func `a connection that is not verified when the server goes is begun anew`(
        side: LinkPair.Side, otherSideOnly: Bool
    ) {
        var pair = LinkPair()
        pair.settles = false
        pair.startBoth()
        #expect(pair[side].reports.last == .verifying)
        if otherSideOnly { pair.give(side, .notice(.peerDisconnected)) } else { pair.give(side, .socketClosed) }
        #expect(!pair[side].hasPeer)
    }

    @Test func `a server that is too busy for a join is asked again`() {
        var pair = LinkPair()
        pair.give(.creator, .start)
        pair.give(.creator, .socketClosed)
        pair.refusal = "Too many attempts"
        pair.fire(.creator, .retry)
        #expect(pair[.creator].failure == nil)
        pair.refusal = nil
        pair.fire(.creator, .retry)
        #expect(pair[.creator].reports.last == .waitingForPeer)
    }

    @Test func `in the room of a meeting nobody waits for long`() {
        for isMeeting in [true, false] {
            var machine = LinkMachine(
                identity: .init(room: "r", device: "d", ticket: "t", role: .initiator, isMeeting: isMeeting), seed: 1)
            _ = machine.handle(.start)
            _ = machine.handle(.socketOpened)
            let alone = machine.handle(.notice(.roomJoined(room: "r")))
            #expect(alone.contains(.set(.lonely, LinkMachine.Limit.lonely)) == isMeeting)
            let ready = machine.handle(.notice(.roomReady(room: "r")))
            #expect(ready.contains(.cancel(.lonely)) == isMeeting)
            #expect(!machine.handle(.timer(.lonely)).contains(.giveUp(.roomGone)))
            _ = machine.handle(.notice(.peerLeft))
            #expect(machine.handle(.timer(.lonely)).contains(.giveUp(.roomGone)))
        }
    }

    @Test(arguments: LinkPair.Side.allCases)
    func `who says goodbye broke nothing and is waited for`(side: LinkPair.Side) {
        var pair = LinkPair()
        pair.startBoth()
        let before = pair[side].reports.count
        pair.give(side, .goodbye)
        pair.give(side, .peerDisconnected)
        pair.give(side == .creator ? .joiner : .creator, .stop)
        pair.give(side, .peerFailed)
        #expect(pair[side].reports.dropFirst(before) == [.waitingForPeer])
        // A side that comes back is connected as before.
        pair.restartProcess(side == .creator ? .joiner : .creator, seed: 77)
        #expect(pair[side].reports.last == .connected)
        pair.give(side, .peerDisconnected)
        #expect(pair[side].reports.last == .reconnecting, "now it broke")
    }

    @Test func `two who are there and find no path hear of it, and go on trying`() {
        var pair = LinkPair()
        pair.offersLost = true
        pair.startBoth()
        #expect(pair[.creator].pathsMissed == 0)
        pair.fire(.creator, .negotiation)
        #expect(pair[.creator].pathsMissed == 1)
        pair.offersLost = false
        for _ in 0..<3 { for side in LinkPair.Side.allCases { pair.fire(side, .retry) } }
        #expect(pair[.creator].reports.last == .connected)
        #expect(pair[.creator].pathsMissed == 1)
    }
}
