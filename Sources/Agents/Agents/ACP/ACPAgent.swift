internal import AgentProtocols
internal import Errors
internal import Wire

/// An agent that speaks the Agent Client Protocol, version 1, in a program of its own.
///
/// It is offered neither files nor terminals of this side: what it does, it does itself, in its folder, and asks about first as its own settings say.
package actor ACPAgent: AgentProvider {
    package nonisolated let events = AgentEvents()

    typealias Answer = Result<JSONObject, AgentError>

    /// A question of ours that waits for its answer.
    struct Waiter {
        let method: ACPMethod
        let answer: CheckedContinuation<Answer, Never>
    }

    /// The turn that is under way.
    struct Turn {
        let id: JSONRPCMessage.ID
        var isCancelled = false
    }

    let program: AgentProgram
    let tools: [ToolServer]
    /// What the agent calls the session that it is to go on with.
    let thread: String?
    private let patience: Duration
    private let grace: Duration
    var process: AgentProcess?
    var splitter = LineSplitter()
    private var nextID = 1
    var waiters: [JSONRPCMessage.ID: Waiter] = [:]
    var session: String?
    /// What it tells of what was said before; nil when it tells nothing of that.
    var retelling: AgentRetelling?
    /// Whether it takes pictures.
    package private(set) var seesPictures: Bool?
    /// Whether it is asked to tell what was said before.
    let retells: Bool
    /// How each kind of thing is chosen.
    var ways: [AgentSetting.Kind: Way] = [:]
    var turn: Turn?
    var nextPermission = 1
    /// Open requests: the agent's id for each, and what it can be answered with.
    var open: [AgentPermission.ID: (request: JSONRPCMessage.ID, options: Set<String>)] = [:]
    var unreadable = 0
    /// Why it is over; nil inside if it was stopped by us.
    private var end: AgentError??

    /// - Parameters:
    ///   - tools: what the agent is offered to use, by its own choice.
    ///   - thread: the session that it is to go on with, if it can; see ``AgentEvent/opened(thread:goesOn:)``.
    ///   - retells: whether it should rather tell all of that session again, because nobody knows what it did last.
    ///   - patience: how long each answer of the start may take.
    ///   - grace: how long a cancelled turn may go on.
    package init(
        _ program: AgentProgram, tools: [ToolServer] = [], thread: String? = nil, retells: Bool = false,
        patience: Duration = AgentLimits.startPatience, grace: Duration = AgentLimits.cancelGrace
    ) {
        (self.program, self.tools, self.thread, self.retells) = (program, tools, thread, retells)
        (self.patience, self.grace) = (patience, grace)
    }

    /// The last of what the program said on its standard error: a stranger's words.
    package var log: String { process?.standardError ?? "" }

    /// Bytes of the program and of its line that wait here.
    var heldBytes: Int { splitter.heldBytes + events.heldBytes }

    // MARK: What a person does

    package func start() async throws(AgentError) {
        try await launch()
        do {
            let capabilities = try await greeting()["agentCapabilities"]?.object ?? [:]
            seesPictures = capabilities["promptCapabilities"]?.object?["image"] == .bool(true)
            try await openSession(capabilities)
        } catch {
            await finish(error)
            throw error
        }
    }

    /// Starts the program.
    func launch() async throws(AgentError) {
        guard process == nil, end == nil else { throw AgentError(.busy, "\(program.name) was started already") }
        let process = try await AgentProcess.start(program)
        self.process = process
        Task { await self.listen(to: process) }
    }

    /// What the agent says of itself.
    func greeting() async throws(AgentError) -> JSONObject {
        let answer = try await ask(
            .initialize,
            [
                "protocolVersion": .number(String(ACPMethod.version)),
                "clientCapabilities": ["fs": ["readTextFile": false, "writeTextFile": false], "terminal": false],
                "clientInfo": ["name": "alcove", "version": "1"],
            ])
        guard answer.count("protocolVersion") == ACPMethod.version else {
            throw AgentError(.otherVersion, "\(program.name) speaks another version of the protocol")
        }
        return answer
    }

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        try prompt.check()
        guard let session, end == nil else { throw AgentError(.notRunning, "\(program.name) is not running") }
        guard turn == nil else { throw AgentError(.busy, "\(program.name) is at work already") }
        guard prompt.pictures.isEmpty || seesPictures == true else {
            throw AgentError(.noPictures, "\(program.name) takes no pictures")
        }
        let content =
            [ACPContent(text: prompt.text)] + prompt.pictures.map { ACPContent(image: $0.type, base64: $0.base64) }
        let id = freshID()
        let isTaken = send(
            .request(
                id, method: ACPMethod.sessionPrompt.rawValue,
                parameters: ["sessionId": .string(session), "prompt": .array(content.map { .object($0.object) })]))
        guard isTaken else { throw AgentError(.silent, "\(program.name) does not take what it is given") }
        turn = Turn(id: id)
    }

    package func cancel() async {
        guard let turn, !turn.isCancelled, let session else { return }
        self.turn?.isCancelled = true
        for id in open.keys.sorted(by: { $0.number < $1.number }) { close(id, with: ACPPermissionRequest.cancelled) }
        send(.notification(method: ACPMethod.sessionCancel.rawValue, parameters: ["sessionId": .string(session)]))
        let grace = grace
        Task {
            try? await Task.sleep(for: grace)
            await self.giveUp(turn.id)
        }
    }

    private func giveUp(_ cancelled: JSONRPCMessage.ID) async {
        guard turn?.id == cancelled else { return }
        await finish(AgentError(.silent, "\(program.name) went on after its turn was cancelled, and was ended"))
    }

    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        guard let asked = open[request], option.map(asked.options.contains) ?? true else {
            throw AgentError(.gone, "the request is not open any more")
        }
        open[request] = nil
        let answer = option.map(ACPPermissionRequest.selected) ?? ACPPermissionRequest.cancelled
        guard send(.result(asked.request, answer)) else {
            throw AgentError(.silent, "\(program.name) does not take what it is given")
        }
    }

    package func stop() async { await finish(nil) }

    // MARK: Messages

    /// Answers an open request without the person.
    func close(_ id: AgentPermission.ID, with answer: JSONValue) {
        guard let asked = open.removeValue(forKey: id) else { return }
        send(.result(asked.request, answer))
        events.add(.permissionGone(id))
    }

    @discardableResult
    func send(_ content: JSONRPCMessage.Content) -> Bool { process?.write(JSONRPCMessage(content).line) ?? false }

    private func freshID() -> JSONRPCMessage.ID {
        defer { nextID += 1 }
        return .number(String(nextID))
    }

    /// Asks the agent, and waits for its answer.
    /// - Parameter limit: how long it may take; nil: as long as any answer of the start.
    func ask(
        _ method: ACPMethod, _ parameters: JSONObject, within limit: Duration? = nil
    ) async throws(AgentError) -> JSONObject {
        let id = freshID()
        let (name, patience) = (program.name, limit ?? patience)
        let deadline = Task {
            try await Task.sleep(for: patience)
            self.resolve(id, .failure(AgentError(.silent, "\(name) did not answer within \(patience)")))
        }
        defer { deadline.cancel() }
        return try await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            if let end { return continuation.resume(returning: .failure(end ?? notRunning)) }
            waiters[id] = Waiter(method: method, answer: continuation)
            send(.request(id, method: method.rawValue, parameters: parameters))
        }.get()
    }

    private var notRunning: AgentError { AgentError(.notRunning, "\(program.name) is not running") }

    /// Gives an answer to whoever waits for it.
    /// - Returns: false if nobody does.
    @discardableResult
    func resolve(_ id: JSONRPCMessage.ID, _ answer: Answer) -> Bool {
        guard let waiter = waiters.removeValue(forKey: id) else { return false }
        waiter.answer.resume(returning: answer)
        return true
    }

    // MARK: The end

    private func listen(to process: AgentProcess) async {
        while let bytes = await process.read(), end == nil {
            for line in splitter.read(bytes) where end == nil { await receive(line) }
            // An agent that says much must not keep a person from stopping it.
            await Task.yield()
        }
        // It is on its way out, and this returns when it is gone.
        await process.stop()
        await finish(AgentError(.ended, "\(program.name) \(process.end?.words ?? "ended")"))
    }

    /// Ends everything, once. The first reason counts.
    func finish(_ error: AgentError?) async {
        if end == nil {
            end = .some(error)
            turn = nil
            open = [:]
            for id in Array(waiters.keys) { resolve(id, .failure(error ?? notRunning)) }
            events.finish(error)
        }
        await process?.stop()
    }
}

extension AgentProcess.End {
    /// After the name of the program.
    fileprivate var words: String {
        switch self {
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was ended by signal \(signal)"
        case .unknown: "ended"
        }
    }
}
