package import AgentProtocols
internal import Cryptography
internal import Errors
package import Networking
internal import Wire

/// An agent behind a jcode gateway, over a WebSocket.
///
/// A connection that breaks is made anew, and the session goes on where it was: ``AgentLinkEvent`` tells when nobody knows what the agent
/// does, and when it is known again. A prompt that is given meanwhile is sent once there is a connection, and arrives once.
package actor GatewayAgent: AgentProvider {
    /// Where the gateway is, and how it is asked.
    package struct Configuration: Sendable {
        /// Without a path.
        package var server: ServerURL
        package var token: GatewayToken
        /// The key that it must have; nil: the system's authorities decide, or there is no TLS.
        package var fingerprint: GatewayFingerprint?
        /// Where the agent works: an absolute path on the gateway's machine.
        package var folder: String
        /// What the gateway calls the session that is to be gone on with, if it still has it; see ``AgentEvent/opened(thread:goesOn:)``.
        package var thread: String?
        /// How long the start may take.
        package var patience = AgentLimits.startPatience
        /// How long a cancelled turn may go on.
        package var grace = AgentLimits.cancelGrace
        /// How often it is looked whether the gateway is there.
        package var ping = Duration.seconds(20)
        /// The first pause before it is tried again.
        package var pause = GatewayBackOff.first
        /// 0 up to 1, each time anew.
        package var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

        package init(
            server: ServerURL, token: GatewayToken, fingerprint: GatewayFingerprint? = nil, folder: String,
            thread: String? = nil
        ) {
            (self.server, self.token, self.fingerprint, self.folder) = (server, token, fingerprint, folder)
            self.thread = thread
        }
    }

    /// Bytes of one message of the gateway's: a history may be long.
    static let messageBytes = 16 << 20
    /// Bytes of messages that wait here before the gateway is held back.
    static let heldBytes = 4 << 20
    /// Bytes that wait to be sent.
    static let outgoingBytes = 8 << 20

    package nonisolated let events = AgentEvents()
    private let configuration: Configuration
    private var link: GatewayLink
    private var session: GatewaySession
    private var connection: WebSocketConnection?
    private var work: Task<Void, Never>?
    private var starter: CheckedContinuation<Result<Void, AgentError>, Never>?
    private var wasReady = false
    /// Who waits for the answer to what they chose.
    private var choosers: [UInt64: CheckedContinuation<Result<Void, AgentError>, Never>] = [:]
    /// Counts turns, so that the end of one is not taken for that of another.
    private var turns = 0
    private var end: AgentError??

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        link = GatewayLink(unit: configuration.pause)
        session = GatewaySession(
            name: configuration.server.description, folder: configuration.folder, thread: configuration.thread,
            instance: Self.instance(of: configuration.token))
    }

    private var name: String { session.name }

    /// The same after a restart of this process, so that the gateway gives a session back that it believes to be in use.
    private static func instance(of token: GatewayToken) -> String {
        let digest = HashFunction.sha256.digest(Array("alcove instance \(token.text)".utf8))
        return Base64URL.encode(digest.prefix(16))
    }

    // MARK: What a person does

    package func start() async throws(AgentError) {
        guard work == nil, end == nil else { throw AgentError(.busy, "\(name) was started already") }
        let patience = configuration.patience
        let deadline = Task {
            try await Task.sleep(for: patience)
            await self.startTookTooLong()
        }
        defer { deadline.cancel() }
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, AgentError>, Never>) in
            starter = continuation
            work = Task { await self.run() }
        }
        try outcome.get()
    }

    /// The protocol tells them to whoever has a session: this one is left before anything is asked in it.
    package func sessions() async throws(AgentError) -> [ListedSession]? {
        try await start()
        await stop()
        return session.listed
    }

    private func startTookTooLong() async {
        guard !wasReady else { return }
        await finish(AgentError(.silent, "\(name) did not answer within \(configuration.patience)"))
    }

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        try prompt.check()
        guard wasReady, end == nil else { throw AgentError(.notRunning, "\(name) was not started, or is over") }
        let steps = try session.prompt(prompt)
        turns += 1
        await perform(steps)
    }

    package func cancel() async { await perform(session.cancel()) }

    package func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        await perform(try session.give(request, text))
    }

    package var takesInterjections: Bool { session.wasJoined && !session.isOfAlcove }

    package func interject(_ text: String, number: Int) async throws(AgentError) {
        guard text.utf8.count <= AgentLimits.promptBytes else {
            throw AgentError(.tooLarge, "a message has at most \(AgentLimits.promptBytes) bytes")
        }
        await perform(try session.interject(text, number: number))
    }

    package func takeBack(interjection number: Int) async { await perform(session.takeBack(interjection: number)) }

    package func sendToolToBackground() async throws(AgentError) {
        await perform(try session.sendToolToBackground())
    }

    /// A gateway asks for nothing but input for tools, which this refuses.
    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        await perform(try session.answer(request))
    }

    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        guard end == nil else { throw AgentError(.notRunning, "\(name) is over") }
        let (id, steps) = try session.choose(kind, option)
        let patience = configuration.patience
        let deadline = Task {
            try await Task.sleep(for: patience)
            self.chose(id, AgentError(.silent, "\(self.name) did not answer within \(patience)"))
        }
        defer { deadline.cancel() }
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, AgentError>, Never>) in
            choosers[id] = continuation
            for case .send(let request) in steps { send(request) }
        }
        try outcome.get()
    }

    private func chose(_ id: UInt64, _ error: AgentError?) {
        choosers.removeValue(forKey: id)?.resume(returning: error.map { .failure($0) } ?? .success(()))
    }

    package func stop() async {
        // Nobody here hears any more whether it was read, and the turn may go on there.
        await perform(session.dropInterjection())
        await finish(nil)
    }

    // MARK: The connection

    private func run() async {
        var steps = link.start()
        while end == nil, let step = steps.first {
            switch step {
            case .connect: steps = await connect()
            case .wait(let until):
                try? await Task.sleep(until: until, clock: .continuous)
                steps = link.timeCame(now: .now)
            case .giveUp(let code): return await giveUp(code, after: nil)
            }
        }
    }

    /// Connects, and uses the connection while it lasts.
    private func connect() async -> [GatewayLink.Step] {
        let loss: GatewayLink.Loss
        do throws(NetworkingError) {
            let connection = try await WebSocketClient.connect(to: address, configuration: options)
            guard end == nil else {
                connection.abort()
                return []
            }
            link.opened(now: .now)
            loss = await use(connection)
        } catch {
            loss = GatewayLink.Loss(error)
        }
        guard end == nil else { return [] }
        await perform(session.disconnected())
        let steps = link.lost(loss, now: .now, chance: configuration.chance())
        guard wasReady || session.isThreadUnknown || session.refusals > 0 else {
            // Whoever starts it is there, and can try again.
            if case .giveUp(let code)? = steps.first {
                await giveUp(code, after: loss)
            } else {
                await finish(AgentError(.unreachable, "\(name) cannot be reached, or closed the connection"))
            }
            return []
        }
        if case .giveUp(let code)? = steps.first {
            await giveUp(code, after: loss)
            return []
        }
        return steps
    }

    private var address: ServerURL {
        let server = configuration.server
        return ServerURL(host: server.host, port: server.port, isSecure: server.isSecure, path: server.path + "/ws")
    }

    private var options: WebSocketClientConfiguration {
        var options = WebSocketClientConfiguration()
        options.headers["authorization"] = "Bearer \(configuration.token.text)"
        if let fingerprint = configuration.fingerprint { options.trust = .key(sha256: fingerprint.bytes) }
        options.pingInterval = configuration.ping
        options.messageLimit = Self.messageBytes
        options.queueLimit = Self.outgoingBytes
        options.heldBytes = Self.heldBytes
        // Bytes are the bound: each message counts for 64 at least.
        options.eventLimit = Self.messageBytes / 64
        return options
    }

    private func use(_ connection: WebSocketConnection) async -> GatewayLink.Loss {
        self.connection = connection
        var loss = GatewayLink.Loss.unreachable
        await perform(session.connected())
        for await event in connection.events where end == nil {
            connection.took(event)
            switch event {
            case .text(let text):
                for line in text.utf8.split(separator: UInt8(ascii: "\n")) where end == nil {
                    await perform(session.receive(Array(line)))
                }
            // The protocol has none.
            case .binary: break
            case .closed(let code, _): loss = .closed(code: code.rawValue)
            }
            // A gateway that says much must not keep a person from stopping it.
            await Task.yield()
        }
        self.connection = nil
        connection.abort()
        return loss
    }

    // MARK: Steps

    private func perform(_ steps: [GatewaySession.Step]) async {
        for step in steps where end == nil {
            switch step {
            case .send(let request): send(request)
            case .tell(let event): await events.send(event)
            case .ready:
                wasReady = true
                resolve(.success(()))
            case .chose(let id, let error): chose(id, error)
            case .restartAnnounced: link.announcedRestart()
            case .comeBackLater: connection?.abort()
            case .graceBegins: watchEnd(of: turns)
            case .giveUp(let error): await finish(error)
            }
        }
    }

    /// What cannot be sent is sent after the next connection.
    private func send(_ request: GatewayRequest) {
        do { try connection?.send(request.text) } catch { connection?.abort() }
    }

    private func watchEnd(of turn: Int) {
        let grace = configuration.grace
        Task {
            try? await Task.sleep(for: grace)
            await self.giveUp(turn)
        }
    }

    private func giveUp(_ cancelled: Int) async {
        // Without a connection nobody can say that it goes on.
        guard turns == cancelled, session.turn?.isCancelled == true, session.isReady else { return }
        await finish(AgentError(.silent, "\(name) went on after its turn was cancelled, and was let go"))
    }

    private func giveUp(_ code: AgentErrorCode, after loss: GatewayLink.Loss?) async {
        let words =
            switch (code, loss) {
            case (.unauthorized, .wrongKey): "shows another key than the one that was paired; nothing was sent to it"
            case (.unauthorized, _): "does not let this device in any more; pair with it again"
            case (.refused, _): "offers no gateway at this address"
            case (.notUnderstood, _): "does not take what it is sent"
            default: "could not be reached for \(GatewayLink.patience)"
            }
        await finish(AgentError(code, "\(name) \(words)"))
    }

    private func resolve(_ outcome: Result<Void, AgentError>) {
        starter?.resume(returning: outcome)
        starter = nil
    }

    /// Ends everything, once. The first reason counts.
    private func finish(_ error: AgentError?) async {
        guard end == nil else { return }
        end = .some(error)
        link.stop()
        events.finish(error)
        let over = error ?? AgentError(.notRunning, "\(name) was stopped")
        resolve(.failure(over))
        for id in choosers.keys { chose(id, over) }
        connection?.close(.goingAway)
        work?.cancel()
        // The goodbye is sent; nobody waits for the answer.
        let connection = connection
        Task {
            try? await Task.sleep(for: .seconds(1))
            connection?.abort()
        }
    }
}
