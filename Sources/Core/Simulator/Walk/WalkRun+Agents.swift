import AppCore

// Agents that say what they like, whenever they like.

extension WalkRun {
    mutating func haveTheAgentDoSomething(_ effect: EffectID) throws {
        if chance(10) { return try tell(.agentStarted(effect: effect)) }
        if chance(5) { return try tell(.effectDone(effect: effect)) }
        let deltas = (0..<Int.random(in: 1...4, using: &random)).map { _ in anyDelta() }
        let first = chance(80) ? agentsHeard(effect) : Int.random(in: -2...40, using: &random)
        try tell(.agentTold(effect: effect, first: first, deltas: deltas))
    }

    /// Deltas that the core has heard under this effect.
    private func agentsHeard(_ effect: EffectID) -> Int {
        var heard = 0
        for entry in simulation.log.entries {
            if case .event(.agentTold(effect, let first, let deltas)) = entry.input.action {
                heard = max(heard, first + deltas.count)
            }
        }
        return heard
    }

    private mutating func anyDelta() -> AgentDelta {
        switch Int.random(in: 0..<24, using: &random) {
        case 22: .takesInterjections
        case 23: .interjected(prompt: Int.random(in: 0...40, using: &random), isRead: chance(50))
        case 21: chance(50) ? .detailed(text: chance(80) ? "waits\u{202E}" : "") : .remarked(text: "a \u{0}remark")
        case 20: .rolledBack(whole: chance(50))
        case 18: .seesPictures(sees: chance(50))
        case 19:
            .retold(
                parts: (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: .asked(text: chance(50) ? "go" : "said ")
                    case 1: .thought(text: "thought")
                    case 2: .called(call: anyCall())
                    default: .said(text: CutText(chance(50) ? "said said said" : "said", omitted: chance(10) ? 3 : 0))
                    }
                })
        case 16: [.away, .back, .anew, .tooLate(request: 3)].randomElement(using: &random) ?? .away
        case 11:
            chance(80)
                ? .position(position: Int.random(in: -2...100, using: &random))
                : .supervised(by: "supervisor \(Int.random(in: 0...3, using: &random))")
        case 0, 1: .text(text: CutText(chance(90) ? "said " : "", omitted: chance(10) ? 7 : 0))
        case 2: .thought(text: "\u{202E}thought")
        case 3, 4: .called(call: anyCall(), whole: chance(50))
        case 5: .planned(steps: [AgentPlanStep(content: "step", status: chance(50) ? "completed" : "?")])
        case 6, 7, 8:
            .asks(
                request: Int.random(in: 0...30, using: &random), call: anyCall(),
                options: ["allow_once", "allow_always", "reject_once", "?"].filter { _ in chance(60) }.map {
                    AgentApproval.Option(id: $0, kind: $0)
                }, input: chance(10) ? .secret : nil)
        case 9: .withdrew(request: Int.random(in: 0...30, using: &random))
        case 10: .titled(title: chance(80) ? "A title" : "\u{0}")
        case 12: .opened(thread: chance(70) ? "thread-1" : nil, goesOn: chance(50))
        case 13: .offers(chooser: anyChooser())
        case 14: .chose(kind: chance(50) ? .mode : .model, option: chance(70) ? "plan" : "?")
        case 15: .logged(text: CutText("its log", omitted: chance(10) ? 9 : 0))
        default:
            .turnEnded(
                turn: Int.random(in: 0...6, using: &random),
                end: AgentTurnEnd(AgentTurnEnd.Reason.allCases.randomElement(using: &random) ?? .done))
        }
    }

    mutating func someAgentSession() -> AgentSessionID? {
        (simulation.core as? BuiltInCore)?.driver.state.talks.inOrder.map(\.id).randomElement(using: &random)
    }

    private mutating func anyChooser() -> AgentChooser {
        let options = ["ask", "plan", "", "a\u{202E}b"].filter { _ in chance(70) }
        return AgentChooser(
            kind: chance(50) ? .mode : .model, current: options.first ?? "ask",
            options: options.map { AgentChooser.Option(id: $0, name: chance(80) ? "Name of \($0)" : "") })
    }

    /// A member of the circle offers agents, and wants something of ours: also what was never shared.
    mutating func haveThePeerShareAgents(_ room: RoomID) throws {
        guard chance(60) else {
            let shares = ["one", "two", "\(UInt8.random(in: 0...255, using: &random))"].filter { _ in chance(50) }
            let offers = shares.map { AgentOffer(share: AgentShareID($0), name: $0, readOnly: chance(50)) }
            return try tell(.agentsOffered(room: room, agents: offers))
        }
        let known = (simulation.core as? BuiltInCore)?.driver.state.agents.inOrder.flatMap(\.shares).randomElement(
            using: &random)
        let share = chance(80) ? known?.id ?? "none" : "none"
        let session = AgentSessionID(chance(50) ? "s1" : "s2")
        let wish: MemberWish =
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                .asks(
                    share: share, turn: Int.random(in: -1...6, using: &random), text: chance(90) ? "go" : "",
                    pictures: chance(20) ? [anyPicture()] : nil)
            case 3:
                .answers(
                    request: Int.random(in: 0...30, using: &random),
                    option: ["allow_once", "allow_always", "reject_once", nil].randomElement(using: &random) ?? nil)
            case 4: .stops(turn: Int.random(in: 0...6, using: &random))
            default: .closes
            }
        try tell(.memberWants(room: room, session: session, wish: wish))
    }

    private mutating func anyPicture() -> AgentPicture {
        AgentPicture(
            id: AgentPictureID("p\(Int.random(in: 0...3, using: &random))"), name: "a\u{202E}.png", type: "image/png",
            bytes: chance(90) ? 100 : -1)
    }

    private mutating func anyCall() -> AgentCall {
        AgentCall(
            id: chance(80) ? "a" : "b", title: chance(80) ? "Change it" : nil,
            kind: ["edit", "read", "execute", "?"].randomElement(using: &random), status: chance(50) ? "pending" : nil,
            input: chance(50) ? "{}" : nil,
            results: chance(40) ? [.difference(path: "/project/a", old: "a", new: chance(50) ? "b" : "c")] : nil,
            paths: chance(40) ? ["/project/a"] : nil)
    }
}
