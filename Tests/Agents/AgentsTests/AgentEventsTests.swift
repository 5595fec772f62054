import Testing

@testable import Agents

/// What one reader gets of an agent's events, and when.
@Suite(.timeLimit(.minutes(1))) struct AgentEventsTests {
    private let text = AgentEvent.text(AgentText(String(repeating: "x", count: 1000)))

    @Test func `an event comes with the position it was added with, however full the batch is`() async {
        let events = AgentEvents()
        for position in 1...3 { _ = events.add([text, .link(.position(position))]) }
        #expect(await events.next(upTo: 1) == [text, .link(.position(1))])
        #expect(await events.next(upTo: 1200) == [text, .link(.position(2)), text, .link(.position(3))])
    }

    @Test func `a reader that waits gets no event without its position`() async {
        let events = AgentEvents()
        let reader = Task { await events.next(upTo: 1) }
        while !reader.isCancelled, !events.isAwaited { await Task.yield() }
        _ = events.add([text, .link(.position(1))])
        #expect(await reader.value == [text, .link(.position(1))])
    }
}
