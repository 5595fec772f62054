internal import Platform
internal import Synchronization

/// Waits for a socket that is connecting, and takes care of it until it is connected.
final class ConnectionAttempt: EventSource {
    private struct State {
        var id: UInt64?
        var outcome: Bool?
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let descriptor: Int32
    private let loop: EventLoop
    private let state = Mutex(State())

    init(_ descriptor: Int32, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Whether the socket connects in time. If it does not, or the task is cancelled, the socket is closed.
    func succeeds(within limit: Duration?) async -> Bool {
        let deadline = limit.map { limit in
            Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                finish(false)
            }
        }
        defer { deadline?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { begin($0) }
        } onCancel: {
            finish(false)
        }
    }

    private func begin(_ waiter: CheckedContinuation<Bool, Never>) {
        let known = state.withLock { state -> Bool? in
            if let outcome = state.outcome { return outcome }
            state.waiter = waiter
            state.id = loop.add(self, descriptor, reads: false, writes: true)
            return nil
        }
        if let known { return waiter.resume(returning: known) }
        if state.withLock({ $0.id == nil }) { finish(false) }
    }

    func ready(_ event: Poller.Event) { finish(Socket.connectionError(descriptor) == 0) }

    private func finish(_ outcome: Bool) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            if let id = state.id { loop.remove(id, descriptor) }
            if !outcome { Socket.shut(descriptor) }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }
}
