import AppCore
import Errors
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
        ) {
            if let event = $0 { heard.continuation.yield(event) }
            return true
        }
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

    @Test func `the end of a turn that was begun before is the end of that turn`() async {
        let (heard, news) = AsyncStream<Event>.makeStream()
        let provider = GoingAgent([.text("x"), .link(.position(8)), .turnEnded(.done), .link(.position(9))])
        let agent = HostedAgent(EffectID(1), provider, name: "a", turn: 7, goesOn: true, after: nil) {
            if let event = $0 { news.yield(event) }
            return true
        }
        for await event in heard {
            guard case .agentTold(_, _, let deltas) = event else { continue }
            #expect(deltas.contains(.turnEnded(turn: 7, end: AgentTurnEnd(.done))))
            break
        }
        agent.take(.close(nil))
        await agent.end()
        #expect(provider.taken == [9])
    }

    @Test func `what is not on the disk is not acknowledged`() async {
        let isKept = Mutex(false)
        let provider = GoingAgent([.text("x"), .link(.position(8))])
        let agent = HostedAgent(EffectID(1), provider, name: "a", turn: 1, goesOn: true, after: nil) { _ in
            isKept.withLock { $0 }
        }
        try? await Task.sleep(for: .milliseconds(100))
        #expect(provider.taken.isEmpty)
        // The disk has room again, and the agent says nothing more.
        isKept.withLock { $0 = true }
        while provider.taken.isEmpty { try? await Task.sleep(for: .milliseconds(20)) }
        #expect(provider.taken == [8])
        agent.take(.close(EffectID(2)))
        await agent.end()
    }

    /// The person stops the turn, and has answered, before the next process can speak with the agent.
    @Test func `a stop and an answer wait for an agent that goes on`() async {
        let provider = GoingAgent([], waits: true)
        let agent = HostedAgent(EffectID(1), provider, name: "a", turn: 7, goesOn: true, after: nil) { _ in true }
        agent.take(.answer(EffectID(2), request: 3, option: "y"))
        agent.take(.prompt(EffectID(4), AgentPrompt("go", turn: 7)))
        agent.take(.cancel(EffectID(5)))
        try? await Task.sleep(for: .milliseconds(50))
        #expect(provider.done.isEmpty)
        provider.go()
        while provider.done.count < 3 { await Task.yield() }
        #expect(provider.done == ["prompt", "answer 3", "cancel"])
        agent.take(.close(nil))
        await agent.end()
    }

    @Test func `a turn that was stopped before the agent had it is not begun`() async {
        let provider = GoingAgent([], waits: true, hasBegun: false)
        let (heard, news) = AsyncStream<Event>.makeStream()
        let agent = HostedAgent(EffectID(1), provider, name: "a", turn: 7, goesOn: true, after: nil) {
            if let event = $0 { news.yield(event) }
            return true
        }
        agent.take(.prompt(EffectID(4), AgentPrompt("go", turn: 7)))
        agent.take(.cancel(EffectID(5)))
        provider.go()
        for await event in heard {
            guard case .agentTold(_, _, let deltas) = event else { continue }
            #expect(deltas == [.turnEnded(turn: 7, end: AgentTurnEnd(.stopped))])
            break
        }
        #expect(!provider.done.contains("prompt"))
        agent.take(.close(nil))
        await agent.end()
    }
}

/// An agent that went on without the host, and says at once what it said since.
private final class GoingAgent: AgentProvider {
    let events = AgentEvents()
    private let pending: [AgentEvent]
    private let gate = AsyncStream<Void>.makeStream()
    private let waits: Bool
    private let state = Mutex((taken: [Int](), done: [String]()))

    private let begun: Bool

    init(_ pending: [AgentEvent], waits: Bool = false, hasBegun: Bool = true) {
        (self.pending, self.waits, begun) = (pending, waits, hasBegun)
    }

    var taken: [Int] { state.withLock { $0.taken } }
    var done: [String] { state.withLock { $0.done } }
    func go() { gate.continuation.finish() }

    private func note(_ word: String) { state.withLock { $0.done.append(word) } }

    func start() async throws(AgentError) {
        if waits { for await _ in gate.stream {} }
        _ = events.add(pending)
    }

    var hasBegun: Bool { get async { begun } }
    func prompt(_ prompt: AgentPrompt) async throws(AgentError) { note("prompt") }
    func cancel() async { note("cancel") }
    func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        note("answer \(request.number)")
    }
    func heard(upTo position: Int) async { state.withLock { $0.taken.append(position) } }
    func leave() async { events.close() }
    func stop() async { events.finish(nil) }
}
