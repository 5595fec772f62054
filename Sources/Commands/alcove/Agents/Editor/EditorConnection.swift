import AgentProtocols
import Agents
import AppCore
import Foundation
import Host
import Wire

/// An editor that uses an agent over the Agent Client Protocol, from its first line to its last. The sessions are those of the host.
actor EditorConnection {
    let host: any ProfileHost
    let wanted: EditorAgent
    var server: ACPServer
    var opened: [AgentSessionID: Opened] = [:]
    /// Counted, so that what was asked of the host for a session that was opened anew meanwhile is not taken for it.
    var openings = 0
    /// The agent, once it was found by its name: it may be called something else later.
    private var agentID: AgentID?
    var hasNamedServers = false
    /// The view of the host in which sessions were begun.
    private var view: ViewID?
    /// What is to be looked at again.
    private let glances: AsyncStream<Void>
    let glance: AsyncStream<Void>.Continuation

    /// A session that the editor has open.
    struct Opened {
        var talk: EditorTalk
        let opening: Int
        /// Whether the editor began it.
        let isNew: Bool
        /// Whether its beginning is not answered: the editor does not know it yet.
        var begins = false
        /// The request that its turn answers.
        var prompt: JSONRPCMessage.ID?
        /// What the editor asks, while its pictures are given to the host.
        var starting: Start?
        /// What the editor asks next, while a turn that it has cancelled ends.
        var next: (id: JSONRPCMessage.ID, prompt: ACPPrompt)?
        /// What the editor was asked, by the numbers of its requests.
        var asked: [Int: AgentApproval] = [:]

        struct Start {
            let id: JSONRPCMessage.ID
            var isCancelled = false
        }
    }

    init(_ host: any ProfileHost, _ wanted: EditorAgent, takesPictures: Bool) {
        (self.host, self.wanted) = (host, wanted)
        server = ACPServer(
            about: ["name": "alcove", "title": .string("Alcove: \(wanted.name)"), "version": .string(Core.version)],
            takesPictures: takesPictures)
        (glances, glance) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: From the editor

    /// Does what the editor wants, one after the other, until it says nothing more.
    func read(_ input: StandardInput) async {
        var lines = LineSplitter(limit: ACPServerLimits.lineBytes)
        while let bytes = await input.next() {
            for line in lines.read(bytes) {
                for step in server.receive(line) { guard await perform(step) else { return } }
            }
        }
    }

    /// - Returns: false at the end.
    private func perform(_ step: ACPServer.Step) async -> Bool {
        switch step {
        case .send(let content): Terminal.send(JSONRPCMessage(content).line)
        case .perform(let id, let request): await perform(id, request)
        case .cancel(let session): await cancel(AgentSessionID(session))
        case .withdraw(let id):
            if let session = opened.first(where: { $0.value.next?.id == id })?.key {
                dropNext(of: session)
            } else if let session = opened.first(where: { $0.value.prompt == id || $0.value.starting?.id == id })?.key {
                await cancel(session)
            }
        case .answered(let number, let answer): await self.answer(number, answer)
        case .giveUp:
            Terminal.complain("the editor sends nothing that can be read")
            return false
        }
        return true
    }

    /// The agent that the editor uses.
    func agent() async throws -> Agent {
        if let agentID, let agent = await host.read({ $0.agents.byID[agentID] }) { return agent }
        let agent = try await wanted.find(in: host)
        agentID = agent.id
        return agent
    }

    func send(_ steps: [ACPServer.Step]) {
        for case .send(let content) in steps { Terminal.send(JSONRPCMessage(content).line) }
    }

    func finish(_ id: JSONRPCMessage.ID, _ answer: ACPAnswer) { send(server.finish(id, .success(answer))) }

    func finish(_ id: JSONRPCMessage.ID, _ error: any Error) {
        let (words, kind): (String, JSONRPCMessage.Failure) =
            switch error {
            case let failure as CommandFailure:
                (
                    failure.explanation,
                    failure.code == .usage ? .invalidParameters : failure.code == .noInput ? .notFound : .failed
                )
            case let mistake as UsageError: (mistake.explanation, .invalidParameters)
            default: ("it could not be done", .failed)
            }
        send(server.finish(id, .failure(kind.saying(words))))
    }

    private func perform(_ id: JSONRPCMessage.ID, _ request: ACPRequest) async {
        do {
            switch request {
            case .begin(let folder, let servers): try await begin(id, folder, servers)
            case .goOn(let session, let folder, let tells): try await goOn(id, session, folder, tells: tells)
            case .list(let folder): finish(id, .sessions(try await list(folder)))
            case .close(let session):
                try await close(session)
                finish(id, .done)
            case .delete(let session):
                let talk = try await talk(session)
                try await host.change(agents: .removeAgentSession(session: talk.id))
                forget(talk.id)
                finish(id, .done)
            case .prompt(let session, let prompt): try await ask(id, session, prompt)
            case .choose(let session, let kind, let option, let method):
                let session = try open(session)
                // It may take its time, and a turn can be cancelled meanwhile.
                Task { await choose(id, session, kind, option, method) }
            }
        } catch { finish(id, error) }
    }

    // MARK: From the host

    /// Tells the editor what is new, until the host ends.
    func follow() async {
        let changes = Task {
            for await _ in await host.changes() { glance.yield() }
            glance.finish()
        }
        view = await host.view
        for await _ in glances {
            await claimSessions()
            for session in opened.keys.sorted() { await look(at: session) }
            // The host takes 200 frames a second from each client, and every session is one.
            try? await Task.sleep(for: .milliseconds(10 * max(opened.count, 1)))
        }
        changes.cancel()
        let reason = await host.ending ?? "the host process has ended"
        for session in opened.keys { end(session, because: reason) }
    }

    /// A host that was started anew does not know whose the sessions are in which nothing was asked, and ends the agents of them.
    private func claimSessions() async {
        let now = await host.view
        // Behind the lock there are none to take up.
        guard now != view, await !host.read(\.lock.isLocked) else { return }
        view = now
        for (session, known) in opened where known.isNew && known.talk.session.isUnasked {
            await host.dispatch(.agents(.startAgent(session: session)))
        }
    }

    private func look(at session: AgentSessionID) async {
        guard let known = opened[session], !known.begins else { return }
        let talk = await host.talk(session, from: known.talk.last, since: known.talk.changedAt)
        guard opened[session]?.opening == known.opening else { return }
        guard let talk else {
            guard await host.ending == nil else { return }
            // After it was unlocked, it goes on.
            guard await !host.read(\.lock.isLocked) else { return end(session, because: "the profile was locked") }
            end(session, because: "the session was deleted")
            return forget(session)
        }
        for step in opened[session]?.talk.take(talk) ?? [] { take(step, in: session) }
    }

    /// Nothing more comes of what is under way in a session.
    private func end(_ session: AgentSessionID, because reason: String) {
        for number in opened[session]?.asked.keys.sorted() ?? [] { send(server.withdraw(number)) }
        opened[session]?.asked = [:]
        dropNext(of: session)
        guard let prompt = opened[session]?.prompt else { return }
        opened[session]?.prompt = nil
        opened[session]?.talk.forgetPrompt()
        finish(prompt, CommandFailure(reason, .unavailable))
    }

    func take(_ step: EditorTalk.Step, in session: AgentSessionID) {
        switch step {
        case .tell(let update): send([server.tell(session.text, update)])
        case .ask(let approval, let call, let options):
            let (number, step) = server.ask(session.text, call, options)
            opened[session]?.asked[number] = approval
            send([step])
        case .withdraw(let approval):
            guard let number = opened[session]?.asked.first(where: { $0.value.id == approval })?.key else { return }
            opened[session]?.asked[number] = nil
            send(server.withdraw(number))
        case .end(let end): finish(end, in: session)
        }
    }

    func finish(_ end: EditorTalk.PromptEnd, in session: AgentSessionID) {
        guard let prompt = opened[session]?.prompt else { return }
        opened[session]?.prompt = nil
        defer { askNext(in: session) }
        switch end {
        case .stopped(let reason): finish(prompt, .stopped(reason))
        case .failed(let words): finish(prompt, CommandFailure(words, .failure))
        case .held(let number):
            finish(
                prompt,
                CommandFailure("not asked, because the turn before it did not end as it should; ask it again", .failure)
            )
            Task { await host.dispatch(.agents(.withdrawPrompt(session: session, prompt: number))) }
        }
    }
}

extension JSONRPCMessage.Failure {
    /// What is named does not exist.
    fileprivate static let notFound = JSONRPCMessage.Failure(code: -32002, message: "not found")
    /// It could not be done.
    fileprivate static let failed = JSONRPCMessage.Failure(code: -32603, message: "it could not be done")
}
