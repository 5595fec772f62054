import AppCore
import Foundation
import Host

/// A session with an agent in this terminal: what is typed becomes actions, what is new in the session becomes lines.
actor AgentChat {
    let host: any ProfileHost
    let id: AgentSessionID
    private(set) var screen: AgentScreen
    private(set) var follower: AgentFollower
    private let signals: AgentSignals
    /// The line in which a person writes; nil if lines come from elsewhere.
    let prompt: ChatPrompt?
    /// Whether somebody can answer the agent's questions.
    private var isSomebodyThere: Bool
    private var isStopping = false
    /// Questions that were rejected because nobody was there.
    private(set) var unasked = 0
    private var rejected: Set<Int> = []
    /// The request for which the next line is.
    var givesTo: AgentQuestion?
    /// How the last turn ended, and since when it is not known what was done in it.
    private(set) var end: AgentTurnEnd?
    private(set) var lost: (since: Timestamp, failure: Failure?)?

    /// - Parameter talk: the session as it is now.
    init(
        _ host: any ProfileHost, _ talk: AgentTalk, tellsLastTurn: Bool, screen: AgentScreen, signals: AgentSignals,
        prompt: ChatPrompt?, isSomebodyThere: Bool
    ) {
        (self.host, id, self.screen, self.signals) = (host, talk.id, screen, signals)
        (self.prompt, self.isSomebodyThere) = (prompt, isSomebodyThere)
        follower = AgentFollower(talk, from: tellsLastTurn ? talk.session.turn : .max)
    }

    /// Runs until the person leaves, or nothing more is typed.
    /// - Parameters:
    ///   - first: what is asked at once; then this is all that is asked.
    ///   - images: the files of pictures that go along with it.
    ///   - lines: what is typed.
    /// - Throws: ``CommandFailure`` if it cannot be asked, or the session is gone.
    func run(first: String?, images: [String] = [], lines: AsyncStream<TypedLine>?) async throws {
        screen.draw(follower)
        for image in images { try await attach(image) }
        if let first { try await ask(first) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.follow() }
            group.addTask { await self.read(lines, isOnly: first != nil) }
            group.addTask { await self.followSignals() }
            try await group.next()
            group.cancelAll()
        }
        // What came while the rest was ending.
        _ = await step()
        screen.endLine()
    }

    // MARK: The session

    private func follow() async throws {
        for await _ in await host.changes() {
            guard await step() || Task.isCancelled else { throw await whyGone() }
        }
        guard !Task.isCancelled else { return }
        throw await ended() ?? HostEnd.failure("the host process has ended")
    }

    /// Why nothing more comes of the host process; nil while something may.
    private func ended() async -> CommandFailure? {
        let words = ["alcove", "agent", "chat", follower.session.agentName, "--session", String(id.text.prefix(8))]
        return await host.failure(next: "go on in another one with: \(ShellWords.written(words))")
    }

    private func whyGone() async -> CommandFailure {
        if let failure = await ended() { return failure }
        return await host.read(\.lock.isLocked)
            ? CommandFailure("the profile is locked; open the session again to unlock it", .noPermission)
            : CommandFailure("the session was deleted", .unavailable)
    }

    /// Shows what is new.
    /// - Returns: false if the session is gone.
    @discardableResult
    func step() async -> Bool {
        guard let talk = await host.talk(id, from: follower.last, since: follower.changedAt) else { return false }
        for news in follower.take(talk) {
            screen.show(news)
            switch news {
            case .asked: (end, lost, isStopping) = (nil, nil, false)
            case .turnEnded(let why): end = why
            case .lost(let since, let failure): lost = (since, failure)
            default: break
            }
        }
        if !isSomebodyThere { await rejectAll() }
        screen.draw(follower)
        return true
    }

    private func rejectAll() async {
        for question in follower.questions where rejected.insert(question.number).inserted {
            unasked += 1
            screen.complain("nobody is here to be asked")
            await answer(question, .reject)
        }
    }

    private func answer(_ question: AgentQuestion, _ choice: AgentChoice) async {
        let approval = question.approval
        do {
            try await host.change(
                agents: .answerAgent(session: id, approval: approval.id, of: approval.of, choice: choice))
        } catch { screen.complain("request \(question.number) is gone; nothing was allowed") }
    }

    // MARK: The person

    private func read(_ lines: AsyncStream<TypedLine>?, isOnly: Bool) async {
        guard let lines else { return await untilIdle() }
        guard isOnly else { return await take(lines, isOnly: false) }
        await withTaskGroup { group in
            group.addTask { await self.take(lines, isOnly: true) }
            group.addTask { await self.untilIdle() }
            // Without an answer of the person the turn can still end.
            await group.next()
            group.cancelAll()
        }
    }

    /// Takes what is typed, until the person leaves.
    private func take(_ lines: AsyncStream<TypedLine>, isOnly: Bool) async {
        for await line in lines {
            if let question = givesTo {
                await give(question, line)
                continue
            }
            let input = AgentInput(line)
            if isOnly, case .ask = input {
                screen.complain("answer with /allow N or /reject N; /stop stops the turn")
            } else if await !take(input) {
                return
            }
        }
        guard !Task.isCancelled else { return }
        // Nobody can answer any more. What was asked is still answered.
        (isSomebodyThere, screen.isSomebodyThere) = (false, false)
        await rejectAll()
        if prompt == nil { await untilIdle() }
    }

    /// - Returns: false at the end.
    private func take(_ input: AgentInput) async -> Bool {
        switch input {
        case .ask(let text):
            do { try await ask(text) } catch {
                if prompt?.putBack(text) != true { screen.complain("You wrote: \(text)") }
                screen.complain("Not asked: \(error.explanation)")
            }
        case .choose(let choice, let number): await choose(choice, number)
        case .give(let number): beginGiving(number)
        case .picture(let file): await take(picture: file)
        case .stop: await stopTurn()
        case .held(let isAsked): await settleHeld(isAsked: isAsked)
        case .interject(let isTakenBack): await interject(isTakenBack: isTakenBack)
        case .background: await sendToolToBackground()
        case .set(let kind, let name): await set(kind, name)
        case .policy(let kind, let policy): await set(kind, policy)
        case .policies: screen.tell(follower.session.policies.text)
        case .thoughts: screen.showThoughts()
        case .help: screen.tell(AgentInput.manual)
        case .quit: return false
        case .nothing: break
        case .mistaken(let hint): screen.complain(hint)
        case .unsayable(let reason): screen.complain("Not asked: \(reason)")
        }
        return true
    }

    private func ask(_ text: String) async throws(CommandFailure) {
        guard text.utf8.count <= AgentTalkLimits.promptBytes else {
            throw CommandFailure("a question has at most 256 KiB; write it into a file, and name that", .usage)
        }
        guard follower.session.guest == nil else {
            throw CommandFailure("in this session only the person asks with whom you share the agent", .usage)
        }
        try await host.change(agents: .askAgent(session: id, text: text))
    }

    private func choose(_ choice: AgentChoice, _ number: Int?) async {
        let open = follower.questions
        guard let question = number == nil && open.count == 1 ? open[0] : open.first(where: { $0.number == number })
        else {
            let words = number.map { "request \($0) is gone, or there was none" }
            return screen.complain(words ?? (open.isEmpty ? "there is no request" : "say which: /reject N"))
        }
        guard question.approval.choices.contains(choice) else {
            return screen.complain("request \(question.number) does not take this answer")
        }
        await answer(question, choice)
    }

    private func stopTurn() async {
        guard follower.session.isInTurn else { return screen.complain("nothing is under way") }
        isStopping = true
        await host.dispatch(.agents(.stopAgent(session: id)))
    }

    private func settleHeld(isAsked: Bool) async {
        let held = follower.session.queue.filter(\.isHeld)
        if held.isEmpty { screen.complain("nothing is held") }
        for prompt in held {
            await host.dispatch(
                .agents(
                    isAsked
                        ? .askQueued(session: id, prompt: prompt.id) : .withdrawPrompt(session: id, prompt: prompt.id)))
        }
    }

    /// Which agent takes that, and when, only the core knows.
    private func interject(isTakenBack: Bool) async {
        guard let talk = await host.read({ [id] in $0.talks[id] }) else { return }
        let queue = talk.session.queue
        let given = queue.first { talk.isInterjecting($0.id) }
        if isTakenBack {
            guard let given else {
                return screen.complain("nothing was said in the middle of the turn that is not read")
            }
            return await host.dispatch(.agents(.takeBackPrompt(session: id, prompt: given.id)))
        }
        guard given == nil else { return screen.complain("one is on its way already; /later takes it back") }
        guard let prompt = queue.first(where: { !$0.isHeld && $0.pictures == nil }) else {
            return screen.complain("nothing waits that could be said now")
        }
        do { try await host.change(agents: .interjectPrompt(session: id, prompt: prompt.id)) } catch {
            return screen.complain("\(error.explanation)")
        }
        let isTaken = await host.read { [id] state in
            let now = state.talks[id]
            return now?.isInterjecting(prompt.id) == true || now?.session.queue.contains { $0.id == prompt.id } == false
        }
        if !isTaken { screen.complain("this agent takes nothing in the middle of a turn; it waits for the end") }
    }

    private func sendToolToBackground() async {
        guard await host.read({ [id] in $0.talks[id]?.canSendToBackground == true }) else {
            return screen.complain("no tool runs that could go on in the background")
        }
        await host.dispatch(.agents(.sendToolToBackground(session: id)))
    }

    /// Chooses among what the agent offers, by its name or its id, or says what that is.
    private func set(_ kind: AgentChooser.Kind, _ name: String?) async {
        guard let chooser = follower.session.choosers?.first(where: { $0.kind == kind }) else {
            return screen.complain(
                "the agent offers no \(kind.rawValue)s, or has not said so yet: it does when it is asked first")
        }
        guard let name else {
            let lines: [TerminalText] = chooser.options.map { option in
                "    [\(option.id == chooser.current ? "x" : " ")] \(option.name)"
            }
            return screen.tell(.joined(["/\(kind.rawValue) NAME chooses one:"] + lines, by: "\n"))
        }
        let named =
            chooser.options.filter { $0.id == name } + chooser.options.filter { CalledByName(name).means($0.name) }
        guard let option = named.first else {
            return screen.complain("there is no \(kind.rawValue) \(name); /\(kind.rawValue) lists what there is")
        }
        do {
            try await host.change(agents: .chooseForAgent(session: id, kind: kind, option: option.id))
            screen.tell("\(kind.rawValue): \(option.name)")
        } catch { screen.complain("\(error.explanation)") }
    }

    /// Waits until no turn is under way.
    private func untilIdle() async {
        for await _ in await host.changes() {
            let now = await host.talk(id, from: .max, since: Timestamp(milliseconds: .max))?.session
            guard now?.isInTurn == true else { return }
        }
    }

    /// Control-C stops a turn. Without one, the second time, and for other signals it ends the conversation.
    private func followSignals() async {
        for await number in signals.arrivals {
            guard number == SIGINT, follower.session.isInTurn, !isStopping else { return }
            await stopTurn()
        }
    }
}
