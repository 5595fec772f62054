import AgentProtocols
import Agents
import AppCore
import Cryptography
import Foundation
import Networking
import Storage

/// Carries the core's wishes about agents to the programs and servers that they are, and tells what those say.
extension AppHost {
    func executeAgents(_ effect: Effect) async {
        switch effect.kind {
        case .startAgentSession(let session, let place, let folder, let setup):
            let setup = setup ?? AgentSetup()
            await attempt(effect.id) {
                var (name, provider) = try await provider(place, folder, session, setup)
                let isHere = if case .program = place { true } else { false }
                let places = isHere ? folder.map(AgentPlaces.init) : nil
                if let guest = setup.guest {
                    provider = try await agentSharing.kept(provider, for: guest) { call in
                        let call = places?.named(AgentCall(call)) ?? AgentCall(call)
                        return folder.map { call.stays(in: $0, isConfined: place.isConfined) } ?? false
                    }
                }
                start(effect.id, session, name, provider, places, setup)
            }
        case .offerAgents(let room, let agents):
            await agentSharing.offer(agents, in: room.text)
            done(effect.id)
        case .refuseMember(let room, let session, let turn, let request, let reason):
            await agentSharing.refuse(room.text, session.text, turn: turn, request: request, reason)
            done(effect.id)
        case .forgetShare(let share):
            await attempt(effect.id, answers: true) { try await agentSharing.forget(share: share.text) }
        case .promptAgent(let session, let turn, let text, let pictures):
            await attempt(effect.id) {
                let shown = try (pictures ?? []).map { try profile.picture($0.id) }
                give(.prompt(effect.id, AgentPrompt(text, pictures: shown, turn: turn)), to: session, effect.id)
            }
        case .giveAgent(let session, let request, let secret):
            guard let text = profile.takePassed(secret)?.withUnsafeBytes({ String(decoding: $0, as: UTF8.self) }) else {
                return dispatch(.event(.effectFailed(effect: effect.id, failure: Failure(.requestGone))))
            }
            give(.give(effect.id, request: request, text), to: session, effect.id)
        case .keepPicture(_, let name, let handle):
            inBackground(effect.id) {
                .pictureKept(effect: effect.id, picture: try await self.keepPicture(handle, name))
            }
        case .forgetPictures(let pictures):
            await attempt(effect.id, answers: true) { try profile.forget(pictures: pictures) }
        case .cancelAgentTurn(let session): give(.cancel(effect.id), to: session, effect.id)
        case .chooseForAgent(let session, let kind, let option):
            give(.choose(effect.id, AgentChosen(kind: kind, option: option)), to: session, effect.id)
        case .interject(let session, let prompt, let text):
            give(.interject(effect.id, prompt, text), to: session, effect.id)
        case .takeBackInterjection(let session, let prompt):
            give(.takeBack(effect.id, prompt), to: session, effect.id)
        case .sendToolToBackground(let session): give(.toBackground(effect.id), to: session, effect.id)
        case .moveToolGrants(let name, let other):
            await attempt(effect.id, answers: true) {
                try ToolGrants(folder: ProfileDirectory.toolsFolder(of: profile.path)).move(from: name, to: other)
            }
        case .answerAgent(let session, let request, let option):
            give(.answer(effect.id, request: request, option: option), to: session, effect.id)
        case .closeAgentSession(let session):
            give(.close(effect.id), to: session, effect.id)
            closing[session] = heldAgents.removeValue(forKey: session)
        default: break
        }
    }

    private func start(
        _ id: EffectID, _ session: AgentSessionID, _ name: String, _ provider: any AgentProvider,
        _ places: AgentPlaces?, _ setup: AgentSetup
    ) {
        // Of one session one agent runs at a time.
        let before = closing.removeValue(forKey: session) ?? heldAgents[session]
        let turn = read { $0.talks[session]?.session.turn ?? 0 }
        heldAgents[session] = HostedAgent(
            id, provider, name: name, places: places, turn: turn, goesOn: setup.supervisor != nil,
            chosen: setup.chosen ?? [], after: before
        ) { [weak self] in
            await self?.tell($0) ?? false
        }
    }

