internal import Synchronization

/// Hands the changes of a library to its listeners.
final class Broadcast: Sendable {
    private struct Listener {
        weak let changes: NoteChanges?
    }

    private struct State {
        var listeners: [Listener] = []
        var isFinished = false
    }

    private let state = Mutex(State())

    func listen() -> NoteChanges {
        let changes = NoteChanges()
        state.withLock { state in
            state.listeners.removeAll { $0.changes == nil }
            if state.isFinished { changes.finish() } else { state.listeners.append(Listener(changes: changes)) }
        }
        return changes
    }

    func send(_ change: NoteChange) {
        for listener in state.withLock({ $0.listeners }) { listener.changes?.yield(change) }
    }

    func finish() {
        let listeners = state.withLock { state in
            defer { state = State(listeners: [], isFinished: true) }
            return state.listeners
        }
        for listener in listeners { listener.changes?.finish() }
    }
}
