internal import AgentProtocols
internal import Foundation
internal import Networking
internal import Wire

/// A session of a gateway of ours: one agent, and the clients that watch it.
actor ServedSession {
    nonisolated let id: String
    nonisolated let folder: String
    private let agent: any AgentProvider
    private let version: String
    private let tell: @Sendable (GatewayReport) -> Void
    /// Gives each request a number that no other session's has.
    private let number: @Sendable () -> Int
    /// The agent's own names for them.
    private var requests: [AgentPermission.ID: AgentPermission.ID] = [:]
    private var talk: ServedTalk
    private var clients: [UInt64: ServerWebSocket] = [:]
    private var isStarted = false
    private(set) var isOver = false
    /// A prompt that waits for the start.
    private var waiting: AgentPrompt?
    /// When the last client left.
    private(set) var leftAt = ContinuousClock.now
    private var work: Task<Void, Never>?

    init(
        id: String, folder: String, agent: any AgentProvider, version: String,
        number: @escaping @Sendable () -> Int, tell: @escaping @Sendable (GatewayReport) -> Void
    ) {
        (self.id, self.folder, self.agent, self.version, self.tell) = (id, folder, agent, version, tell)
        self.number = number
        talk = ServedTalk(id: id)
    }

    /// Whether nobody would miss it: no client, and no turn.
    var isIdle: Bool { isOver || clients.isEmpty && !talk.isInTurn }

    var isInTurn: Bool { talk.isInTurn }

    /// What others read of it; nil as long as nothing was asked in it.
    var listed: GatewayHistory.Listed? { talk.listed }

    func start() {
        guard work == nil else { return }
        work = Task {
            do throws(AgentError) {
                try await agent.start()
            } catch {
                return await self.perform(talkFailedToStart(error), for: nil)
            }
            await self.hasStarted()
            while let event = await agent.events.next() { await self.heard(event) }
        }
    }

    private func talkFailedToStart(_ error: AgentError) -> [ServedTalk.Step] {
        let failed = talk.promptFailed(error)
        return failed + talk.take(.ended(error), now: Self.now)
    }

    private func hasStarted() async {
        isStarted = true
        if let prompt = waiting {
            waiting = nil
            await ask(prompt)
        }
    }

    private func heard(_ event: AgentEvent) async { await perform(talk.take(numbered(event), now: Self.now), for: nil) }

    private func numbered(_ event: AgentEvent) -> AgentEvent {
        switch event {
        case .permission(let asked):
            let id = AgentPermission.ID(number: number())
            requests[id] = asked.id
            return .permission(
                AgentPermission(id: id, toolCall: asked.toolCall, options: asked.options, input: asked.input))
        case .permissionGone(let gone):
            guard let id = requests.first(where: { $0.value == gone })?.key else { return event }
            requests[id] = nil
            return .permissionGone(id)
        case .turnEnded:
            requests = [:]
            return event
        default: return event
        }
    }

    // MARK: Clients

    /// A client watches from now on, and is told in which session it is: in one step, so that nothing happens between the two of which it does
    /// not hear. It has asked for the history since it is told everything.
    func join(_ socket: ServerWebSocket) {
        socket.send(.text(GatewayEvent(.session, ["session_id": .string(id)]).text))
        clients[socket.id] = socket
    }

    /// - Parameter stopsTurn: whether the turn ends, if this was the last one who watched it.
    func leave(_ socket: ServerWebSocket, stopsTurn: Bool = false) async {
        guard clients.removeValue(forKey: socket.id) != nil else { return }
        leftAt = .now
        if stopsTurn, clients.isEmpty { await perform(talk.stop(), for: nil) }
    }

    /// - Parameter acks: whether the client is told that its request was taken; each request has that once.
    func take(
        _ request: GatewayRequest, from socket: ServerWebSocket, of device: String, sessions: [GatewayHistory.Listed],
        acks: Bool = true
    ) async {
        let steps = talk.take(request, from: socket.id, of: device, sessions: sessions, version: version)
        await perform(acks ? steps : steps.filter { !$0.isAck }, for: socket)
    }

    /// Devices are not let in any more: what they asked for and waits is not done, and what they began ends, unless others watch it.
    func revoke(_ devices: Set<String>) async {
        talk.drop(of: devices)
        guard clients.isEmpty, let device = talk.device, devices.contains(device) else { return }
        await perform(talk.stop(), for: nil)
    }

    /// Rejects what nobody answered in time.
    func expire() async { await perform(talk.expire(now: Self.now), for: nil) }

    // MARK: The owner of this machine

    /// - Returns: false if the request is not open, or takes no such answer.
    func answer(_ request: AgentPermission.ID, _ choice: ServedChoice) async -> Bool {
        let steps = talk.answer(request, choice)
        await perform(steps, for: nil)
        return !steps.isEmpty
    }

    // MARK: Steps

    /// All that is sent is sent before anything is waited for, so that clients hear everything in one order.
    private func perform(_ steps: [ServedTalk.Step], for socket: ServerWebSocket?) async {
        var work: [ServedTalk.Step] = []
        for step in steps {
            switch step {
            case .answer(let event): socket?.send(.text(event.text))
            case .tell(let event):
                let text = event.text
                for client in clients.values { client.send(.text(text)) }
            case .ask(let request): tell(.asks(session: id, request))
            case .settle(let request, let outcome): tell(.settled(session: id, request, outcome))
            case .end: close()
            case .prompt, .cancel, .give, .hand, .choose: work.append(step)
            }
        }
        for step in work {
            switch step {
            case .prompt(let prompt): await ask(prompt)
            case .hand(let asked, let text):
                if let id = requests.removeValue(forKey: asked) { try? await agent.give(id, text) }
            case .cancel: await stopTurn()
            // It may take its time, and a turn can be stopped meanwhile.
            case .choose(let model, let id): Task { await self.choose(model, id, for: socket) }
            case .give(let answer):
                // One that the agent took back meanwhile needs no answer.
                if let id = requests.removeValue(forKey: answer.id) {
                    try? await agent.answer(id, option: answer.option)
                }
            default: break
            }
        }
    }

    private func ask(_ prompt: AgentPrompt) async {
        guard isStarted else { return waiting = prompt }
        do throws(AgentError) {
            try await agent.prompt(prompt)
        } catch {
            await perform(talk.promptFailed(error), for: nil)
        }
    }

    private func choose(_ model: String, _ id: UInt64, for socket: ServerWebSocket?) async {
        var failure: AgentError?
        do throws(AgentError) { try await agent.choose(.model, model) } catch { failure = error }
        await perform(talk.chose(model, id: id, failure), for: socket)
    }

    private func stopTurn() async {
        guard isStarted else {
            waiting = nil
            return await perform(talk.take(.turnEnded(.cancelled), now: Self.now), for: nil)
        }
        await agent.cancel()
    }

    private func close() {
        isOver = true
        for client in clients.values { client.close(.normal, reason: "the session is over") }
        clients = [:]
        tell(.ended(session: id))
    }

    func stop() async {
        await agent.stop()
        await work?.value
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
