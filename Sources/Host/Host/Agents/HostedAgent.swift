import Agents
import AppCore

/// The agent of one session, from its start to its end. It does one wish after the other, and tells what the agent says in batches.
final class HostedAgent: Sendable {
    /// What is wanted of it. The effect is answered when it is done.
    enum Wish: Sendable {
        case prompt(EffectID, AgentPrompt)
        case cancel(EffectID)
        case answer(EffectID, request: Int, option: String?)
        /// Gives a tool what it wants, which is kept nowhere.
        case give(EffectID, request: Int, String)
        case choose(EffectID, AgentChosen)
        /// Says something in the middle of the turn, and takes it back.
        case interject(EffectID, Int, String)
        case takeBack(EffectID, Int)
        case toBackground(EffectID)
        /// Without an effect nobody waits for it.
        case close(EffectID?)
        /// It has started, or never will.
        case started(Result<Void, AgentError>)
        /// It has what was chosen before, and can be prompted.
        case ready
    }

    private let provider: any AgentProvider
    private let wishes: AsyncStream<Wish>.Continuation
    private let work: Task<Void, Never>

    /// Starts an agent.
    /// - Parameters:
    ///   - places: where the places lead that it names, if it is an agent of this machine.
    ///   - turn: the turn that is under way, or begins.
    ///   - goesOn: whether the agent may have begun it before this process.
    ///   - chosen: what the person chose in the session before.
    ///   - before: the agent that the session had, which has to be gone first.
    ///   - tell: tells the core something, if anything, returns when the core has heard it, and says whether all is on the disk.
    init(
        _ effect: EffectID, _ provider: any AgentProvider, name: String, places: AgentPlaces? = nil, turn: Int = 0,
        goesOn: Bool = false, chosen: [AgentChosen] = [], after before: HostedAgent?,
        tell: @escaping @Sendable (Event?) async -> Bool
    ) {
        self.provider = provider
        let (stream, wishes) = AsyncStream<Wish>.makeStream()
        self.wishes = wishes
        let session = RunningAgent(
            effect, provider, name: name, places: places, turn: turn, goesOn: goesOn, tell: tell)
        work = Task {
            await before?.end()
            let start = Task {
                do throws(AgentError) {
                    try await provider.start()
                } catch {
                    wishes.yield(.started(.failure(error)))
                    return
                }
                wishes.yield(.started(.success(())))
                // It may take its time, and can be stopped meanwhile. What it does not offer any more is not chosen.
                // One that was asked already has what was chosen.
                for choice in await provider.hasBegun ? [] : chosen {
                    try? await provider.choose(.init(choice.kind), choice.option)
                }
                wishes.yield(.ready)
            }
            let reader = Task { await session.read() }
            let doer = Task { for await wish in stream { await session.perform(wish) } }
            await reader.value
            await start.value
            // What is wanted of it now is not done any more, and answered.
            wishes.finish()
            await doer.value
        }
    }

    /// - Returns: false if it is over, and does nothing any more.
    @discardableResult
    func take(_ wish: Wish) -> Bool {
        if case .close(let id) = wish { closeIfStuck(leaving: id == nil) }
        return if case .enqueued = wishes.yield(wish) { true } else { false }
    }

    /// How long it may take until what was wanted before it is closed is done.
    private static let patience = Duration.seconds(15)

    /// An agent that answers nothing would keep what is wanted next waiting, and this process from ending.
    private func closeIfStuck(leaving: Bool) {
        Task { [provider] in
            try? await Task.sleep(for: Self.patience)
            if leaving { await provider.leave() } else { await provider.stop() }
        }
    }

    /// Returns when the agent is gone.
    func end() async { await work.value }
}

