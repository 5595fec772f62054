internal import Components
internal import Synchronization

/// The pipe between one running component and the objects that serve it.
///
/// What is said to a component before it is there waits for it.
final class InstanceLink: Sendable {
    private struct State {
        var component: (any RunningComponent)?
        var waiting: [PortMessage] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// The component is there. Only the first time counts.
    func attach(_ component: any RunningComponent) {
        let waiting = state.withLock { state -> [PortMessage] in
            guard state.component == nil, !state.isClosed else { return [] }
            state.component = component
            defer { state.waiting = [] }
            return state.waiting
        }
        for message in waiting { component.send(message) }
    }

    func send(_ message: PortMessage) {
        let component = state.withLock { state -> (any RunningComponent)? in
            guard !state.isClosed else { return nil }
            if state.component == nil { state.waiting.append(message) }
            return state.component
        }
        component?.send(message)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.component = nil
            state.waiting = []
        }
    }
}
