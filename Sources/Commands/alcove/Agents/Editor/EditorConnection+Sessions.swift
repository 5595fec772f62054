import AgentProtocols
import Agents
import AppCore
import Foundation
import Host
import Wire

// The sessions that an editor has open.

extension EditorConnection {
    func begin(_ id: JSONRPCMessage.ID, _ folder: String, _ servers: [String]) async throws {
        let agent = try await agent()
        await makeRoom()
        let talk = try await AgentOptions.newSession(
            agent, folder: wanted.folder, here: folder, hasTools: wanted.hasTools, in: host)
        follow(talk, EditorTalk(talk, tells: false), isNew: true)
        opened[talk.id]?.begins = true
        await host.dispatch(.agents(.startAgent(session: talk.id)))
        // It may take its time, and other sessions go on meanwhile.
        Task { await begun(id, talk.id, servers) }
    }

    /// Most editors learn from this answer alone what can be chosen.
    private func begun(_ id: JSONRPCMessage.ID, _ session: AgentSessionID, _ servers: [String]) async {
        await waitForOffers(in: session)
        guard let talk = await host.talk(session, from: 0, since: Timestamp(milliseconds: 0)), opened[session] != nil
        else {
            opened[session] = nil
            return finish(id, CommandFailure("the session was deleted, or the profile was locked", .unavailable))
        }
        opened[session]?.talk = EditorTalk(talk, tells: false)
        opened[session]?.begins = false
        finish(id, .opened(id: session.text, settings: talk.session.settings))
        tellOf(servers, in: session)
        if let words = talk.session.policies.inherited(hint: nil) { take(EditorTalk.note(words.escaped), in: session) }
        glance.yield()
    }

