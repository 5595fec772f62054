internal import AgentProtocols
internal import Synchronization
internal import Wire

/// An agent whose words are kept for another person before anybody here hears them.
package final class JournaledAgent: AgentProvider {
    package let events = AgentEvents()
    private let agent: any AgentProvider
    private let journal: SharedJournal
    private let mayAllow: @Sendable (AgentToolCall) -> Bool
    private let ended: @Sendable () -> Void
    private let reader = Mutex<Task<Void, Never>?>(nil)
    private let isLeaving = Mutex(false)

    /// - Parameters:
    ///   - mayAllow: whether it is up to the other person to allow a call; they can reject any.
    ///   - ended: hears once that it is over and all that it said is kept.
    package init(
        _ agent: any AgentProvider, journal: SharedJournal,
        mayAllow: @escaping @Sendable (AgentToolCall) -> Bool = { _ in true }, ended: @escaping @Sendable () -> Void
    ) {
        (self.agent, self.journal, self.mayAllow, self.ended) = (agent, journal, mayAllow, ended)
    }

    /// Bytes of events that are kept at once, about.
    private static let batch = 64 << 10

    package func start() async throws(AgentError) {
        reader.withLock { reader in
            if reader == nil { reader = Task { await self.read() } }
        }
        try await agent.start()
    }

    private func read() async {
        var (isOver, calls) = (false, ServedCalls())
        while !isOver, let batch = await agent.events.next(upTo: Self.batch) {
            let (new, position) = self.new(in: batch)
            let isOpen = journal.summary.isOpen || new.count > 1
            await journal.append(new.flatMap { $0.isEnd && !isOpen ? [] : shared($0, &calls) }, upTo: position)
            if batch.contains(where: \.endsTurn) { journal.turnEnded() }
            // What was said and up to where it goes stay one step.
            let end = batch.firstIndex(where: \.isEnd) ?? batch.endIndex
            await events.send(Array(batch[..<end]))
            if case .ended(let error)? = batch.dropFirst(end).first {
                isOver = true
                ended()
                events.finish(error)
            }
        }
        if isLeaving.withLock({ $0 }) {
            ended()
            events.close()
        } else if !isOver {
            if journal.summary.isOpen { journal.add([SharedEvent(.ended)]) }
            ended()
            events.finish(nil)
        }
    }

    /// What is not in the journal yet. An agent under a supervisor says again what this process's host did not keep, and the journal may have it.
    /// - Returns: its events, and the position of the last one.
    private func new(in batch: [AgentEvent]) -> (events: [AgentEvent], position: Int?) {
        var (new, pending, position): ([AgentEvent], [AgentEvent], Int?) = ([], [], nil)
        for event in batch {
            switch event {
            case .link(.supervised(let supervisor)): journal.supervised(by: supervisor)
            case .link(.position(let reached)):
                if reached > journal.summary.heard { new += pending }
                (pending, position) = ([], reached)
            default: pending.append(event)
            }
        }
        return (new + pending, position)
    }

    /// What the other person is told of an event.
    /// - Parameter calls: what is known of the calls of tools, because a request may name one that was told before.
    private func shared(_ event: AgentEvent, _ calls: inout ServedCalls) -> [SharedEvent] {
        switch event {
        // Why something failed, in the words of an agent or a server: these could name what is none of the member's business.
        case .remark: return []
        case .toolCall(let call): _ = calls.take(call, isWhole: true)
        case .toolCallChanged(let call): _ = calls.take(call, isWhole: false)
        case .permission(var asked) where asked.input == nil && !mayAllow(calls.merged(asked.toolCall)):
            // Otherwise they would read that they allowed what stays open here.
            asked.options.removeAll { !$0.kind.hasPrefix("reject") }
            return AgentEvent.permission(asked).shared
        default: break
        }
        return event.shared
    }

    package func prompt(_ prompt: AgentPrompt) async throws(AgentError) {
        journal.open()
        // Before anything that comes of it. A turn that was begun before this process is gone on with.
        if prompt.turn ?? .max > journal.summary.turn { journal.add([begin(of: prompt)]) }
        do throws(AgentError) {
            try await agent.prompt(prompt)
        } catch {
            journal.add(AgentEvent.turnEnded(.failed(error)).shared)
            throw error
        }
    }

    private func begin(of prompt: AgentPrompt) -> SharedEvent {
        SharedEvent(.turnBegan, ["turn": .count(prompt.turn ?? journal.summary.turn + 1)])
    }

    /// The member waits for the end of a turn that never began.
    package func withdraw(_ prompt: AgentPrompt) async {
        guard prompt.turn ?? .max > journal.summary.turn else { return }
        journal.add([begin(of: prompt)] + AgentEvent.turnEnded(.cancelled).shared)
    }

    /// The member may be away, and the agent held back: it has to be heard to end.
    package func cancel() async {
        journal.close()
        await agent.cancel()
    }

    package func answer(_ request: AgentPermission.ID, option: String?) async throws(AgentError) {
        try await agent.answer(request, option: option)
        journal.add(AgentEvent.permissionGone(request).shared)
    }

    package func give(_ request: AgentPermission.ID, _ text: String) async throws(AgentError) {
        try await agent.give(request, text)
        journal.add(AgentEvent.permissionGone(request).shared)
    }

    /// It is the owner who chooses, and to whom the log belongs: the member hears of neither.
    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        try await agent.choose(kind, option)
    }

    package var seesPictures: Bool? { get async { await agent.seesPictures } }
    package var hasBegun: Bool { get async { await agent.hasBegun } }
    package var log: String { get async { await agent.log } }

    package func heard(upTo position: Int) async { await agent.heard(upTo: position) }

    package func leave() async {
        isLeaving.withLock { $0 = true }
        // Nobody reads any more how it goes on.
        journal.end()
        await agent.leave()
        endUnread()
    }

    package func stop() async {
        journal.end()
        await agent.stop()
        endUnread()
    }

    /// One that was never started says nothing.
    private func endUnread() {
        let isRead = reader.withLock { $0 != nil }
        guard !isRead else { return }
        ended()
        events.finish(nil)
    }
}

extension AgentEvent {
    /// The end of an agent that never said anything is not kept: nobody waits for it.
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }

    fileprivate var endsTurn: Bool { if case .turnEnded = self { true } else { false } }
}
