import AppCore
import Synchronization
import Testing

@testable import Agents
@testable import Host

/// An agent that starts and then never answers what was chosen, until it is stopped.
private final class StubbornAgent: AgentProvider {
    let events = AgentEvents()
    private let isChoosing = AsyncStream<Void>.makeStream()

    func start() async throws(AgentError) {}
    func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        for await _ in isChoosing.stream {}
        throw AgentError(.gone, "stopped")
    }
    func prompt(_ prompt: AgentPrompt) async throws(AgentError) { await events.send(.turnEnded(.done)) }
    func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {}
    func cancel() async {}
    func stop() async {
        isChoosing.continuation.finish()
        events.finish(nil)
    }
}

/// An agent of a session: what is wanted of it while it does not do its part.
@Suite(.timeLimit(.minutes(1))) struct HostedAgentTests {
    @Test func `an agent that never answers a choice can be stopped and closed`() async {
        let heard = AsyncStream<Event>.makeStream()
        let agent = HostedAgent(
            EffectID(1), StubbornAgent(), name: "a", chosen: [AgentChosen(kind: .mode, option: "plan")], after: nil
        ) { heard.continuation.yield($0) }
        agent.take(.prompt(EffectID(2), AgentPrompt("go", turn: 1)))
        agent.take(.cancel(EffectID(3)))
        agent.take(.close(EffectID(4)))
        await agent.end()
        heard.continuation.finish()
        var all: [Event] = []
        for await event in heard.stream { all.append(event) }
        let done = all.compactMap { if case .effectDone(let effect) = $0 { effect.number } else { nil } }
        #expect(Set(done) == [1, 2, 3, 4])
        #expect(!all.contains { if case .effectFailed = $0 { true } else { false } })
    }
}
