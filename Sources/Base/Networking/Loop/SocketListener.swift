internal import Platform
internal import Synchronization

/// A socket that listens. It passes new connections on, on the loop's thread.
final class SocketListener: EventSource {
    /// Takes over the descriptor of a connection. Must not wait.
    typealias Accept = @Sendable (_ descriptor: Int32, _ peer: PeerAddress) -> Void

    private struct State {
        var id: UInt64 = 0
        /// `nil` once it has stopped.
        var accept: Accept?
    }

    private let descriptor: Int32
    private let loop: EventLoop
    private let state: Mutex<State>

    /// Takes the descriptor over once it has started.
    init(_ descriptor: Int32, on loop: EventLoop, accept: @escaping Accept) {
        self.descriptor = descriptor
        self.loop = loop
        state = Mutex(State(accept: accept))
    }

    /// False if the loop cannot watch one more socket.
    func start() -> Bool {
        state.withLock { state in
            guard let id = loop.add(self, descriptor, reads: true, writes: false) else { return false }
            state.id = id
            return true
        }
    }

    /// Stops listening; the connections stay.
    func stop() {
        let accept = state.withLock { state in
            if state.accept != nil {
                loop.remove(state.id, descriptor)
                Socket.endListening(descriptor)
            }
            return state.accept.take()
        }
        // The last reference may go here, which must not happen under the lock.
        _ = accept
    }

    func ready(_ event: Poller.Event) {
        // A bound, so that many new connections do not starve the open ones.
        for _ in 0..<64 {
            let accepted = state.withLock { state in
                state.accept.map { ($0, Socket.accepted(descriptor)) }
            }
            guard let (accept, connection) = accepted else { return }
            guard let (descriptor, peer) = connection else {
                if errno == EMFILE || errno == ENFILE { pause() }
                return
            }
            accept(descriptor, peer)
        }
    }

    /// No descriptor is left. Waiting connections would otherwise wake the loop again and again.
    private func pause() {
        watch(reads: false)
        Task {
            try? await Task.sleep(for: .milliseconds(100))
            watch(reads: true)
        }
    }

    private func watch(reads: Bool) {
        state.withLock { state in
            guard state.accept != nil else { return }
            loop.poller.change(descriptor, id: state.id, reads: reads, writes: false)
        }
    }
}
