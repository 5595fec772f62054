import Errors
import Synchronization

@testable import Agents

/// An agent without a protocol: it says what its script says, and waits where that says so.
final class ScriptedAgent: AgentProvider {
    enum Line: Sendable {
        case say(AgentEvent)
        /// Until ``go()``, or a stop.
        case wait
        /// Asks whether it may, and says the answer.
        case ask(AgentToolCall)
        /// Wants to be given something, and says it.
        case want(AgentPermission.Input)
    }

    private struct State {
        var script: [Line] = []
        var prompts: [AgentPrompt] = []
        var turn: Task<Void, Never>?
        var gate: CheckedContinuation<Void, Never>?
        var mayGo = 0
        var answer: CheckedContinuation<String?, Never>?
        var request = 0
        var isCancelled = false
    }

    let events = AgentEvents()
    let folder: String
    private let state: Mutex<State>

    init(_ script: [Line], folder: String) {
        self.folder = folder
        state = Mutex(State(script: script))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    var prompts: [String] { state.withLock { $0.prompts.map(\.text) } }
    var pictures: [[PromptPicture]] { state.withLock { $0.prompts.map(\.pictures) } }

    func start() async throws(AgentError) {}

    func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        let script = state.withLock { state in
            state.prompts.append(prompt)
            (state.isCancelled, state.mayGo) = (false, 0)
            return state.script
        }
        let turn = Task {
            for line in script where !state.withLock({ $0.isCancelled }) { await perform(line) }
            await events.send(.turnEnded(state.withLock { $0.isCancelled } ? .cancelled : .done))
        }
        state.withLock { $0.turn = turn }
    }

    private func perform(_ line: Line) async {
        switch line {
        case .say(let event): await events.send(event)
        case .wait:
            await withCheckedContinuation { continuation in
                let mayGo = state.withLock { state in
                    guard state.mayGo == 0, !state.isCancelled else {
                        state.mayGo = max(state.mayGo - 1, 0)
                        return true
                    }
                    state.gate = continuation
                    return false
                }
                if mayGo { continuation.resume() }
            }
        case .ask(let call):
            let id = state.withLock { state in
                state.request += 1
                return AgentPermission.ID(number: state.request)
            }
            let options = ["allow_once", "reject_once"].map { AgentPermission.Option(id: $0, name: $0, kind: $0) }
            await events.send(.permission(AgentPermission(id: id, toolCall: call, options: options)))
            let answer = await withCheckedContinuation { continuation in state.withLock { $0.answer = continuation } }
            await events.send(.text(AgentText(answer ?? "cancelled")))
        case .want(let input):
            let id = state.withLock { state in
                state.request += 1
                return AgentPermission.ID(number: state.request)
            }
            var call = AgentToolCall(id: "t")
            call.results = [.text("Password:")]
            await events.send(.permission(AgentPermission(id: id, toolCall: call, options: [], input: input)))
            let answer = await withCheckedContinuation { continuation in state.withLock { $0.answer = continuation } }
            await events.send(.text(AgentText(answer.map { "got \($0.count) letters" } ?? "cancelled")))
        }
    }

    func go() {
        let gate = state.withLock { state in
            if state.gate == nil { state.mayGo += 1 }
            return state.gate.take()
        }
        gate?.resume()
    }

    func cancel() async {
        let (gate, answer) = state.withLock { state in
            state.isCancelled = true
            return (state.gate.take(), state.answer.take())
        }
        gate?.resume()
        answer?.resume(returning: nil)
    }

    func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        let answer = state.withLock { state in request.number == state.request ? state.answer.take() : nil }
        guard let answer else { throw AgentError(.gone, "gone") }
        answer.resume(returning: option)
    }

    func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        guard option != "refused" else { throw AgentError(.refused, "not this one") }
        events.add(.chosen(kind, option))
    }

    func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        try await answer(request, option: text)
    }

    func stop() async {
        await cancel()
        await state.withLock { $0.turn }?.value
        events.finish(nil)
    }
}
