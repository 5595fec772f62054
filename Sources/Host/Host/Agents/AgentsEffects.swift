import Agents
import AppCore
import Networking

/// Carries the core's wishes about agents to the programs and servers that they are, and tells what those say.
extension AppHost {
    func executeAgents(_ effect: Effect) async {
        switch effect.kind {
        case .startAgentSession(let session, let place, let folder, let guest, let after):
            await attempt(effect.id) {
                var (name, provider) = try await provider(place, folder, session, after: after)
                if let guest { provider = try await agentSharing.kept(provider, for: guest) }
                start(effect.id, session, name, provider)
            }
        case .offerAgents(let room, let agents):
            await agentSharing.offer(agents, in: room.text)
            done(effect.id)
        case .refuseMember(let room, let session, let turn, let request, let reason):
            await agentSharing.refuse(room.text, session.text, turn: turn, request: request, reason)
            done(effect.id)
        case .forgetShare(let share):
            await attempt(effect.id, answers: true) { try await agentSharing.forget(share: share.text) }
        case .promptAgent(let session, let turn, let text):
            give(.prompt(effect.id, turn: turn, text), to: session, effect.id)
        case .cancelAgentTurn(let session): give(.cancel(effect.id), to: session, effect.id)
        case .answerAgent(let session, let request, let option):
            give(.answer(effect.id, request: request, option: option), to: session, effect.id)
        case .closeAgentSession(let session):
            give(.close(effect.id), to: session, effect.id)
            closing[session] = heldAgents.removeValue(forKey: session)
        default: break
        }
    }

    private func start(
        _ id: EffectID, _ session: AgentSessionID, _ name: String, _ provider: any AgentProvider
    ) {
        // Of one session one agent runs at a time.
        let before = closing.removeValue(forKey: session) ?? heldAgents[session]
        heldAgents[session] = HostedAgent(id, provider, name: name, after: before) { [weak self] in
            await self?.tell($0)
        }
    }

    private func provider(
        _ place: Agent.Place, _ folder: String?, _ session: AgentSessionID, after position: Int?
    ) async throws -> (name: String, any AgentProvider) {
        switch place {
        case .member(let room, let share, _):
            let agent = await agentSharing.agent(share.text, in: room.text, for: session.text, after: position ?? 0)
            return (read { $0.rooms[room]?.title ?? "" }, agent)
        case .program(let command, let sandbox):
            let wall = sandbox.map {
                AgentWall(network: $0.network, readable: $0.readable, isReadOnly: $0.readOnly == true)
            }
            let program = AgentProgram(command, folder: folder ?? "/", sandbox: wall)
            return (command.first ?? "", ACPAgent(program))
        case .modelServer(let url, let model, let reference):
            var key: AgentKey?
            if let reference {
                key = profile.secret(reference).flatMap(AgentKey.init)
                guard key != nil else { throw Failure(.agentUnauthorized, "the key is gone") }
            }
            guard let server = try? ServerURL(url) else { throw Failure(.agentUnreachable, place: url) }
            return (url, CompletionsAgent(.init(server: server, model: model, key: key)))
        }
    }

    private func give(_ wish: HostedAgent.Wish, to session: AgentSessionID, _ id: EffectID) {
        guard heldAgents[session]?.take(wish) == true else {
            let failure = Failure(.agentEnded, "no agent runs in this session")
            return dispatch(.event(.effectFailed(effect: id, failure: failure)))
        }
    }

    /// Returns when the core has heard it, so that an agent never says more than the core takes.
    private func tell(_ event: Event) { dispatch(.event(event)) }

    /// Ends every agent. What they say until then is still heard.
    func endAgents() async {
        let all = Array(heldAgents.values) + Array(closing.values)
        (heldAgents, closing) = ([:], [:])
        for agent in all { agent.take(.close(nil)) }
        for agent in all { await agent.end() }
        await agentSharing.forgetAll()
    }
}

extension Failure {
    /// - Parameter name: the program, or the address of the server.
    init(_ error: AgentError, of name: String) {
        let code: Code =
            switch error.code {
            case .cannotStart: .agentUnavailable
            case .ended, .notRunning: .agentEnded
            case .silent: .agentSilent
            case .notUnderstood, .otherVersion: .agentForeign
            case .refused, .tooLarge: .agentRefused
            case .unauthorized: .agentUnauthorized
            case .unreachable: .agentUnreachable
            case .busy: .agentBusy
            case .gone: .requestGone
            }
        self.init(code, error.message, retryable: error.code == .busy, place: String(name.prefix(Self.placeBytes / 4)))
    }
}