    /// Returns when the agent has said what can be chosen, or will not. One that offers something says so in the same breath in which it is ready;
    /// others never say that they offer nothing.
    private func waitForOffers(in session: AgentSessionID) async {
        let clock = ContinuousClock()
        var end = clock.now + Self.starting
        var isReady = false
        while clock.now < end {
            let talk = await host.talk(session, from: .max, since: Timestamp(milliseconds: .max))
            guard let talk, talk.live.effect != nil, talk.session.choosers == nil else { return }
            if talk.live.isStarted, !isReady { (isReady, end) = (true, min(end, clock.now + .milliseconds(250))) }
            // The host takes 200 frames a second from each client.
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// How long an agent may take to start before its session begins without its modes and models.
    private static let starting = Duration.seconds(10)

    func goOn(_ id: JSONRPCMessage.ID, _ session: String, _ folder: String, tells: Bool) async throws {
        let talk = try await talk(session)
        if opened[talk.id] == nil { await makeRoom() }
        guard opened[talk.id]?.prompt == nil else { throw UsageError("a prompt is under way in this session") }
        if let place = talk.session.folder, place != wanted.folder(for: folder) {
            throw UsageError("this session works in \(place), and goes on nowhere else")
        }
        let isNew = opened[talk.id]?.isNew ?? false
        forget(talk.id)
        var editor = EditorTalk(talk, tells: tells)
        let steps = editor.open(talk, tells: tells)
        follow(talk, editor, isNew: isNew)
        // What was said comes before the answer, and what is asked after it.
        for step in steps where step.isUpdate { take(step, in: talk.id) }
        finish(id, .opened(id: nil, settings: talk.session.settings))
        for step in steps where !step.isUpdate { take(step, in: talk.id) }
    }

    /// Many editors never close a session. The one that was opened first of those in which nothing goes on is followed no longer; the editor can
    /// load it again.
    private func makeRoom() async {
        guard opened.count >= ACPServerLimits.sessions else { return }
        let idle = opened.filter { $0.value.prompt == nil && $0.value.asked.isEmpty && !$0.value.begins }
        guard let (oldest, known) = idle.min(by: { $0.value.opening < $1.value.opening }) else { return }
        forget(oldest)
        if known.isNew { await removeIfEmpty(oldest) }
    }

    private func follow(_ talk: AgentTalk, _ editor: EditorTalk, isNew: Bool) {
        openings += 1
        opened[talk.id] = Opened(talk: editor, opening: openings, isNew: isNew)
        glance.yield()
    }

    /// What the editor was asked about it is withdrawn.
    func forget(_ session: AgentSessionID) {
        guard let known = opened.removeValue(forKey: session) else { return }
        for number in known.asked.keys.sorted() { send(server.withdraw(number)) }
        for id in [known.prompt, known.next?.id].compactMap(\.self) { finish(id, .stopped("cancelled")) }
    }

    /// The servers of the editor cannot be passed on: what an agent may use is said in Alcove.
    private func tellOf(_ servers: [String], in session: AgentSessionID) {
        guard !servers.isEmpty, !hasNamedServers else { return }
        hasNamedServers = true
        let words =
            "The tools that this editor offers (\(servers.joined(separator: ", "))) are not passed on: an agent uses those of its own"
            + " settings, and with --tools those of Alcove."
        Terminal.log("\(words)")
        take(EditorTalk.note(words), in: session)
    }

    func list(_ folder: String?) async throws -> [ACPAnswer.Session] {
        let agent = try await agent()
        let place = folder.map(wanted.folder(for:))
        let sessions = await host.read { state in
            state.talks.inOrder.map(\.session).filter { session in
                session.agent == agent.id && session.isForEditors && session.turn > 0
                    && (place == nil || session.folder == nil || session.folder == place)
            }
        }
        return sessions.map { session in
            ACPAnswer.Session(
                id: session.id.text,
                // The editor's own words for it: an agent may work somewhere else, or nowhere.
                folder: folder ?? session.folder ?? FileManager.default.currentDirectoryPath, title: session.title,
                changedAt: WrittenTime.text(session.changedAt.milliseconds, zone: .gmt))
        }
    }

    /// A session of the agent, as it is now.
    func talk(_ session: String) async throws -> AgentTalk {
        let agent = try await agent()
        guard AgentSessionID.isValid(session),
            let talk = await host.talk(AgentSessionID(session), from: 0, since: Timestamp(milliseconds: 0)),
            talk.session.agent == agent.id, talk.session.isForEditors
        else { throw CommandFailure("there is no such session with \(agent.name)", .noInput) }
        return talk
    }

    /// - Throws: ``CommandFailure`` for a session that the editor does not have open.
    func open(_ session: String) throws -> AgentSessionID {
        let id = AgentSessionID(session)
        guard opened[id] != nil else {
            throw CommandFailure("this session is not open here; load it first", .noInput)
        }
        return id
    }

    /// Ends the agent of a session, unless somebody else has it at work. What was said stays.
    func close(_ session: String) async throws {
        let id = try open(session)
        let talk = await host.talk(id, from: .max, since: Timestamp(milliseconds: .max))
        // A prompt that waits for a turn of somebody else does not end that turn.
        if let session = talk?.session, let waiting = opened[id]?.talk.cancel(in: session) {
            await host.dispatch(.agents(.withdrawPrompt(session: id, prompt: waiting)))
        } else if opened[id]?.prompt != nil || talk?.session.isInTurn == false {
            await host.dispatch(.agents(.closeAgentSession(session: id)))
        }
        let isNew = opened[id]?.isNew ?? false
        forget(id)
        if isNew { await removeIfEmpty(id) }
    }

    /// A session in which nothing was asked is not kept.
    private func removeIfEmpty(_ session: AgentSessionID) async {
        let end = Timestamp(milliseconds: .max)
        guard let known = await host.talk(session, from: .max, since: end)?.session else { return }
        guard known.isUnasked else { return }
        await host.dispatch(.agents(.removeAgentSession(session: session)))
    }

    /// The editor is gone. Turns go on.
    func leave() async { for (id, known) in opened where known.isNew { await removeIfEmpty(id) } }
}

extension AgentSession {
    /// Whether an editor may follow it: not what a member of the circle asks, and not a summary, of which an editor would keep a copy for longer.
    fileprivate var isForEditors: Bool { guest == nil && summary == nil }
}

extension EditorTalk.Step {
    /// Whether it only tells something.
    fileprivate var isUpdate: Bool { if case .tell = self { true } else { false } }
}
