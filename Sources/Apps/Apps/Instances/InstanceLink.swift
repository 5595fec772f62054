internal import Components
internal import Synchronization

/// The pipe between one running component and the objects that serve it.
///
/// Messages to a component that is not there yet wait for it. If it takes messages more slowly than they come, the connection is told,
/// and senders wait.
final class InstanceLink: Sendable {
    private struct State {
        var component: (any RunningComponent)?
        var waiting: [PortMessage] = []
        var connection: ObjectConnection?
        var isClosed = false
    }

    /// Bytes that may wait before anybody is told.
    private static let ease = 256 << 10

    private let state = Mutex(State())
    /// Whether the connection was told that much waits.
    private let isBehind = Atomic(false)

    /// Joins the connection whose messages go here.
    func join(_ connection: ObjectConnection) { state.withLock { $0.connection = connection } }

    /// The component is there. Only the first time counts.
    func attach(_ component: any RunningComponent) {
        let waiting = state.withLock { state -> [PortMessage]? in
            guard state.component == nil, !state.isClosed else { return nil }
            state.component = component
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return }
        component.whenTaken { [weak self] in self?.taken() }
        for message in waiting { send(message) }
    }

    func send(_ message: PortMessage) {
        let (component, connection) = state.withLock { state -> ((any RunningComponent)?, ObjectConnection?) in
            guard !state.isClosed else { return (nil, nil) }
            if state.component == nil { state.waiting.append(message) }
            return (state.component, state.connection)
        }
        guard let component else { return }
        component.send(message)
        guard component.backlog > Self.ease, let connection else { return }
        isBehind.store(true, ordering: .sequentiallyConsistent)
        // Asked again after it was told: the component may have taken everything in between, and told so too early.
        var backlog: Int
        repeat {
            backlog = component.backlog
            connection.reportBacklog(backlog)
        } while backlog > Self.ease && component.backlog <= Self.ease
    }

    private func taken() {
        guard isBehind.exchange(false, ordering: .sequentiallyConsistent) else { return }
        state.withLock { $0.connection }?.reportBacklog(0)
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.component = nil
            state.connection = nil
            state.waiting = []
        }
    }
}
