internal import AgentProtocols
internal import Errors
package import Networking

/// An agent that is a model behind the chat completions API, as Ollama, llama.cpp, LM Studio and vLLM serve it. The server keeps nothing, so the
/// conversation is here, and goes there as a whole with each prompt. No tools are offered.
package actor CompletionsAgent: AgentProvider {
    /// Where the model is.
    package struct Configuration: Sendable, Hashable {
        /// `/v1` stands for a path that is not given.
        package var server: ServerURL
        /// Nil: the first one that it lists.
        package var model: String?
        /// A file with the key alone. It is read for each prompt, and kept nowhere.
        package var keyFile: String?
        /// A key that was kept elsewhere; a file goes before it.
        package var key: AgentKey?
        /// How long the server may be silent.
        package var patience: Duration

        package init(
            server: ServerURL, model: String? = nil, keyFile: String? = nil, key: AgentKey? = nil,
            patience: Duration = .seconds(300)
        ) {
            (self.server, self.model, self.keyFile, self.key) = (server, model, keyFile, key)
            self.patience = patience
        }
    }

    /// Bytes of the conversation that are sent along; the oldest messages go first.
    static let historyBytes = 8 << 20

    package nonisolated let events = AgentEvents()
    let configuration: Configuration
    let client: HTTPClient
    private var messages: [CompletionRequest.Message] = []
    /// The model that is asked; `nil` while nobody has said which, and the server lists none.
    var model: String?
    /// Whether the server is asked for the cost of an answer: until it refuses that.
    var wantsUsage = true
    private var turn: Task<Void, Never>?
    private(set) var turns = 0
    private var (isRunning, isOver) = (false, false)

    /// - Parameter said: what was said in the conversation before, which the server is told.
    package init(_ configuration: Configuration, said: [AgentSaid] = [], client: HTTPClient = HTTPClient()) {
        var configuration = configuration
        let server = configuration.server
        if server.path.isEmpty {
            configuration.server = ServerURL(
                host: server.host, port: server.port, isSecure: server.isSecure, path: "/v1")
        }
        self.configuration = configuration
        self.client = client
        model = configuration.model
        messages = said.filter { !$0.answer.isEmpty }.flatMap {
            [CompletionRequest.Message(.user, $0.prompt), CompletionRequest.Message(.assistant, $0.answer)]
        }
    }

    /// Checks what can be checked without the server.
    package func start() async throws(AgentError) {
        guard !isOver else { throw notRunning }
        _ = try authorization()
        isRunning = true
        // Many servers have several, and none has to say so.
        Task { await self.offer((try? self.models()) ?? []) }
    }

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        try prompt.check()
        guard isRunning, !isOver else { throw notRunning }
        guard turn == nil else { throw AgentError(.busy, "\(configuration.server) is at work already") }
        let key = try authorization()
        turns += 1
        let question = CompletionRequest.Message(
            .user, prompt.text, pictures: prompt.pictures.map { "data:\($0.type);base64,\($0.base64)" })
        turn = Task {
            let request = CompletionRequest(
                model: await self.usualModel(), messages: (messages + [question]).latest(bytes: Self.historyBytes),
                wantsUsage: wantsUsage)
            let (stop, answer) = await self.answer(to: request, authorization: key)
            await self.end(stop, question, answer)
        }
    }

    /// What was said stays in the conversation, also of a turn that was cancelled. One that failed can be tried again as if it had not been. One without
    /// an answer is left out: question and answer take turns, and many servers take no empty message.
    private func end(_ stop: AgentStop, _ question: CompletionRequest.Message, _ answer: String) async {
        if case .failed = stop {
        } else if !answer.isEmpty {
            let said = messages + [question, CompletionRequest.Message(.assistant, answer)]
            messages = said.latest(bytes: Self.historyBytes)
        }
        turn = nil
        await events.send(.turnEnded(stop))
    }

    /// Another model, from the next turn on. The server says then whether it has it.
    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        guard kind == .model, !option.isEmpty else {
            throw AgentError(.gone, "\(configuration.server) offers nothing of this kind to choose")
        }
        model = option
        events.add(.chosen(.model, option))
    }

    package func cancel() async { turn?.cancel() }

    /// A model asks for nothing.
    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        throw AgentError(.gone, "the request is not open any more")
    }

    package func stop() async {
        guard !isOver else { return }
        isOver = true
        events.finish(nil)
        turn?.cancel()
        await turn?.value
    }

    private var notRunning: AgentError {
        AgentError(.notRunning, "\(configuration.server) was not started, or is over")
    }
}
