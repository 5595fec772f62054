package import AgentProtocols
internal import Synchronization
internal import Wire

/// Keeps logs of shared sessions, sealed, for longer than a process lives.
package protocol SharedLogStore: Sendable {
    /// What is new in the log of a session, in one step.
    func save(_ summary: SharedLog.Summary, adding entries: [SharedLog.Entry], droppingBefore first: Int) throws
}

/// The log of one shared session while its owner's process runs: what is added is kept, and goes to whoever follows.
package final class SharedJournal: Sendable {
    private struct State {
        var log: SharedLog
        var send: (@Sendable (SharingFrame.Content) -> Void)?
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Whether nothing waits for room any more.
        var isClosing = false
        /// Whether nothing will again.
        var isEnding = false
        var isDiscarded = false
    }

    package let session: String
    private let store: any SharedLogStore
    private let state: Mutex<State>

    /// - Parameter session: the member's name for it.
    package init(session: String, log: SharedLog, store: any SharedLogStore) {
        (self.session, self.store) = (session, store)
        state = Mutex(State(log: log))
    }

    package var summary: SharedLog.Summary { state.withLock { $0.log.summary } }
    /// Events that are kept.
    package var count: Int { state.withLock { $0.log.count } }

    /// Adds events, keeps them and sends them on. It returns when there is room for more.
    /// - Parameter position: the last event of the supervisor's of which these are.
    package func append(_ events: [SharedEvent], upTo position: Int? = nil) async {
        let isFull = add(events, upTo: position)
        guard isFull else { return }
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                guard state.log.isFull, !state.isClosing else { return true }
                state.waiting.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Adds events whose number is bounded otherwise.
    /// - Returns: whether more should wait.
    @discardableResult
    package func add(_ events: [SharedEvent], upTo position: Int? = nil) -> Bool {
        guard !events.isEmpty else { return false }
        return state.withLock { state in
            if let position { state.log.reached(position) }
            let added = state.log.append(events)
            keep(added, state)
            pump(&state)
            return state.log.isFull && !state.isClosing
        }
    }

    /// Somebody goes on after an event, over this connection. An earlier one ends.
    /// - Parameter isLive: whether the agent runs. If it does not, and nobody has told yet, the log says so now.
    package func follow(after: Int, isLive: Bool, _ send: @escaping @Sendable (SharingFrame.Content) -> Void) {
        release { state in
            state.send = send
            var answer = state.log.follow(session, after: after)
            if !isLive, state.log.summary.isOpen {
                let added = state.log.append([SharedEvent(.ended, ["code": "ended"])])
                keep(added, state)
                answer = state.log.follow(session, after: after)
            }
            send(answer)
            pump(&state)
        }
    }

    package func unfollow() {
        state.withLock { state in
            state.log.unfollow()
            state.send = nil
        }
    }

    package func received(through sequence: Int) {
        release { state in
            let before = state.log.summary.taken
            state.log.received(through: sequence)
            // How much was taken decides only what may be dropped: it goes to the disk with what is said next.
            if state.log.summary.taken > before { pump(&state) }
        }
    }

    package func supervised(by supervisor: String) { state.withLock { $0.log.supervised(by: supervisor) } }

    /// A turn begins: the agent is held back again.
    package func open() { state.withLock { ($0.isClosing, $0.isEnding) = (false, false) } }

    /// The turn is being ended: nothing waits any more until it has.
    package func close() { release { $0.isClosing = true } }

    /// The turn has ended. An agent that goes on talking is held back again, unless it is being ended, too.
    package func turnEnded() { state.withLock { $0.isClosing = $0.isEnding } }

    /// The agent is being ended: nothing waits any more.
    package func end() { release { ($0.isClosing, $0.isEnding) = (true, true) } }

    /// Nobody is to read it again: nothing of it is kept any more.
    package func discard() {
        release { state in
            state.log.unfollow()
            (state.send, state.isDiscarded, state.isClosing, state.isEnding) = (nil, true, true, true)
        }
    }

    /// A disk that refuses costs what was said while it does, after the next start only.
    private func keep(_ added: [SharedLog.Entry], _ state: State) {
        guard !state.isDiscarded else { return }
        try? store.save(state.log.summary, adding: added, droppingBefore: state.log.first)
    }

    private func release(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            change(&state)
            guard !state.log.isFull || state.isClosing else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    private func pump(_ state: inout State) {
        guard let send = state.send else { return }
        while let entry = state.log.nextToSend() {
            send(.event(session: session, sequence: entry.sequence, entry.event))
        }
    }
}
