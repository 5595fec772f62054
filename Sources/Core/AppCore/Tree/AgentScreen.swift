extension Presentation {
    /// A session with an agent: what was said and done, what it asks, and where to write.
    func agentScreen(_ talk: AgentTalk) -> SemanticNode {
        let session = talk.session
        var nodes: [SemanticNode] = [
            status(talk),
            .button("agent.settings", .app(.navigate(to: Screen(.sessionSettings, session: session.id)))),
            .button(
                "agent.stop", .agents(.stopAgent(session: session.id)),
                isEnabled: session.isInTurn && !talk.live.isStopping, isBusy: talk.live.isStopping),
        ]
        if talk.canSendToBackground {
            nodes.append(.button("agent.background", .agents(.sendToolToBackground(session: session.id))))
        }
        if session.status == .unknown {
            nodes.append(SemanticNode(.banner, "agent.lost", detail: session.end?.failure.map { Words($0) }))
        } else if let failure = session.end?.failure {
            nodes.append(SemanticNode(.banner, "agent.problem", Words(failure)))
        }
        if !session.plan.isEmpty { nodes.append(plan(session.plan)) }
        nodes.append(items(talk))
        nodes += session.approvals.map { approval($0, of: session.id) }
        if !session.queue.isEmpty { nodes.append(queue(talk)) }
        // Only the member asks in a session of theirs.
        if session.guest == nil { nodes += composer(talk) }
        return page("agent", session.titleWords, nodes)
    }

    private func status(_ talk: AgentTalk) -> SemanticNode {
        let session = talk.session
        var facts = Facts()
        facts.session = session.shownStatus
        let details: [Words?] = [
            .said(agents.byID[session.agent]?.name ?? session.agentName), session.folder.map { .said($0) },
            guestWords(session), talk.live.detail.map { .said($0) },
            talk.live.tokens.map { tokens in
                talk.live.window.map { .key("agent.tokens.of", ["count": .count(tokens), "size": .count($0)]) }
                    ?? .key("agent.tokens", ["count": .count(tokens)])
            },
        ]
        return SemanticNode(
            .status, "agent.status", talk.statusWords, detail: Words(listing: details),
            isBusy: session.shownStatus == .running
        ).with(facts)
    }

    private func plan(_ steps: [AgentPlanStep]) -> SemanticNode {
        let done = steps.count(where: \.isDone)
        let rows = steps.enumerated().map { place, step in
            SemanticNode(
                .text, "plan.\(place)", .said(step.content), detail: step.statusWords, isSelected: step.isDone,
                isBusy: step.status == "in_progress")
        }
        let counts: [String: Words.Arg] = ["done": .count(done), "count": .count(steps.count)]
        return SemanticNode(.section, "agent.plan", detail: .key("agent.plan.done", counts), rows)
    }

    /// What was said and done, as far as it is wanted.
    private func items(_ talk: AgentTalk) -> SemanticNode {
        var list = SemanticNode(.list, "agent.items")
        if talk.session.forgotten > 0 {
            list.detail = .key("agent.forgotten", ["count": .count(talk.session.forgotten)])
        }
        var rows = talk.items.indices
        if let request = windows[list.id] {
            let place = request.anchor.flatMap { anchor in talk.items.firstIndex { "item.\($0.id)" == anchor } }
            rows = request.rows(of: talk.items.count, around: place)
            list.window = Window(count: talk.items.count, first: rows.lowerBound)
        }
        let turn = talk.session.isInTurn ? talk.session.turn : nil
        list.children = ChunkedArray(
            talk.items[rows].map { node($0, talk.session.agentName, isOver: $0.turn != turn) })
        return list
    }

    private func queue(_ talk: AgentTalk) -> SemanticNode {
        SemanticNode(.section, "agent.queue", talk.session.queue.map { queued($0, talk) })
    }

    private func queued(_ prompt: QueuedPrompt, _ talk: AgentTalk) -> SemanticNode {
        let (id, session) = ("queued.\(prompt.id)", talk.session.id)
        let interjection = talk.live.interjection.flatMap { $0.prompt == prompt.id ? $0 : nil }
        func button(_ name: String, _ label: Words, _ action: AgentAction, isEnabled: Bool = true) -> SemanticNode {
            .button("\(id).\(name)", label, .agents(action), isEnabled: isEnabled)
        }
        var buttons = [
            button(
                "withdraw", "agent.withdraw", .withdrawPrompt(session: session, prompt: prompt.id),
                isEnabled: interjection?.isWithdrawn == nil)
        ]
        if let interjection {
            buttons.append(
                button(
                    "wait", "agent.take_back", .takeBackPrompt(session: session, prompt: prompt.id),
                    isEnabled: interjection.isTakenBack == nil))
        } else if prompt.isHeld {
            buttons.append(
                button(
                    "ask", "agent.ask_queued", .askQueued(session: session, prompt: prompt.id),
                    isEnabled: storageFailure == nil))
        } else if prompt.pictures == nil, talk.canInterject {
            buttons.append(
                button("interject", "agent.interject", .interjectPrompt(session: session, prompt: prompt.id)))
        }
        let state: Words =
            interjection?.isTakenBack == true
            ? "agent.queued.taken_back"
            : interjection != nil
                ? "agent.queued.interjected"
                : prompt.isHeld ? prompt.isUnsure == true ? "agent.queued.unsure" : "agent.queued.held" : "agent.queued"
        return SemanticNode(
            .section, id, state, value: .text(prompt.text), detail: prompt.pictures?.words, buttons)
    }

    private func composer(_ talk: AgentTalk) -> [SemanticNode] {
        let session = talk.session
        let canAsk = agents.byID[session.agent] != nil || talk.live.effect != nil
        var draft = SemanticNode.field(
            "agent.draft", text: session.draft, .agents(.setPrompt(session: session.id, text: "")), input: "text",
            kind: .longText, isEnabled: canAsk, isFocused: true)
        if !canAsk { draft.detail = Wording.agentGone }
        let pictures = (session.pictures ?? []).map { picture in
            node(
                picture,
                [
                    .button(
                        "picture.\(picture.id.text).detach", .key("agent.detach"),
                        .agents(.detachFromPrompt(session: session.id, picture: picture.id)))
                ])
        }
        let isKeeping = pendingEffects.contains { if case .keepPicture(session.id, _, _) = $0 { true } else { false } }
        let takesPictures = session.takesPictures != false
        return [
            draft, SemanticNode(.section, "agent.pictures", isBusy: isKeeping, pictures),
            SemanticNode(
                .button, "agent.attach", detail: takesPictures ? nil : Wording.agentTakesNoPictures,
                isEnabled: canAsk && takesPictures && storageFailure == nil,
                offers: [
                    Offer(
                        .attach, .agents(.attachToPrompt(session: session.id, name: "", bytes: 0, handle: "")),
                        inputs: ["name": .text, "bytes": .number, "handle": .file])
                ]),
            .button(
                "agent.ask", .agents(.askAgent(session: session.id, text: session.draft)),
                isEnabled: canAsk && storageFailure == nil && !isKeeping && !session.draft.trimmed.isEmpty),
        ]
    }

    // MARK: - What is set for it

    func sessionSettingsScreen(_ talk: AgentTalk) -> SemanticNode {
        let session = talk.session
        var name = SemanticNode.field(
            "session_settings.name", text: session.title,
            .agents(.renameAgentSession(session: session.id, title: "")), input: "title")
        // What it is called as long as nobody has named it is said in the language of whoever reads it.
        if session.title.isEmpty { name.detail = session.titleWords }
        var nodes = [name]
        nodes += (session.choosers ?? []).map { chooser($0, of: session.id) }
        nodes += AgentPolicies.Kind.allCases.map { kind in
            let choices = AgentPolicy.allCases.map { policy in
                let isChosen = session.policies[kind] == policy
                return SemanticNode(
                    .choice, "session_settings.\(kind.rawValue).\(policy.rawValue)",
                    .key("agent_policy.\(policy.rawValue)"), isEnabled: !isChosen, isSelected: isChosen,
                    offers: [.tap(.agents(.setAgentPolicy(session: session.id, kind: kind, policy: policy)))])
            }
            return SemanticNode(.section, "session_settings.\(kind.rawValue)", choices)
        }
        nodes += [
            SemanticNode(.text, "session_settings.about"),
            .button(
                "session_settings.close", .agents(.closeAgentSession(session: session.id)),
                isEnabled: talk.live.effect != nil),
            .button("session_settings.remove", .agents(.removeAgentSession(session: session.id))),
        ]
        return page("session_settings", nodes)
    }

    /// What the agent lets the person choose. The names are the agent's.
    private func chooser(_ chooser: AgentChooser, of session: AgentSessionID) -> SemanticNode {
        let id = "session_settings.\(chooser.kind.rawValue)"
        let choices = chooser.options.enumerated().map { place, option in
            let isChosen = option.id == chooser.current
            return SemanticNode(
                .choice, "\(id).\(place)", .said(option.name.isEmpty ? option.id : option.name), isEnabled: !isChosen,
                isSelected: isChosen,
                offers: [.tap(.agents(.chooseForAgent(session: session, kind: chooser.kind, option: option.id)))])
        }
        return SemanticNode(.section, id, choices)
    }
}
