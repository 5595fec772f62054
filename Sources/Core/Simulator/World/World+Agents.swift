import AppCore

/// What the world knows about agents: those that run, by their sessions.
struct AgentsWorld: Sendable {
    struct Running: Sendable {
        let effect: EffectID
        var turn = 0
        /// Deltas that were told.
        var told = 0
        var request = 0
        /// The call that waits for an answer.
        var asked: AgentCall?
    }

    var running: [AgentSessionID: Running] = [:]
    /// Whether the phone that used an agent was let out.
    var isPhoneOut = false
}

// Agents: programs that answer, ask, and do what programs do.

extension World {
    mutating func noticeInAgents(_ effect: Effect) {
        switch effect.kind {
        case .startAgentSession(let session, _, _, _): agents.running[session] = .init(effect: effect.id)
        case .closeAgentSession(let session): agents.running[session] = nil
        case .lock: agents.running = [:]
        default: break
        }
    }

    /// False if the effect is not for this subsystem.
    mutating func carryOutInAgents(_ effect: Effect) -> Bool {
        switch effect.kind {
        case .startAgentSession(let session, _, _, let setup):
            guard settings.agents.behaves != .missing else {
                agents.running[session] = nil
                fail(effect.id, Failure(.agentUnavailable, place: "opencode"))
                return true
            }
            tell(.agentStarted(effect: effect.id), about: effect.id)
            switch settings.agents.behaves {
            case .remembers: open(session, setup)
            case .retells: retell(session, setup)
            default: break
            }
        case .listAgentThreads(_, let folder): listThreads(effect.id, folder)
        case .readDevices(let device): readDevices(effect.id, revoking: device)
        // The person at the desktop agrees.
        case .askOnDesktop: tell(.desktopAnswered(effect: effect.id, isAccepted: true), about: effect.id)
        case .pairGateway(_, let address): pair(effect.id, address)
        case .keepPicture(_, let name, let handle):
            let picture = AgentPicture(
                id: AgentPictureID("picture-\(effect.id.number)"), name: name, type: "image/png",
                bytes: handle.utf8.count)
            tell(.pictureKept(effect: effect.id, picture: picture), about: effect.id)
        case .forgetPictures: done(effect.id)
        // What was said in a room only the disk knows: it is put in when the core is told.
        case .readForSummary(_, nil): tell(.summaryText(effect: effect.id, text: "", expiresAt: nil), about: effect.id)
        case .readForSummary(_, let id?):
            guard let note = notes[id] else {
                fail(effect.id, Failure(.noteUnknown))
                return true
            }
            let text = SummaryMaterial(note: note.text.string).text
            tell(.summaryText(effect: effect.id, text: text, expiresAt: nil), about: effect.id)
        case .giveAgent(let session, let request, _):
            answered(effect.id, session, request, isAllowed: true)
        case .promptAgent(let session, let turn, let text, _):
            agents.running[session]?.turn = turn
            done(effect.id)
            answer(text, in: session)
        case .cancelAgentTurn(let session):
            agents.running[session]?.asked = nil
            done(effect.id)
            say([end(of: session, .stopped)], in: session)
        case .answerAgent(let session, let request, let option):
            answered(effect.id, session, request, isAllowed: option == "once")
        case .chooseForAgent: done(effect.id)
        case .interject(let session, let prompt, _):
            done(effect.id)
            say([.interjected(prompt: prompt, isRead: true)], in: session)
        case .takeBackInterjection(let session, let prompt):
            done(effect.id)
            say([.interjected(prompt: prompt, isRead: false)], in: session)
        case .sendToolToBackground, .closeAgentSession, .offerAgents, .refuseMember, .forgetShare: done(effect.id)
        default: return false
        }
        return true
    }