    /// - Parameter session: nil for what is no part of a session.
    func provider(
        _ place: Agent.Place, _ folder: String?, _ session: AgentSessionID?, _ setup: AgentSetup
    ) async throws -> (name: String, any AgentProvider) {
        switch place {
        case .member(let room, let share, _):
            let agent = await agentSharing.agent(
                share.text, in: room.text, for: session?.text ?? "", after: setup.after ?? 0)
            return (read { $0.rooms[room]?.title ?? "" }, agent)
        case .program(let command, let sandbox, let reference):
            let variables = reference.flatMap { profile.secret($0) }.flatMap { try? AgentVariables($0) }
            guard reference == nil || variables != nil else {
                throw Failure(
                    .agentUnauthorized,
                    "its variables are not kept here any more; remove the agent and add it with them again")
            }
            let wall = sandbox.map {
                AgentWall(network: $0.network, readable: $0.readable, isReadOnly: $0.readOnly == true)
            }
            let program = AgentProgram(command, folder: folder ?? "/", variables: variables, sandbox: wall)
            let tools = setup.tools == true && sandbox == nil ? session.flatMap(ownTools).map { [$0] } ?? [] : []
            let supervised = SupervisedProgram(
                program, tools: tools, thread: setup.thread, retells: setup.retells == true)
            guard session != nil, let supervisors else {
                // Started anew it would be asked once more what it has done already.
                guard setup.supervisor == nil else { throw Failure(.agentEnded, place: command.first ?? "") }
                return (command.first ?? "", supervised.agent)
            }
            let resumption = setup.supervisor.map {
                SupervisedAgent.Resumption(supervisor: $0, after: setup.after ?? 0)
            }
            return (
                command.first ?? "",
                SupervisedAgent(supervised, at: supervisors, resuming: resumption, insteadOf: setup.former)
            )
        case .modelServer(let url, let model, let reference):
            var key: AgentKey?
            if let reference {
                key = profile.secret(reference).flatMap(AgentKey.init)
                guard key != nil else {
                    throw Failure(
                        .agentUnauthorized,
                        "its key is not kept here any more; remove the agent and add it with its key again")
                }
            }
            guard let server = try? ServerURL(url) else { throw Failure(.agentUnreachable, place: url) }
            let configuration = CompletionsAgent.Configuration(server: server, model: model, key: key)
            return (
                url,
                CompletionsAgent(configuration, said: read { state in session.flatMap { state.talks[$0]?.said } ?? [] })
            )
        case .gateway(let url, let fingerprint, let reference):
            guard let token = profile.secret(reference).flatMap(GatewayToken.init) else {
                throw Failure(
                    .agentUnauthorized,
                    "its token is not kept here any more; remove the agent and pair with its gateway again")
            }
            guard let server = try? ServerURL(url) else { throw Failure(.agentUnreachable, place: url) }
            let pin = fingerprint.flatMap(GatewayFingerprint.init)
            let configuration = GatewayAgent.Configuration(
                server: server, token: token, fingerprint: pin, folder: folder ?? "/", thread: setup.thread)
            return (url, GatewayAgent(configuration))
        }
    }

    /// This program, as an agent starts it for itself.
    private func ownTools(for session: AgentSessionID) -> ToolServer? {
        guard let agent = read({ state in state.talks[session].flatMap { state.agents.byID[$0.session.agent] } }) else {
            return nil
        }
        return ToolServer(
            name: "alcove", command: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
            arguments: [
                "mcp", "--client", agent.name, "--session", session.text, "--profile",
                URL(fileURLWithPath: profile.path).standardizedFileURL.path,
            ])
    }

    /// Reads a picture, and keeps it in the profile.
    private nonisolated func keepPicture(_ handle: String, _ name: String) async throws -> AgentPicture {
        let known = await read(\.talks.pictures)
        try profile.sweepPictures(keeping: known)
        let bytes: [UInt8]
        do throws(FileError) {
            // Opening a pipe would wait for somebody to write.
            let kind = try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: handle).resolvingSymlinksInPath().path)
            guard kind?[.type] as? FileAttributeType == .typeRegular else {
                throw FileError(.notFile, handle, reason: "")
            }
            bytes = try AtomicFile.read(handle, atMost: AgentLimits.pictureBytes)
        } catch {
            throw Failure(error.code == .tooLong ? .fileTooLarge : .fileUnreadable, place: name)
        }
        guard let picture = PromptPicture(bytes) else { throw Failure(.fileUnreadable, place: name) }
        return try profile.keep(picture, named: name)
    }

    private func give(_ wish: HostedAgent.Wish, to session: AgentSessionID, _ id: EffectID) {
        guard heldAgents[session]?.take(wish) == true else {
            let failure = Failure(.agentEnded, "no agent runs in this session", retryable: true)
            return dispatch(.event(.effectFailed(effect: id, failure: failure)))
        }
    }

    /// Returns when the core has heard it, so that an agent never says more than the core takes.
    /// - Returns: whether it is kept.
    private func tell(_ event: Event?) -> Bool {
        if let event { dispatch(.event(event)) }
        return isSaved
    }

    /// Ends the supervisors that no session goes on with: their sessions were deleted, closed or given up when nobody could tell them.
    func endForgottenSupervisors() {
        guard let supervisors, read({ !$0.lock.isLocked }) else { return }
        let kept = read { state in
            Set(state.talks.byID.values.filter { $0.live.effect != nil }.compactMap(\.session.link?.supervisor))
        }
        let forgotten = formerSupervisors.filter { !kept.contains($0) }
        formerSupervisors = []
        Task { for id in forgotten { await supervisors.endSupervisor(id) } }
    }

    /// Ends every agent. What they say until then is still heard.
    func endAgents() async {
        let all = Array(heldAgents.values) + Array(closing.values)
        (heldAgents, closing) = ([:], [:])
        for agent in all { agent.take(.close(nil)) }
        for agent in askedAgents.values { await agent.stop() }
        for agent in all { await agent.end() }
        await agentSharing.forgetAll()
    }
}

extension AgentTalk {
    /// What was asked in turns that are over, and answered, for an agent that keeps nothing itself.
    fileprivate var said: [AgentSaid] {
        var (all, turn): ([AgentSaid], Int?) = ([], nil)
        for item in items {
            switch item.content {
            case .prompt(let text, _):
                all.append(AgentSaid(prompt: text, answer: ""))
                turn = item.turn
            case .text(let text) where item.turn == turn: all[all.count - 1].answer += text.text
            default: break
            }
        }
        return all.filter { !$0.answer.isEmpty }
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
            case .noPictures: .agentTakesNoPictures
            case .unauthorized, .otherKey: .agentUnauthorized
            case .unreachable: .agentUnreachable
            case .busy: .agentBusy
            case .gone: .requestGone
            }
        // Neither took what was wanted of it.
        let isUntouched = error.code == .busy || error.code == .notRunning
        self.init(code, error.message, retryable: isUntouched, place: String(name.prefix(Self.placeBytes / 4)))
    }
}
