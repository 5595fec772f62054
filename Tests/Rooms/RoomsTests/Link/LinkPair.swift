@testable import Rooms

/// Two link machines with a rendezvous server and a network between them, all in memory and advanced step by step.
struct LinkPair {
    enum Side: Int, CaseIterable { case creator, joiner }

    struct Host {
        var machine: LinkMachine
        var atServer = false
        var inRoom = false
        var hasPeer = false
        var hasDescriptions = false
        var timers: [LinkMachine.Timer: Duration] = [:]
        var reports: [LinkState] = []
        var failure: LinkFailure?
        var restarts = 0
        var peersMade = 0
        var pathsMissed = 0
        var verificationsStarted = 0
        var offered: [OfferedICEServers] = []
        var asked = 0
    }

    var hosts: [Host]
    var serverUp = true
    var offersLost = false
    /// Whether the verification completes.
    var settles = true
    /// The server's answer to a join.
    var refusal: String?
    private var queue: [(Side, LinkMachine.Input)] = []

    init() {
        hosts = Side.allCases.map { Self.host($0, seed: UInt64($0.rawValue) + 1) }
    }

    private static func host(_ side: Side, seed: UInt64) -> Host {
        Host(
            machine: LinkMachine(
                identity: .init(
                    room: "room",
                    device: "\(side)",
                    ticket: "ticket",
                    role: side == .creator ? .initiator : .responder
                ),
                seed: seed
            )
        )
    }

    subscript(side: Side) -> Host { hosts[side.rawValue] }

    /// Gives one side an input and lets everything that follows from it happen.
    mutating func give(_ side: Side, _ input: LinkMachine.Input) {
        queue.append((side, input))
        var steps = 0
        while !queue.isEmpty {
            steps += 1
            guard steps < 10_000 else { return queue.removeAll() }
            let (side, input) = queue.removeFirst()
            for command in hosts[side.rawValue].machine.handle(input) { perform(command, of: side) }
        }
    }

    mutating func startBoth() {
        for side in Side.allCases { give(side, .start) }
    }

    /// The process of one side dies and another takes its place.
    mutating func restartProcess(_ side: Side, seed: UInt64) {
        let other = Self.other(side)
        hosts[side.rawValue] = Self.host(side, seed: seed)
        if hosts[other.rawValue].inRoom { give(other, .notice(.peerDisconnected)) }
        give(side, .start)
    }

    mutating func cutSockets() {
        for side in Side.allCases {
            hosts[side.rawValue].atServer = false
            hosts[side.rawValue].inRoom = false
            give(side, .socketClosed)
        }
    }

    mutating func fire(_ side: Side, _ timer: LinkMachine.Timer) {
        guard hosts[side.rawValue].timers.removeValue(forKey: timer) != nil else { return }
        give(side, .timer(timer))
    }

    private static func other(_ side: Side) -> Side { side == .creator ? .joiner : .creator }

    private mutating func perform(_ command: LinkMachine.Command, of side: Side) {
        let index = side.rawValue
        switch command {
        case .openSocket:
            if serverUp { hosts[index].atServer = true }
            queue.append((side, serverUp ? .socketOpened : .socketClosed))
        case .closeSocket:
            hosts[index].atServer = false
            hosts[index].inRoom = false
        case .send(let request): relay(request, from: side)
        case .makePeer:
            hosts[index].hasPeer = true
            hosts[index].hasDescriptions = false
            hosts[index].peersMade += 1
        case .makeOffer(let iceRestart):
            if iceRestart { hosts[index].restarts += 1 }
            queue.append((side, .localOffer(sdp: iceRestart ? "restart" : "offer")))
        case .acceptOffer(let sdp):
            hosts[index].hasDescriptions = true
            queue.append((side, .localAnswer(sdp: "answer to \(sdp)")))
        case .acceptAnswer: connect(restart: hosts[index].hasDescriptions)
        case .offered(let offered): hosts[index].offered.append(offered)
        case .addCandidate, .verification: break
        case .noPath: hosts[index].pathsMissed += 1
        case .dropPeer: hosts[index].hasPeer = false
        case .startVerification: hosts[index].verificationsStarted += 1
        case .set(let timer, let duration): hosts[index].timers[timer] = duration
        case .cancel(let timer): hosts[index].timers[timer] = nil
        case .report(let state): hosts[index].reports.append(state)
        case .giveUp(let failure): hosts[index].failure = failure
        }
    }

    private mutating func connect(restart: Bool) {
        hosts[Side.creator.rawValue].hasDescriptions = true
        for side in Side.allCases {
            queue.append((side, .peerConnected))
            guard !restart else { continue }
            queue.append((side, .channelOpened))
            if settles { queue.append((side, .verificationSettled)) }
        }
    }

    private mutating func relay(_ request: SignalingRequest, from side: Side) {
        let other = Self.other(side)
        switch request {
        case .joinRoom(let room, _, _):
            if let refusal { return queue.append((side, .notice(.error(refusal)))) }
            hosts[side.rawValue].inRoom = true
            queue.append((side, .notice(.roomJoined(room: room))))
            if self[other].inRoom {
                queue.append((side, .notice(.roomReady(room: room))))
                queue.append((other, .notice(.roomReady(room: room))))
            }
        case .leaveRoom:
            hosts[side.rawValue].inRoom = false
            if self[other].inRoom { queue.append((other, .notice(.peerLeft))) }
        case .offer(let sdp): forward(offersLost ? nil : .offer(sdp: sdp), to: other)
        case .answer(let sdp): forward(.answer(sdp: sdp), to: other)
        case .candidate(let candidate): forward(.candidate(candidate), to: other)
        case .verify(let data): forward(.verify(data: data), to: other)
        case .iceServers: hosts[side.rawValue].asked += 1
        case .watch: break
        }
    }

    private mutating func forward(_ notice: SignalingNotice?, to side: Side) {
        if let notice, self[side].inRoom { queue.append((side, .notice(notice))) }
    }
}
