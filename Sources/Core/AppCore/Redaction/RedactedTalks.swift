// Sessions with agents without what was said and done in them. The names of what was shown are digests of it, so they go, too: what has no content
// any more is answered under one name.

extension AgentTalks {
    var redacted: AgentTalks {
        var talks = self
        talks.byID = byID.mapValues(\.redacted)
        talks.log = log.redacted
        return talks
    }
}

extension AgentTalk {
    var redacted: AgentTalk {
        var talk = AgentTalk(session.redacted, items: items.map(\.redacted))
        talk.live = live
        talk.live.early = live.early.map { .init(text: $0.text.shape, pictures: $0.pictures?.map(\.redacted)) }
        talk.live.detail = live.detail?.redacted
        talk.live.gone = live.gone?.map(\.redacted)
        talk.notice = notice
        return talk
    }
}

extension AgentSession {
    var redacted: AgentSession {
        var session = AgentSession(
            id: id, agent: agent, agentName: agentName.redacted, folder: folder?.redactedPath, tools: hasTools,
            createdAt: createdAt, changedAt: changedAt)
        session.thread = thread?.redactedName
        session.choosers = choosers?.map(\.redacted)
        session.chosen = chosen?.map(\.redacted)
        session.title = title.redacted
        session.isNamed = isNamed
        session.status = status
        session.end = end.map { AgentTurnEnd($0.reason, $0.failure?.redacted) }
        session.unknownSince = unknownSince
        session.turn = turn
        session.queue = queue.map {
            QueuedPrompt(
                id: $0.id, text: $0.text.shape, pictures: $0.pictures?.map(\.redacted), isHeld: $0.isHeld,
                isUnsure: $0.isUnsure)
        }
        session.pictures = pictures?.map(\.redacted)
        session.takesPictures = takesPictures
        session.draft = draft.shape
        session.policies = policies
        session.approvals = approvals.map(\.redacted)
        session.allowed = allowed.map { _ in AgentApproval.redactedName }
        session.plan = plan.map { AgentPlanStep(content: $0.content.redacted, status: $0.status.redactedKind) }
        session.forgotten = forgotten
        session.rolledBack = rolledBack
        session.next = next
        session.guest = guest
        session.summary = summary.map { AgentSummary(of: $0.of.redacted, expiresAt: $0.expiresAt) }
        session.link = link
        session.link?.answers = (link?.answers ?? []).map { .init(request: $0.request, option: $0.option?.redacted) }
        return session
    }
}

extension AgentApproval {
    /// What answers name in a report.
    static let redactedName = "redacted"

    /// Whether an answer that names this is for what is shown.
    func isNamed(by name: String) -> Bool { name == of || name == Self.redactedName && call == call.redacted }

    var redacted: AgentApproval {
        AgentApproval(
            id: id, request: request, call: call.redacted, options: options.map(\.redacted), input: input,
            askedAt: askedAt,
            expiresAt: expiresAt, of: call.redacted.substance)
    }
}

extension AgentApproval.Option {
    /// What kind of answer it is says nothing of what was said.
    fileprivate var redacted: AgentApproval.Option {
        AgentApproval.Option(id: id.redacted, kind: kind, name: name?.redacted)
    }
}

extension AgentItem {
    var redacted: AgentItem {
        AgentItem(id: id, turn: turn, at: at, changedAt: changedAt, content: content.redacted)
    }
}

extension AgentItem.Content {
    fileprivate var redacted: AgentItem.Content {
        switch self {
        case .prompt(let text, let pictures): .prompt(text: text.shape, pictures: pictures?.map(\.redacted))
        case .text(let text): .text(text: text.redacted)
        case .thought(let text): .thought(text: text.redacted)
        case .called(let call): .called(call: call.redacted)
        case .decided(let decision): .decided(decision: decision.redacted)
        case .begunAnew: .begunAnew
        case .notTakenUp: .notTakenUp
        case .usedTool(let name, let isAllowed): .usedTool(name: name.redacted, isAllowed: isAllowed)
        case .remarked(let text): .remarked(text: text.redacted)
        case .logged(let text): .logged(text: text.redacted)
        }
    }
}

extension AgentLog {
    var redacted: AgentLog {
        var log = self
        log.entries = entries.map {
            Entry(
                at: $0.at, session: $0.session, agent: $0.agent.redacted, folder: $0.folder?.redactedPath,
                decision: $0.decision.redacted)
        }
        return log
    }
}

extension AgentDecision {
    var redacted: AgentDecision {
        AgentDecision(
            verdict: verdict, title: title.redacted, kind: kind?.redactedKind, command: command?.redacted,
            paths: paths.map(\.redactedPath), of: AgentApproval.redactedName)
    }
}

