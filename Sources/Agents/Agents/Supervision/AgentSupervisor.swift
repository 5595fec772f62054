internal import AgentProtocols
internal import Errors
package import Networking
internal import Platform
package import Wire

/// Runs one agent in a process of its own, apart from the host process that uses it. So what the agent asks outlives a host process that is killed,
/// or begins anew after an upgrade: the next one goes on behind the last event that it kept.
///
/// It keeps what the agent says, and decides nothing. One host process at a time talks to it, over a socket in the profile.
package actor AgentSupervisor {
    /// How long it stays without a host process.
    package struct Patience: Sendable {
        /// With nothing to do and nothing to tell.
        package var idle = Duration.seconds(30)
        /// With a turn that goes on, or that nobody heard the end of: longer than a request may wait for its answer.
        package var inTurn = Duration.seconds(3600)

        package init() {}
    }

    private let make: @Sendable (JSONObject) -> (any AgentProvider)?
    private let patience: Patience
    private var agent: (any AgentProvider)?
    private var isReady = false
    private var reader: Task<Void, Never>?
    private var log = SharedLog()
    private var channel: LineChannel?
    /// When there was a host process last.
    private var leftAt = ContinuousClock.now
    private var hasLeft = false
    private var turn = 0
    private var isInTurn = false
    /// What requests of this turn were answered with: a host process that was killed may answer again.
    private var answers: [Int: String?] = [:]
    /// Waits until there is room for what the agent says.
    private var room: CheckedContinuation<Void, Never>?
    /// Whether nothing waits for room any more: the turn, or the agent, is being ended.
    private var isUnbounded = false
    /// Whether the agent is over, whether its end is to be heard, and whether both is done.
    private var (hasEnded, isDismissed) = (false, false)
    private var isOver = false { didSet { sleep?.cancel() } }
    /// Until it looks around again.
    private var sleep: Task<Void, any Error>?
    /// Why it did not start: an agent that is stopped then ends without a reason of its own.
    private var failure: AgentError?
    /// What the agent wrote besides the protocol, once it has ended.
    private var lastWords: String?

    package init(
        patience: Patience = Patience(),
        make: @escaping @Sendable (JSONObject) -> (any AgentProvider)? = { SupervisedProgram($0)?.agent }
    ) {
        (self.patience, self.make) = (patience, make)
    }

    // MARK: The process

    /// Listens at a path until the agent is over and its end was heard, or nobody comes any more.
    package func run(at path: String) async throws(NetworkingError) {
        var limits = LineChannel.Limits()
        (limits.line, limits.received, limits.waiting) = (SupervisorLimits.lineBytes, 1 << 20, 64 << 20)
        let server = LineChannelServer(path: path, connections: 4, limits: limits) { [weak self] channel in
            await self?.serve(channel)
        }
        try server.start()
        while !isOver {
            let sleep = Task { try await Task.sleep(for: .milliseconds(500)) }
            self.sleep = sleep
            try? await sleep.value
            // The profile was erased, or is another one now.
            if access(path, F_OK) != 0 { break }
            if isAlone { break }
        }
        await agent?.stop()
        await server.stop()
    }

    /// Whether nobody is there who could need it any more.
    private var isAlone: Bool {
        guard channel == nil else { return false }
        if hasLeft, !hasMore { return true }
        return .now - leftAt > (hasMore ? patience.inTurn : patience.idle)
    }

    /// Whether something goes on, or was said, that a host process has to hear. What was said before the first turn is said by an agent that is
    /// started anew as well.
    private var hasMore: Bool { isInTurn || turn > 0 && log.summary.taken < log.summary.next - 1 }

    // MARK: The host process

    /// Does what a host process wants until it is gone. An earlier one is not listened to any more.
    package func serve(_ channel: LineChannel) async {
        while let line = await channel.next() {
            // A host process that cannot be understood is of another version.
            guard let wish = try? SupervisorWish(line) else { break }
            if self.channel !== channel {
                guard wish.begins else { break }
                self.channel?.cut()
                log.unfollow()
                (self.channel, hasLeft) = (channel, false)
            }
            await perform(wish, of: channel)
        }
        guard self.channel === channel else { return }
        log.unfollow()
        (self.channel, leftAt) = (nil, .now)
        sleep?.cancel()
    }

    private func send(_ report: SupervisorReport) { channel?.send(report.line) }

    private func perform(_ wish: SupervisorWish, of channel: LineChannel) async {
        switch wish {
        case .start(let program): start(program)
        case .resume(let after):
            // One that is not ready yet says so when it is, and of one that is over the end is told.
            guard let agent else { return stopServing() }
            _ = log.follow("", after: after)
            if let lastWords { send(.log(lastWords)) }
            if isReady || hasEnded { await sayReady(agent) }
            pump()
        case .prompt(let number, let turn, let text, let pictures):
            let prompt = AgentPrompt(text, pictures: pictures.compactMap(PromptPicture.init(base64:)), turn: turn)
            await answer(number, to: channel) { () async throws(AgentError) in try await self.prompt(prompt, turn) }
        case .cancel:
            makeRoom(untilNextPrompt: true)
            await agent?.cancel()
        case .answer(let number, let request, let option):
            await answer(number, to: channel) { () async throws(AgentError) in try await self.answer(request, option) }
        case .give(let number, let request, let text):
            await answer(number, to: channel) { () async throws(AgentError) in
                try await self.running.give(AgentPermission.ID(number: request), text)
                self.append([.permissionGone(AgentPermission.ID(number: request))])
            }
        case .choose(let number, let kind, let option):
            // It may take its time, and a turn can be stopped meanwhile.
            Task {
                await answer(number, to: channel) { () async throws(AgentError) in
                    guard let kind = AgentSetting.Kind(word: kind) else {
                        throw AgentError(.gone, "there is no \(kind)")
                    }
                    try await self.running.choose(kind, option)
                }
            }
        case .taken(let through):
            log.received(through: through)
            pump()
            makeRoom()
        case .leave where hasMore:
            hasLeft = true
            stopServing()
        case .leave, .stop:
            isDismissed = true
            makeRoom(untilNextPrompt: true)
            await agent?.stop()
            if agent == nil || hasEnded { isOver = true }
        }
    }

    private func stopServing() {
        channel?.finish()
        log.unfollow()
        (channel, leftAt) = (nil, .now)
    }

    private var running: any AgentProvider {
        get throws(AgentError) {
            guard let agent else { throw AgentError(.notRunning, "it is not running") }
            return agent
        }
    }

    /// To whoever wanted it, who may be gone: the numbers of the next host process are others.
    private func answer(
        _ number: Int, to channel: LineChannel, _ body: () async throws(AgentError) -> Void
    ) async {
        do throws(AgentError) {
            try await body()
            channel.send(SupervisorReport.done(number: number, code: nil, message: "").line)
        } catch {
            channel.send(
                SupervisorReport.done(number: number, code: error.code.rawValue, message: error.message).line)
        }
    }

    // MARK: The agent

    /// It may take its time, and can be stopped meanwhile.
    private func start(_ program: JSONObject) {
        guard agent == nil else { return stopServing() }
        guard let agent = make(program) else {
            append([.ended(AgentError(.cannotStart, "this version of Alcove does not understand how to start it"))])
            _ = log.follow("", after: 0)
            return pump()
        }
        self.agent = agent
        _ = log.follow("", after: 0)
        reader = Task { await self.read(agent) }
        Task {
            // Why it does not start it says as its end.
            do throws(AgentError) { try await agent.start() } catch { return await failed(error) }
            isReady = true
            await sayReady(agent)
            pump()
        }
    }

    private func failed(_ error: AgentError) async {
        failure = error
        await agent?.stop()
        await reader?.value
        if !hasEnded { append([.ended(error)]) }
    }

    private func sayReady(_ agent: any AgentProvider) async {
        let sees = await agent.seesPictures
        send(.ready(process: Int(getpid()), last: log.summary.next - 1, turn: turn, seesPictures: sees))
    }

    /// A turn that was begun is not begun again: a host process that was killed may ask again.
    private func prompt(_ prompt: AgentPrompt, _ turn: Int) async throws(AgentError) {
        guard turn > self.turn else { return }
        let before = (self.turn, isInTurn)
        // Its end may come before the agent has answered that it has the prompt.
        (self.turn, isInTurn, isUnbounded, answers) = (turn, true, false, [:])
        do throws(AgentError) { try await running.prompt(prompt) } catch {
            (self.turn, isInTurn) = before
            throw error
        }
    }

    private func answer(_ request: Int, _ option: String?) async throws(AgentError) {
        if let before = answers[request], before == option { return }
        try await running.answer(AgentPermission.ID(number: request), option: option)
        answers[request] = .some(option)
        append([.permissionGone(AgentPermission.ID(number: request))])
    }

    /// Bytes of events that are taken at once, about.
    private static let batch = 64 << 10

    private func read(_ agent: any AgentProvider) async {
        while let events = await agent.events.next(upTo: Self.batch) {
            if events.contains(where: \.isEnd) {
                lastWords = await agent.log
                if let lastWords { send(.log(lastWords)) }
            }
            append(events)
            await waitForRoom()
        }
        if !hasEnded { append([.ended(nil)]) }
    }

    private func append(_ events: [AgentEvent]) {
        for event in events {
            switch event {
            case .turnEnded: isInTurn = false
            case .ended: (isInTurn, isUnbounded, hasEnded) = (false, true, true)
            default: break
            }
        }
        let told = events.map { event in
            if case .ended(nil) = event { AgentEvent.ended(failure) } else { event }
        }
        _ = log.append(told.flatMap(\.supervised))
        pump()
    }

    private func pump() {
        while channel != nil, let entry = log.nextToSend() {
            send(.event(sequence: entry.sequence, entry.event))
        }
        let isHeard = log.summary.taken == log.summary.next - 1
        if hasEnded, isHeard || isDismissed { isOver = true }
    }

    // MARK: Room

    private func waitForRoom() async {
        guard log.isFull, !isUnbounded else { return }
        await withCheckedContinuation { room = $0 }
    }

    /// - Parameter untilNextPrompt: whether nothing waits any more, however much it is.
    private func makeRoom(untilNextPrompt: Bool = false) {
        if untilNextPrompt { isUnbounded = true }
        guard !log.isFull || isUnbounded else { return }
        room.take()?.resume()
    }
}

extension SupervisorWish {
    /// Whether a host process begins with it. Whoever only looks whether a supervisor listens takes nobody's place.
    fileprivate var begins: Bool {
        switch self {
        case .start, .resume, .stop: true
        default: false
        }
    }
}

extension AgentEvent {
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
