import AgentProtocols
import Testing
import Wire

@testable import Agents

/// Both sides of a shared session, and the link between them, without clocks: an owner who keeps a log and starts each turn once, and a member. Cut,
/// restarted, doubled and shuffled as a test says.
struct SharingWorld {
    /// What the owner's agent says of a turn, after which it is over.
    static let script: [SharedEvent] =
        [SharedEvent(.reasoning, ["text": "hm"])] + (0..<6).map { SharedEvent(.text, ["text": .string("word \($0) ")]) }
        + [
            SharedEvent(
                .permission, ["request": 1, "call": ["id": "c"], "options": [["id": "yes", "kind": "allow_once"]]])
        ]
    static let rest = [
        SharedEvent(.permissionGone, ["request": 1]), SharedEvent(.text, ["text": "after"]),
        SharedEvent(.turnEnded, ["reason": "done"]),
    ]

    // The owner.
    var log = SharedLog()
    /// What a process that starts again finds: everything that was said.
    var disk: [SharedLog.Entry] = []
    var started: [Int] = []
    var answers: [String?] = []
    var isLive = false
    private var left: [SharedEvent] = []

    // The member.
    var member = MemberSession(session: "s", agent: "a", heard: 0)
    /// What was told and kept, and up to where.
    var told: [AgentEvent] = []
    var kept = 0
    private var answered: Set<Int> = []
    /// What the person answered and the owner has not decided on, as far as was told: kept with what was told.
    private var unconfirmed: [Int: String] = [:]

    // The link.
    var isUp = false
    var toOwner: [SharingFrame.Content] = []
    var toMember: [SharingFrame.Content] = []
    var delivered = 0

    mutating func connect() {
        isUp = true
        perform(member.linked())
    }

    mutating func cut() {
        isUp = false
        (toOwner, toMember) = ([], [])
        log.unfollow()
        perform(member.unlinked())
    }

    mutating func ask(_ turn: Int) { perform(member.prompt(turn: turn, "go")) }

    /// The member's process starts again: only what was kept is known, and the prompt of the turn that is under way is said again.
    mutating func restartMember(inTurn turn: Int?) {
        cut()
        member = MemberSession(session: "s", agent: "a", heard: kept)
        if let turn { ask(turn) }
        for (request, option) in unconfirmed { perform(member.answer(request, option: option)) }
    }

    /// The owner's process starts again: the agent is gone.
    mutating func restartOwner() {
        cut()
        log = SharedLog(log.summary, disk)
        (isLive, left) = (false, [])
    }

    private mutating func perform(_ outputs: [MemberSession.Output]) {
        for output in outputs {
            switch output {
            case .send(let frame): if isUp { toOwner.append(frame) }
            case .event(.link(.position(let position))):
                // What was told is kept together with the position, as the core does.
                kept = position
                perform(member.taken(through: position))
            case .event(let event):
                told.append(event)
                if case .permissionGone(let id) = event { unconfirmed[id.number] = nil }
                if case .permission(let asked) = event, answered.insert(asked.id.number).inserted {
                    unconfirmed[asked.id.number] = "yes"
                    perform(member.answer(asked.id.number, option: "yes"))
                }
            }
        }
    }

    private mutating func say(_ events: [SharedEvent]) {
        disk += log.append(events)
        pump()
    }

    private mutating func pump() {
        while let entry = log.nextToSend() {
            if isUp { toMember.append(.event(session: "s", sequence: entry.sequence, entry.event)) }
        }
    }

    /// One message arrives, or the agent says one thing more.
    /// - Returns: false if nothing more can happen.
    mutating func step() -> Bool {
        if !toOwner.isEmpty {
            delivered += 1
            takeAtOwner(toOwner.removeFirst())
        } else if !toMember.isEmpty {
            delivered += 1
            perform(member.receive(toMember.removeFirst()))
        } else if !left.isEmpty {
            say([left.removeFirst()])
        } else {
            return false
        }
        return true
    }

    mutating func run() { while step() {} }

    private mutating func takeAtOwner(_ frame: SharingFrame.Content) {
        switch frame {
        case .resume(_, _, let after):
            var answer = log.follow("s", after: after)
            if !isLive, log.summary.isOpen {
                disk += log.append([SharedEvent(.ended, ["code": "ended"])])
                answer = log.follow("s", after: after)
            }
            toMember.append(answer)
            pump()
        case .prompt(_, let turn, _, _):
            guard turn > started.last ?? 0 else { return }
            started.append(turn)
            isLive = true
            say([SharedEvent(.turnBegan, ["turn": .count(turn)])])
            left = Self.script
        case .answer(_, let request, let option):
            guard isLive, left.isEmpty, answers.isEmpty else {
                toMember.append(.answerRefused(session: "s", request: request, .gone))
                return
            }
            answers.append(option)
            left = Self.rest
        case .received(_, let through):
            log.received(through: through)
            pump()
        default: break
        }
    }

    /// What the member heard without what concerns the link.
    var said: [AgentEvent] {
        told.filter {
            switch $0 {
            case .link, .permissionGone: false
            default: true
            }
        }
    }

    static let whole: [AgentEvent] = (script + rest).compactMap { AgentEvent($0) }.filter {
        if case .permissionGone = $0 { false } else { true }
    }
}
