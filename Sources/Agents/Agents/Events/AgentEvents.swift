internal import Synchronization

/// The events of an agent on their way to one reader. It holds a bounded amount; whoever sends more waits.
package final class AgentEvents: AsyncSequence, Sendable {
    package typealias Element = AgentEvent
    package typealias Failure = Never

    /// What waits for the reader before senders wait, in bytes of text.
    package static let highWater = 4 << 20

    private struct State {
        var queue: [AgentEvent] = []
        var first = 0
        var cost = 0
        var isOver = false
        var reader: CheckedContinuation<AgentEvent?, Never>?
        var senders: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    init() {}

    /// Bytes of text that wait for the reader.
    package var heldBytes: Int { state.withLock { $0.cost } }

    /// Whether a reader waits for the next event.
    var isAwaited: Bool { state.withLock { $0.reader != nil } }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        package typealias Element = AgentEvent
        package typealias Failure = Never
        let events: AgentEvents

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> AgentEvent? {
            await events.next()
        }
    }

    /// The next event, when there is one; nil after the last one, and if the reading task is cancelled.
    package func next() async -> AgentEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0) }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }

    /// The next events, when there are some: as many as are there, up to about so many bytes of text. Nil after the last one. The position that
    /// an event was added with comes with it.
    package func next(upTo bytes: Int) async -> [AgentEvent]? {
        guard let first = await next() else { return nil }
        var (events, cost) = ([first], first.cost)
        while let event = nextAtHand(onlyPosition: cost >= bytes) {
            events.append(event)
            cost += event.cost
        }
        return events
    }

    private func nextAtHand(onlyPosition: Bool) -> AgentEvent? {
        let (event, senders) = state.withLock { state -> (AgentEvent?, [CheckedContinuation<Void, Never>]) in
            if onlyPosition {
                guard state.first < state.queue.count, state.queue[state.first].isPosition else { return (nil, []) }
            }
            guard let event = Self.take(&state) else { return (nil, []) }
            guard state.cost < Self.highWater else { return (event, []) }
            defer { state.senders = [] }
            return (event, state.senders)
        }
        for sender in senders { sender.resume() }
        return event
    }

    private func wait(_ continuation: CheckedContinuation<AgentEvent?, Never>) {
        let (event, isKnown, senders) = state.withLock {
            state -> (AgentEvent?, Bool, [CheckedContinuation<Void, Never>]) in
            if let event = Self.take(&state) {
                guard state.cost < Self.highWater else { return (event, true, []) }
                defer { state.senders = [] }
                return (event, true, state.senders)
            }
            guard !state.isOver, !Task.isCancelled else { return (nil, true, []) }
            state.reader = continuation
            return (nil, false, [])
        }
        for sender in senders { sender.resume() }
        if isKnown { continuation.resume(returning: event) }
    }

    private static func take(_ state: inout State) -> AgentEvent? {
        guard state.first < state.queue.count else { return nil }
        let event = state.queue[state.first]
        state.first += 1
        state.cost -= event.cost
        if state.first == state.queue.count {
            (state.queue, state.first) = ([], 0)
        } else if state.first > 1024, state.first * 2 > state.queue.count {
            // What was read must not stay in memory while there is always something new.
            state.queue.removeFirst(state.first)
            state.first = 0
        }
        return event
    }

    /// Adds an event, and returns when there is room for the next one. After ``finish(_:)`` nothing is added.
    func send(_ event: AgentEvent) async { await send([event]) }

    /// The same for events of which no reader gets the first without the others being at hand.
    func send(_ events: [AgentEvent]) async {
        let hasRoom = add(events)
        guard !hasRoom else { return }
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                guard !state.isOver, state.cost >= Self.highWater else { return true }
                state.senders.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Adds the last event.
    func finish(_ error: AgentError?) {
        add(.ended(error))
        close()
    }

    /// Nothing follows, and the agent is not over: this process lets go of it.
    func close() {
        let (reader, senders) = state.withLock { state in
            state.isOver = true
            defer { (state.reader, state.senders) = (nil, []) }
            return (state.reader, state.senders)
        }
        reader?.resume(returning: nil)
        for sender in senders { sender.resume() }
    }

    /// Adds an event at once. Only for events whose number is bounded otherwise.
    /// - Returns: whether there is room for another one.
    @discardableResult
    func add(_ event: AgentEvent) -> Bool { add([event]) }

    /// The same for several.
    func add(_ events: [AgentEvent]) -> Bool {
        let (reader, hasRoom) = state.withLock { state -> (CheckedContinuation<AgentEvent?, Never>?, Bool) in
            guard !state.isOver else { return (nil, true) }
            var rest = events[...]
            let reader = rest.isEmpty ? nil : state.reader.take()
            if reader != nil { rest = rest.dropFirst() }
            for event in rest {
                state.queue.append(event)
                state.cost += event.cost
            }
            return (reader, state.cost < Self.highWater)
        }
        reader?.resume(returning: events.first)
        return hasRoom
    }
}

extension AgentEvent {
    fileprivate var isPosition: Bool { if case .link(.position) = self { true } else { false } }

    /// About the bytes that it takes.
    fileprivate var cost: Int {
        switch self {
        case .text(let text), .reasoning(let text), .userText(let text), .toolInput(_, let text), .remark(let text):
            64 + text.text.utf8.count
        case .toolCall(let call), .toolCallChanged(let call): 256 + call.bytes
        case .permission(let permission): 512 + permission.toolCall.bytes
        case .retold(let parts): 64 + parts.reduce(0) { $0 + $1.cost }
        case .setting(let setting): setting.options.reduce(128) { $0 + 64 + $1.id.utf8.count + $1.name.utf8.count }
        case .plan(let entries): 64 + entries.reduce(0) { $0 + 96 + $1.content.utf8.count }
        default: 64
        }
    }
}