/// What is known of an agent that runs.
private actor RunningAgent {
    private let effect: EffectID
    private let provider: any AgentProvider
    private let name: String
    private let places: AgentPlaces?
    private let store: @Sendable (Event?) async -> Bool
    private var isReady = false
    private var isOver = false
    /// The turn that was begun last.
    private var turn: Int
    /// Whether that may have been before this process.
    private let goesOn: Bool
    private var isLeaving = false
    private var hasToldPictures = false
    private var hasToldInterjections = false
    /// What was told and is not on the disk yet.
    private var unkept: Int?
    /// A prompt that waits for the start.
    private var waiting: (effect: EffectID, prompt: AgentPrompt)?
    /// What else waits for it.
    private var held: [HostedAgent.Wish] = []
    /// Deltas that were told.
    private var told = 0

    /// Milliseconds between two batches: as often as a screen shows another picture.
    private static let beat = Duration.milliseconds(16)
    /// Bytes of a batch, about.
    private static let batchBytes = 256 << 10

    init(
        _ effect: EffectID, _ provider: any AgentProvider, name: String, places: AgentPlaces?,
        turn: Int, goesOn: Bool, tell: @escaping @Sendable (Event?) async -> Bool
    ) {
        (self.effect, self.provider, self.name, self.places) = (effect, provider, name, places)
        (self.turn, self.goesOn, store) = (turn, goesOn, tell)
    }

    private func tell(_ event: Event) async { _ = await store(event) }

    // MARK: What it says

    /// Tells what the agent says until it is over. While the core has enough to do, the agent is held back.
    func read() async {
        var end: AgentError??
        while end == nil, let events = await provider.events.next(upTo: Self.batchBytes) {
            var batch = AgentBatch(turn: turn, name: name, places: places)
            if !hasToldPictures, let sees = await provider.seesPictures {
                batch.add(seesPictures: sees)
                hasToldPictures = true
            }
            if !hasToldInterjections, await provider.takesInterjections {
                batch.addTakingInterjections()
                hasToldInterjections = true
            }
            for event in events { batch.add(event) }
            batch = batch.finished()
            let isKept = await say(batch.deltas)
            if let position = batch.position { await acknowledge(position, isKept) }
            end = batch.end
            if end == nil { try? await Task.sleep(for: Self.beat) }
        }
        isOver = true
        // It goes on without this process, and the next one asks for the rest.
        guard let end else { return }
        if let error = end {
            await tellLog()
            await tell(.effectFailed(effect: effect, failure: Failure(error, of: name)))
        } else {
            await tell(.effectDone(effect: effect))
        }
    }

    /// While the disk is full nothing is kept, and a process that is killed then needs it again.
    private func acknowledge(_ position: Int, _ isKept: Bool) async {
        guard !isKept else { return await provider.heard(upTo: position) }
        let isWaiting = unkept != nil
        unkept = position
        guard !isWaiting else { return }
        Task {
            while !isLeaving {
                try? await Task.sleep(for: .seconds(1))
                guard await store(nil), let position = unkept.take() else { continue }
                return await provider.heard(upTo: position)
            }
        }
    }

    /// Why it ended it may have said besides.
    private func tellLog() async {
        let lines = await provider.log.split(separator: "\n").suffix(10).joined(separator: "\n")
        let excess = lines.utf8.count - AgentTalkLimits.logBytes
        guard !lines.isEmpty else { return }
        // The end of it says most.
        let end = String(decoding: lines.utf8.suffix(AgentTalkLimits.logBytes), as: UTF8.self)
        await say([.logged(text: CutText(end, omitted: excess))])
    }

    /// - Returns: whether it is on the disk.
    @discardableResult
    private func say(_ deltas: [AgentDelta]) async -> Bool {
        guard !deltas.isEmpty else { return true }
        let first = told
        told += deltas.count
        return await store(.agentTold(effect: effect, first: first, deltas: deltas))
    }

    // MARK: What is wanted of it

    func perform(_ wish: HostedAgent.Wish) async {
        switch wish {
        case .started(.success): await tell(.agentStarted(effect: effect))
        case .ready:
            isReady = true
            await begin()
        case .started(.failure) where isLeaving: break
        case .started(.failure(let error)):
            // A provider that never started says nothing of its end.
            await tellLog()
            await tell(.effectFailed(effect: effect, failure: Failure(error, of: name)))
            await provider.stop()
            isReady = true
            await performHeld()
        case .cancel where !isReady && goesOn, .answer where !isReady:
            // Answers of before this process go to an agent that cannot be heard yet, and so does the end of a turn that goes on.
            held.append(wish)
        case .prompt(let id, let prompt):
            if isReady { await ask(id, prompt) } else { waiting = (id, prompt) }
        case .give(let id, let request, let text):
            await answer(id) { () throws(AgentError) in
                try await provider.give(AgentPermission.ID(number: request), text)
            }
        case .cancel(let id):
            if let (effect, prompt) = waiting.take() {
                await withdraw(effect, prompt)
            } else {
                await provider.cancel()
            }
            await tell(.effectDone(effect: id))
        case .answer(let id, let request, let option):
            await answer(id) { () throws(AgentError) in
                try await provider.answer(AgentPermission.ID(number: request), option: option)
            }
        case .choose(let id, let choice):
            // It may take its time, and a turn can be stopped meanwhile.
            Task {
                await answer(id) { () throws(AgentError) in
                    try await provider.choose(.init(choice.kind), choice.option)
                }
            }
        case .interject(let id, let number, let text):
            await answer(id) { () throws(AgentError) in try await provider.interject(text, number: number) }
        case .takeBack(let id, let number):
            await provider.takeBack(interjection: number)
            await tell(.effectDone(effect: id))
        case .toBackground(let id):
            await answer(id) { () throws(AgentError) in try await provider.sendToolToBackground() }
        case .close(let id):
            guard let id else {
                isLeaving = true
                return await provider.leave()
            }
            await provider.stop()
            await tell(.effectDone(effect: id))
        }
    }

    /// Gives it what waited. A turn that was stopped meanwhile, and that it had not begun, is not begun.
    private func begin() async {
        let stops = held.contains { if case .cancel = $0 { true } else { false } }
        if let (effect, prompt) = waiting.take() {
            if stops, await !provider.hasBegun { await withdraw(effect, prompt) } else { await ask(effect, prompt) }
        }
        await performHeld()
    }

    private func performHeld() async {
        let wishes = held
        held = []
        for wish in wishes { await perform(wish) }
    }

    private func withdraw(_ effect: EffectID, _ prompt: AgentPrompt) async {
        await provider.withdraw(prompt)
        await tell(.effectDone(effect: effect))
        await say([.turnEnded(turn: prompt.turn ?? 0, end: AgentTurnEnd(.stopped))])
    }

    private func ask(_ id: EffectID, _ prompt: AgentPrompt) async {
        turn = prompt.turn ?? 0
        await answer(id) { () throws(AgentError) in try await provider.prompt(prompt) }
    }

    private func answer(_ id: EffectID, _ body: () async throws(AgentError) -> Void) async {
        do throws(AgentError) {
            try await body()
            await tell(.effectDone(effect: id))
        } catch {
            await tell(.effectFailed(effect: id, failure: Failure(error, of: name)))
        }
    }
}
