import AgentProtocols
import Synchronization
import Testing
import Wire

@testable import Agents

/// The log of a shared session while agents run: who waits, and what is kept.
@Suite(.timeLimit(.minutes(2))) struct SharedJournalTests {
    private final class Store: SharedLogStore {
        let kept = Mutex<[SharedLog.Entry]>([])

        func save(_ summary: SharedLog.Summary, adding entries: [SharedLog.Entry], droppingBefore first: Int) throws {
            kept.withLock { kept in
                kept.removeAll { $0.sequence < first }
                kept += entries
            }
        }
    }

    private static let large = SharedEvent(.text, ["text": .string(String(repeating: "x", count: 30_000))])

    @Test func `an agent that says more than is taken waits, and goes on when it was`() async {
        let store = Store()
        let journal = SharedJournal(session: "s", log: SharedLog(), store: store)
        let sent = Mutex(0)
        journal.follow(after: 0, isLive: true) { frame in
            if case .event(_, let sequence, _) = frame { sent.withLock { $0 = sequence } }
        }
        let agent = Task {
            for _ in 0..<1000 { await journal.append([Self.large]) }
        }
        // A member who takes what comes.
        var taken = 0
        while taken < 1000 {
            taken = sent.withLock { $0 }
            #expect(journal.count < 200)
            journal.received(through: taken)
            await Task.yield()
        }
        await agent.value
        #expect(journal.summary.next == 1001)
        #expect(store.kept.withLock { $0.count } == journal.count)
    }

    @Test func `an agent that is being stopped does not wait for a member who is away`() async {
        let journal = SharedJournal(session: "s", log: SharedLog(), store: Store())
        let agent = Task {
            while !Task.isCancelled, journal.count < 400 { await journal.append([Self.large]) }
        }
        while journal.count < 130 { await Task.yield() }
        journal.close()
        await agent.value
        #expect(journal.count == 400)
        journal.open()
        let waits = journal.add([Self.large])
        #expect(waits)
    }

    @Test func `an agent that goes on after its turn is held back again, unless it is being ended`() {
        let journal = SharedJournal(session: "s", log: SharedLog(), store: Store())
        for _ in 0..<200 { journal.add([Self.large]) }
        journal.close()
        #expect(!journal.add([Self.large]), "until it has ended the turn")
        journal.turnEnded()
        #expect(journal.add([Self.large]))
        journal.end()
        journal.turnEnded()
        #expect(!journal.add([Self.large]))
    }

    @Test func `what is discarded is not kept`() {
        let store = Store()
        let journal = SharedJournal(session: "s", log: SharedLog(), store: store)
        journal.add([Self.large])
        journal.discard()
        journal.add([Self.large])
        #expect(store.kept.withLock { $0.count } == 1)
    }

    @Test func `an end that nobody told is told to whoever comes back`() {
        let journal = SharedJournal(session: "s", log: SharedLog(), store: Store())
        journal.add([SharedEvent(.turnBegan, ["turn": 1])])
        let frames = Mutex<[SharingFrame.Content]>([])
        for isLive in [true, false, false] {
            frames.withLock { $0 = [] }
            journal.follow(after: 1, isLive: isLive) { frame in frames.withLock { $0.append(frame) } }
            let events = frames.withLock { $0.dropFirst() }
            #expect(events.count == (isLive ? 0 : 1))
        }
        #expect(frames.withLock { $0.first } == .state(session: "s", first: 1, last: 2, turn: 1))
    }

    @Test func `the member hears the end of a turn that was stopped before the agent was ready`() async {
        let store = Store()
        let journal = SharedJournal(session: "s", log: SharedLog(), store: store)
        let agent = JournaledAgent(ScriptedAgent([], folder: "/"), journal: journal) {}
        await agent.withdraw(AgentPrompt("go", turn: 3))
        let kept = store.kept.withLock { $0.map(\.event) }
        #expect(kept.map(\.kind) == [.turnBegan, .turnEnded] && kept.first?.object.count("turn") == 3)
    }
}