    /// Its gateway takes one code, and no machine has a name with "offline" in it.
    private mutating func pair(_ effect: EffectID, _ address: PairingAddress) {
        guard settings.online, !address.gateway.contains("offline") else {
            return fail(effect, Failure(.gatewayUnreachable, retryable: true, place: "https://workstation:7643"))
        }
        guard address.code == "123456" || address.gateway.contains("code=123456") else {
            return fail(effect, Failure(.gatewayCodeRefused, place: "https://workstation:7643"))
        }
        let token = SecretRef("token-\(effect.number)")
        tell(
            .gatewayPaired(
                effect: effect, url: "https://workstation:7643", fingerprint: String(repeating: "9c", count: 32),
                token: token), about: effect)
    }

    /// A phone is let in until it is revoked.
    private mutating func readDevices(_ effect: EffectID, revoking device: String?) {
        if device == "phone-1" { agents.isPhoneOut = true }
        let phone = ServedDevice(id: "phone-1", name: "A phone", pairedAt: now, lastSeen: nil)
        tell(.devicesRead(effect: effect, devices: agents.isPhoneOut ? [] : [phone]), about: effect)
    }

    /// It has two sessions, if it knows any again.
    private mutating func listThreads(_ effect: EffectID, _ folder: String) {
        switch settings.agents.behaves {
        case .missing: fail(effect, Failure(.agentUnavailable, place: "opencode"))
        case .remembers, .retells:
            let threads = [
                AgentThread(id: "thread-1", title: "Mend the greeting", folder: folder, changedAt: now),
                AgentThread(id: "thread-2", title: "", folder: nil, changedAt: nil),
            ]
            tell(.agentThreadsListed(effect: effect, threads: threads), about: effect)
        default: tell(.agentThreadsListed(effect: effect, threads: nil), about: effect)
        }
    }

    /// It knows its sessions again, works in two ways and has two models.
    private mutating func open(_ session: AgentSessionID, _ setup: AgentSetup?) {
        func chooser(_ kind: AgentChooser.Kind, _ names: [String]) -> AgentChooser {
            let known = setup?.chosen?.first { $0.kind == kind }?.option
            let options = names.map { AgentChooser.Option(id: $0.lowercased(), name: $0) }
            return AgentChooser(kind: kind, current: known ?? options[0].id, options: options)
        }
        say(
            [
                .opened(thread: setup?.thread ?? "thread-of-\(session.text)", goesOn: setup?.thread != nil),
                .offers(chooser: chooser(.mode, ["Ask", "Plan"])),
                .offers(chooser: chooser(.model, ["Small", "Large"])), .takesInterjections,
            ], in: session)
    }

    /// What it did after it was lost the last time.
    private mutating func retell(_ session: AgentSessionID, _ setup: AgentSetup?) {
        let goesOn = setup?.thread != nil
        let parts: [AgentRetold] = [
            .asked(text: "go on"), .said(text: "You said: go on. And I did."),
            .called(call: AgentCall(id: "call-1", title: "Run the tests", kind: "execute", status: "completed")),
        ]
        say(
            [.opened(thread: "thread-of-\(session.text)", goesOn: goesOn)] + (goesOn ? [.retold(parts: parts)] : []),
            in: session)
    }

    /// A tool of it wants a password.
    private mutating func askForPassword(_ session: AgentSessionID) {
        guard let agent = agents.running[session] else { return }
        let number = agent.request + 1
        let call = AgentCall(id: "call-\(number)", results: [.text(text: "Password for ann:")])
        agents.running[session]?.request = number
        agents.running[session]?.asked = call
        say([.asks(request: number, call: call, options: [], input: .secret)], in: session)
    }

    private func end(of session: AgentSessionID, _ reason: AgentTurnEnd.Reason) -> AgentDelta {
        .turnEnded(turn: agents.running[session]?.turn ?? 0, end: AgentTurnEnd(reason))
    }

    private mutating func say(_ deltas: [AgentDelta], in session: AgentSessionID, after milliseconds: Int64 = 0) {
        guard let agent = agents.running[session] else { return }
        agents.running[session]?.told += deltas.count
        tell(
            .agentTold(effect: agent.effect, first: agent.told, deltas: deltas), about: agent.effect,
            after: milliseconds)
    }

