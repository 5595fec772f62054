import AgentProtocols
import Errors
import Testing
import Wire

@testable import Agents

/// The other side of a gateway and of a shared session, driven by scripts that flood, lie, repeat and write in every script: whatever comes, a turn
/// ends once, nothing is said outside of one, and what is held stays bounded.
@Suite struct HostileScriptTests {
    private static let texts = [
        "", "a", "\u{1B}]0;x\u{7}", "\u{202E}abc\u{2066}", "שלום \u{200F}عالم", "กำลังทำงาน", "🏳️‍🌈👩‍👩‍👧",
        "e\u{301}\u{323}\u{361}",
        "\u{0}\u{FFFE}\u{10FFFF}", String(repeating: "漢", count: 2000), String(repeating: "\u{300}", count: 500),
    ]
    private static let numbers = [0, 1, 2, 3, 7, 64, 999_999, 1 << 53 - 1, .max]

    // MARK: A gateway

    private static let broken = [
        "", "{", "null", "[]", #"{"type":7}"#, #"{"type":"history"}"#, #"{"type":"text_delta","text":"\ud800"}"#,
        #"{"type":"done","id":1e400}"#, #"{"type":"done","id":-1}"#, #"{"type":"done","type":"error","id":1}"#,
        #"{"type":"tokens","input":18446744073709551615,"output":-5}"#,
    ]

