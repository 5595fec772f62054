import Agents
import Errors
import Foundation

/// A conversation with an agent under way: what is typed and what the agent says goes through one ``AgentConversation``, and what comes of it
/// is shown and done.
actor AgentSession {
    private let agent: any AgentProvider
    private var conversation = AgentConversation()
    private var screen: AgentScreen
    private let signals: AgentSignals
    /// The line in which a person writes; nil if lines come from elsewhere.
    private let prompt: ChatPrompt?
    /// Whether somebody can answer the agent's requests.
    private var isSomebodyThere: Bool
    private var isStopping = false
    /// Requests that were rejected because nobody was there.
    private(set) var unasked = 0
    /// Why the agent ended.
    private var failure: AgentError?
    /// Something may be over.
    private let (steps, stepped) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(
        _ agent: any AgentProvider, screen: AgentScreen, signals: AgentSignals, prompt: ChatPrompt?,
        isSomebodyThere: Bool
    ) {
        (self.agent, self.screen, self.signals) = (agent, screen, signals)
        (self.prompt, self.isSomebodyThere) = (prompt, isSomebodyThere)
    }

    /// The whole answer of the last turn, as far as it is kept.
    var answer: String { screen.answer }
    var status: AgentConversation.Status { conversation.status }

    /// Runs until the person ends it, nothing more is typed, or the agent is over.
    /// - Parameters:
    ///   - first: what is asked at once; then this is all that is asked.
    ///   - lines: what is typed.
    /// - Throws: ``AgentError`` if the agent does not start, or was lost.
    func run(first: String?, lines: AsyncStream<TypedLine>?) async throws {
        screen.draw(conversation)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.converse(first, lines) }
                group.addTask { await self.followSignals() }
                try await group.next()
                group.cancelAll()
                // An agent that is only starting would be waited for.
                await agent.stop()
            }
        } catch {
            await agent.stop()
            screen.endLine()
            await showLog()
            throw error
        }
        screen.endLine()
        guard let failure else { return }
        await showLog()
        throw failure
    }

    private func converse(_ first: String?, _ lines: AsyncStream<TypedLine>?) async throws {
        try await agent.start()
        guard !Task.isCancelled else { return }
        if let first {
            await perform([conversation.ask(first)])
        } else {
            screen.tell("\(screen.name) is ready. /help lists what can be typed.")
        }
        await withTaskGroup { group in
            group.addTask { await self.listen() }
            group.addTask { await self.read(lines, isOnly: first != nil) }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: The agent

    private func listen() async {
        while let event = await agent.events.next() {
            await perform(conversation.take(event, now: Int64(Date().timeIntervalSince1970 * 1000)))
            if conversation.isOver { return }
        }
    }

    private func perform(_ changes: [AgentChange]) async {
        var rest = changes[...]
        while let change = rest.popFirst() {
            screen.show(change)
            switch change {
            case .send(let text):
                isStopping = false
                do { try await agent.prompt(text) } catch { rest += conversation.promptFailed(error) }
            case .answer(let answer): await give(answer)
            case .asks(let request): if !isSomebodyThere { await reject(request) }
            case .ended(let error): failure = error
            default: break
            }
        }
        screen.draw(conversation)
        stepped.yield()
    }

    private func give(_ answer: AgentAnswer) async {
        do { try await agent.answer(answer.id, option: answer.option) } catch {
            screen.complain("request \(answer.id.number) is gone; nothing was allowed")
        }
    }

    private func reject(_ request: AgentRequest) async {
        guard let answer = conversation.answer(request.id, .reject) else { return }
        unasked += 1
        screen.complain("nobody is here to be asked")
        await perform([.answer(answer)])
    }

    /// What the program said on its standard error says why it ended.
    private func showLog() async {
        guard let log = await (agent as? ACPAgent)?.standardError, !log.isEmpty else { return }
        let lines = log.split(separator: "\n").suffix(10).joined(separator: "\n")
        Terminal.log("its log ends with:\n  \(.text(lines, margin: "  "))")
    }

    // MARK: The person

    private func read(_ lines: AsyncStream<TypedLine>?, isOnly: Bool) async {
        guard let lines else { return await untilIdle() }
        if isOnly {
            await withTaskGroup { group in
                group.addTask { await self.take(lines, isOnly: true) }
                group.addTask { await self.untilIdle() }
                // Without an answer of the person the turn can still end.
                while await group.next() != nil, conversation.isInTurn {}
                group.cancelAll()
            }
        } else {
            await take(lines, isOnly: false)
        }
    }

    /// Takes what is typed, until the person ends it.
    private func take(_ lines: AsyncStream<TypedLine>, isOnly: Bool) async {
        for await line in lines {
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
        for request in conversation.open { await reject(request) }
        stepped.yield()
        if prompt == nil { await untilIdle() }
    }

    /// - Returns: false at the end.
    private func take(_ input: AgentInput) async -> Bool {
        switch input {
        case .ask(let text): await perform([conversation.ask(text)])
        case .choose(let choice, let number): await choose(choice, number)
        case .stop: await stopTurn()
        case .thoughts: screen.showThoughts()
        case .help: screen.tell(AgentInput.manual)
        case .quit: return false
        case .nothing: break
        case .mistaken(let hint): screen.complain(hint)
        case .unsayable(let reason): screen.complain("Not asked: \(reason)")
        }
        return true
    }

    private func choose(_ choice: AgentChoice, _ number: Int?) async {
        let open = conversation.open
        guard let request = number == nil && open.count == 1 ? open[0] : open.first(where: { $0.id.number == number })
        else {
            let words = number.map { "request \($0) is gone, or there was none" }
            return screen.complain(words ?? (open.isEmpty ? "there is no request" : "say which: /reject N"))
        }
        guard let answer = conversation.answer(request.id, choice) else {
            return screen.complain("request \(request.id.number) does not take this answer")
        }
        await perform([.answer(answer)])
    }

    private func stopTurn() async {
        guard conversation.isInTurn else { return screen.complain("nothing is under way") }
        isStopping = true
        for text in conversation.dropQueue() { screen.show(.refused(text, .turnFailed)) }
        screen.draw(conversation)
        await agent.cancel()
    }

    /// Waits until no turn is under way.
    private func untilIdle() async {
        if !conversation.isInTurn { return }
        for await _ in steps where !conversation.isInTurn { return }
    }

    /// Control-C stops a turn. Without one, the second time, and for other signals it ends the conversation.
    private func followSignals() async {
        for await number in signals.arrivals {
            guard number == SIGINT, conversation.isInTurn, !isStopping else { return }
            await stopTurn()
        }
    }
}