    private mutating func answer(_ prompt: String, in session: AgentSessionID) {
        let hello: [AgentDelta] = [.thought(text: "It says something."), .text(text: CutText("You said: \(prompt)"))]
        switch settings.agents.behaves {
        case .answers, .missing, .remembers: say(hello + [end(of: session, .done)], in: session)
        case .asks, .changes:
            let steps = [
                AgentPlanStep(content: "Look at the file", status: "completed"),
                AgentPlanStep(content: "Change it", status: "in_progress"),
            ]
            say(hello + [.planned(steps: steps)], in: session)
            ask(session)
        case .prompts:
            say(hello, in: session)
            askForPassword(session)
        case .retells where agents.running[session]?.turn ?? 0 > 1: say(hello + [end(of: session, .done)], in: session)
        case .dies, .retells:
            say(hello, in: session)
            guard let agent = agents.running.removeValue(forKey: session) else { return }
            tell(.effectFailed(effect: agent.effect, failure: Failure(.agentEnded)), about: agent.effect)
        case .floods:
            let page = CutText(String(repeating: "All work and no play. ", count: 2000))
            for _ in 0..<100 { say([.text(text: page)], in: session) }
            say([end(of: session, .done)], in: session)
        case .reorders:
            guard let agent = agents.running[session] else { return }
            let parts = hello + [end(of: session, .done)]
            for place in [1, 0, 1, 2, 2] {
                tell(
                    .agentTold(effect: agent.effect, first: agent.told + place, deltas: [parts[place]]),
                    about: agent.effect)
            }
            agents.running[session]?.told += parts.count
        case .hangs: say(hello, in: session)
        case .breaks:
            say(hello + [.position(position: 3), .away], in: session)
            let rest: [AgentDelta] = [.text(text: " And goes on."), .position(position: 4), .back]
            say(rest + [end(of: session, .done), .position(position: 5)], in: session, after: 60_000)
        }
    }

    /// It wants to change a file.
    mutating func ask(_ session: AgentSessionID) {
        guard let agent = agents.running[session] else { return }
        let number = agent.request + 1
        let call = AgentCall(
            id: "call-\(number)", title: "Change greeting.txt", kind: "edit", status: "pending",
            results: [.difference(path: "/project/greeting.txt", old: "Hello\nWorld\n", new: "Hello\nReader\n")],
            paths: ["/project/greeting.txt"])
        agents.running[session]?.request = number
        agents.running[session]?.asked = call
        let options = [
            AgentApproval.Option(id: "once", kind: "allow_once"),
            AgentApproval.Option(id: "reject", kind: "reject_once"),
        ]
        say([.called(call: call, whole: true), .asks(request: number, call: call, options: options)], in: session)
        guard settings.agents.behaves == .changes else { return }
        var other = call
        other.results = [.difference(path: "/home/ann/.profile", old: nil, new: "something else\n")]
        say([.called(call: other, whole: false)], in: session, after: 1000)
    }

    private mutating func answered(
        _ effect: EffectID, _ session: AgentSessionID, _ request: Int, isAllowed: Bool
    ) {
        guard let agent = agents.running[session], let call = agent.asked, agent.request == request else {
            return fail(effect, Failure(.requestGone))
        }
        agents.running[session]?.asked = nil
        done(effect)
        let after = AgentCall(id: call.id, status: isAllowed ? "completed" : "failed")
        say(
            [
                .called(call: after, whole: false), .text(text: isAllowed ? "I changed it." : "Then I leave it."),
                end(of: session, .done),
            ], in: session)
    }

    mutating func observeInAgents(_ event: Event) {
        switch event {
        case .effectDone(let effect), .effectFailed(let effect, _):
            agents.running = agents.running.filter { $0.value.effect != effect }
        default: break
        }
    }
}