extension AgentDelta {
    var redacted: AgentDelta {
        switch self {
        case .text(let text): .text(text: text.redacted)
        case .thought(let text): .thought(text: text.redacted)
        case .called(let call, let isWhole): .called(call: call.redacted, whole: isWhole)
        case .planned(let steps):
            .planned(steps: steps.map { AgentPlanStep(content: $0.content.redacted, status: $0.status.redactedKind) })
        case .asks(let request, let call, let options, let input):
            .asks(request: request, call: call.redacted, options: options.map(\.redacted), input: input)
        case .retold(let parts): .retold(parts: parts.map(\.redacted))
        case .titled(let title): .titled(title: title.redacted)
        case .opened(let thread, let goesOn): .opened(thread: thread?.redactedName, goesOn: goesOn)
        case .offers(let chooser): .offers(chooser: chooser.redacted)
        case .chose(let kind, let option): .chose(kind: kind, option: option.redactedName)
        // One of which nothing is left is none.
        case .detailed(let text): .detailed(text: text.withoutControls.redacted)
        case .remarked(let text):
            .remarked(text: CutText(text.text.withoutControls, omitted: text.omitted ?? 0).redacted)
        case .logged(let text): .logged(text: text.redacted)
        case .turnEnded(let turn, let end):
            .turnEnded(turn: turn, end: AgentTurnEnd(end.reason, end.failure?.redacted))
        case .withdrew, .used, .supervised, .position, .away, .back, .anew, .tooLate, .seesPictures, .rolledBack,
            .takesInterjections, .interjected:
            self
        }
    }
}

extension AgentCall {
    fileprivate var redacted: AgentCall {
        AgentCall(
            id: id.redactedName, title: title?.redacted, kind: kind?.redactedKind, status: status?.redactedKind,
            input: input?.redacted,
            output: output?.redacted, results: results?.map(\.redacted), paths: paths?.map(\.redactedPath))
    }
}

extension AgentCall.Result {
    fileprivate var redacted: AgentCall.Result {
        switch self {
        case .text(let text): .text(text: text.redacted)
        case .difference(let path, let old, let new):
            .difference(path: path.redactedPath, old: old?.redacted, new: new.redacted)
        case .change(let path, let lines, let added, let removed):
            .change(path: path.redactedPath, lines: lines.redacted, added: added, removed: removed)
        case .other(let name): .other(name: name.redacted)
        }
    }
}

extension CutText {
    var redacted: CutText { CutText(text.shape, omitted: omitted ?? 0) }
}

extension AgentChooser {
    fileprivate var redacted: AgentChooser {
        AgentChooser(
            kind: kind, current: current.redactedName,
            options: options.map { Option(id: $0.id.redactedName, name: $0.name.redacted) })
    }
}

extension AgentChosen {
    fileprivate var redacted: AgentChosen { AgentChosen(kind: kind, option: option.redactedName) }
}

extension AgentSetup {
    var redacted: AgentSetup {
        AgentSetup(
            tools: tools, thread: thread?.redactedName, chosen: chosen?.map(\.redacted), guest: guest, after: after,
            supervisor: supervisor, former: former, retells: retells)
    }
}

extension AgentPicture {
    var redacted: AgentPicture { AgentPicture(id: id, name: name.redacted, type: type, bytes: bytes) }
}

extension AgentRetold {
    var redacted: AgentRetold {
        switch self {
        case .asked(let text): .asked(text: text.redacted)
        case .said(let text): .said(text: text.redacted)
        case .thought(let text): .thought(text: text.redacted)
        case .called(let call): .called(call: call.redacted)
        }
    }
}

extension AgentForm {
    var redacted: AgentForm {
        var form = self
        form.name = name.redacted
        form.command = command.redacted
        form.url = url.isEmpty ? "" : url.redactedURL
        form.model = model.redacted
        form.folder = folder.redactedPath
        form.proposal = proposal?.redacted
        form.sharing?.proposal = sharing?.proposal?.redacted
        form.pairing?.address = pairing?.address.redacted ?? PairingAddress()
        return form
    }
}

extension String {
    /// A word of the protocol stays, because it decides what is shown; any other may say anything.
    fileprivate var redactedKind: String {
        let known = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"]
        return (known + ["pending", "in_progress", "completed", "failed"]).contains(self) ? self : redacted
    }

    /// The agent's name for a call, a session or a choice stays where it looks like one that a program made: they are told apart by it.
    var redactedName: String { utf8.count <= 64 && AgentID.isValid(self) ? self : redacted }

    /// A path that is one still where it was one.
    var redactedPath: String { hasPrefix("/") ? "/" + String(dropFirst()).redacted : redacted }
}