    private static func line(_ random: inout SeededNumbers) -> String {
        func text() -> String { JSONValue.string(texts.randomElement(using: &random) ?? "").text }
        func number() -> Int {
            Int.random(in: 0..<3, using: &random) == 0
                ? numbers.randomElement(using: &random) ?? 0 : Int.random(in: 0..<40, using: &random)
        }
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return broken.randomElement(using: &random) ?? ""
        case 1: return #"{"type":"ack","id":\#(number())}"#
        case 2: return #"{"type":"done","id":\#(number())}"#
        case 3: return #"{"type":"error","id":\#(number()),"message":\#(text())}"#
        case 4: return #"{"type":"session","session_id":\#(text())}"#
        case 5:
            let messages = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                let role = ["user", "assistant", "tool", "nobody"].randomElement(using: &random) ?? ""
                return #"{"role":"\#(role)","content":\#(Bool.random(using: &random) ? #""go""# : text())}"#
            }
            let isProcessing = Bool.random(using: &random)
            return
                #"{"type":"history","id":\#(number()),"session_id":"\#(["s", "t"].randomElement(using: &random) ?? "")","messages":[\#(messages.joined(separator: ","))],"activity":{"is_processing":\#(isProcessing),"partial_included":\#(!isProcessing)}}"#
        case 6: return #"{"type":"state","id":\#(number()),"is_processing":\#(Bool.random(using: &random))}"#
        case 7: return #"{"type":"interrupted"}"#
        case 8: return #"{"type":"text_replace","text":\#(text())}"#
        case 9: return #"{"type":"tool_start","id":\#(text()),"name":\#(text())}"#
        case 10: return #"{"type":"tool_done","id":\#(text()),"name":\#(text()),"output":\#(text())}"#
        case 11:
            return
                #"{"type":"stdin_request","request_id":\#(text()),"prompt":\#(text()),"is_password":\#(Bool.random(using: &random)),"tool_call_id":\#(text())}"#
        case 12: return #"{"type":"retry_rollback","bytes":\#(number())}"#
        case 13: return #"{"type":\#(text()),"x":\#(number())}"#
        default: return #"{"type":"text_delta","text":\#(text())}"#
        }
    }

    @Test(arguments: 0..<300) func `a gateway that lies ends no turn twice, and says nothing outside of one`(
        seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        var session = GatewaySession(name: "g", folder: "/", thread: seed % 2 == 0 ? nil : "s", instance: "i")
        var (isInTurn, asked, ended, isOver) = (false, 0, 0, false)
        var open: Set<AgentPermission.ID> = []
        func take(_ steps: [GatewaySession.Step]) {
            #expect(steps.count < 200)
            for step in steps {
                switch step {
                case .tell(.turnEnded):
                    #expect(isInTurn, "seed \(seed)")
                    (isInTurn, ended) = (false, ended + 1)
                case .tell(.text(let text)), .tell(.reasoning(let text)):
                    #expect(isInTurn && text.text.utf8.count <= AgentLimits.textBytes, "seed \(seed)")
                case .tell(.permission(let asked)): #expect(open.insert(asked.id).inserted, "no id twice")
                case .tell(.permissionGone(let id)): #expect(open.remove(id) != nil)
                case .giveUp: isOver = true
                default: break
                }
            }
            #expect(open.count <= AgentLimits.openRequests)
        }
        take(session.connected())
        for _ in 0..<400 where !isOver {
            switch Int.random(in: 0..<40, using: &random) {
            case 0: take(session.disconnected() + session.connected())
            case 1, 2, 3:
                guard !isInTurn else { break }
                let steps = try session.prompt("go")
                (isInTurn, asked) = (true, asked + 1)
                take(steps)
            case 4: take(session.cancel())
            case 5:
                guard let id = open.randomElement(using: &random) else { break }
                guard let steps = try? session.give(id, "x") else { break }
                open.remove(id)
                take(steps)
            default: take(session.receive(Self.line(&random).utf8))
            }
        }
        #expect(ended == (isInTurn ? asked - 1 : asked))
    }

    @Test func `what a gateway floods costs a bounded amount`() throws {
        var session = GatewaySession(name: "g", folder: "/", instance: "i")
        _ = session.connected()
        // Before it was asked anything, nothing of it is told.
        for _ in 0..<10_000 {
            #expect(session.receive(#"{"type":"text_delta","text":"flood"}"#.utf8) == [])
        }
        var steps: [GatewaySession.Step] = []
        for _ in 0...AgentLimits.unreadable { steps += session.receive("none".utf8) }
        guard case .giveUp(let error)? = steps.last else { return #expect(Bool(false), "it goes on for ever") }
        #expect(error.code == .notUnderstood && steps.count == AgentLimits.unreadable + 1)
    }

    // MARK: A shared session

    private static func event(_ random: inout SeededNumbers) -> SharedEvent {
        let text = JSONValue.string(texts.randomElement(using: &random) ?? "")
        let number = JSONValue.number(String(numbers.randomElement(using: &random) ?? 0))
        let kinds = [
            "turn_began", "text", "reasoning", "tool_call", "tool_call_changed", "plan", "permission",
            "permission_gone", "usage", "mode", "title", "other", "turn_ended", "ended", "dance",
        ]
        let object: JSONObject = [
            "kind": .string(kinds.randomElement(using: &random) ?? ""), "turn": number, "text": text, "omitted": number,
            "call": ["id": text, "title": text, "paths": [text, text], "results": [["kind": "text", "text": text]]],
            "request": number, "options": [["id": text, "kind": "allow_once"]], "input": number, "used": number,
            "size": number, "name": text, "reason": text, "code": text, "steps": [["content": text, "status": text]],
        ]
        return (try? SharedEvent(object)) ?? SharedEvent(.other, ["name": "x"])
    }

    @Test(arguments: 0..<300) func `an owner that lies makes a member hear nothing twice, and ask nothing twice`(
        seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        var member = MemberSession(session: "s", agent: "a", heard: 0)
        var (positions, prompts, resumes) = ([0], 0, 0)
        func take(_ outputs: [MemberSession.Output]) {
            #expect(outputs.count < 100)
            for output in outputs {
                switch output {
                case .event(.link(.position(let position))):
                    #expect(position > positions.last ?? 0, "seed \(seed)")
                    positions.append(position)
                case .send(.prompt): prompts += 1
                case .send(.resume): resumes += 1
                default: break
                }
            }
        }
        take(member.prompt(turn: 1, "go"))
        take(member.linked())
        for _ in 0..<300 {
            func number() -> Int {
                Bool.random(using: &random)
                    ? Int.random(in: 0..<30, using: &random)
                    : min(Self.numbers.randomElement(using: &random) ?? 0, 1 << 53 - 1)
            }
            let session = Int.random(in: 0..<8, using: &random) == 0 ? "t" : "s"
            switch Int.random(in: 0..<12, using: &random) {
            case 0: take(member.receive(.state(session: session, first: number(), last: number(), turn: 0)))
            case 1: take(member.receive(.promptRefused(session: session, turn: 9, .busy)))
            case 2: take(member.receive(.answerRefused(session: session, request: number(), .gone)))
            case 3: take(member.receive(.resume(session: session, agent: "a", after: number())))
            case 4: take(member.unlinked() + member.linked())
            default:
                let sequence = Bool.random(using: &random) ? member.heard + 1 : number()
                let event = Self.event(&random)
                // A turn that began means that the prompt is there.
                guard event.kind != .turnBegan, event.kind != .ended else { break }
                take(member.receive(.event(session: session, sequence: sequence, event)))
            }
            // It is said again only over a connection on which the owner said anew from where it goes on.
            #expect(prompts <= resumes, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<200)
    func `a member that lies moves no number back, and gets nothing twice over one connection`(
        seed: UInt64
    ) {
        var random = SeededNumbers(seed: seed)
        var log = SharedLog()
        var last = 0
        for _ in 0..<300 {
            let number = min(Self.numbers.randomElement(using: &random) ?? 0, 1 << 53 - 1)
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                guard case .state(_, let first, let newest, _) = log.follow("s", after: number) else { return }
                #expect(first <= newest + 1 && newest >= number)
                last = number
            case 1: log.received(through: number)
            case 2: log.unfollow()
            case 3:
                while let entry = log.nextToSend() {
                    #expect(entry.sequence > last, "seed \(seed)")
                    last = entry.sequence
                }
            default:
                let next = log.summary.next
                #expect(log.append([SharedEvent(.text, ["text": "x"])]).map(\.sequence) == [next])
            }
            #expect(log.summary.taken < log.summary.next && log.first <= log.summary.next)
        }
    }
}
