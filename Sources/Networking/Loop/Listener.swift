internal import Synchronization

/// A socket that listens: lets in whoever comes, and rests while this process has no descriptor left.
///
/// The loop keeps a listener that has started, and what it lets people in to, until ``close()``.
final class Listener: EventSource {
    /// Gets a connected socket, which is the callee's from then on. Called on the loop's thread.
    typealias Welcome = @Sendable (Int32, PeerAddress) -> Void

    private struct State {
        var descriptor: Int32
        var id: UInt64 = 0
        /// Nil once the listener is closed.
        var welcome: Welcome?
    }

    /// How long nobody is let in after the descriptors have run out.
    static let rest = Duration.milliseconds(100)

    private let loop: EventLoop
    private let take: @Sendable (Int32) -> Socket.Arrival
    private let state: Mutex<State>

    /// - Parameters:
    ///   - descriptor: a listening socket, the listener's from now on.
    ///   - take: what lets the next one in; tests play an exhausted kernel.
    init(
        _ descriptor: Int32, loop: EventLoop, take: @escaping @Sendable (Int32) -> Socket.Arrival = Socket.accept,
        welcome: @escaping Welcome
    ) {
        self.loop = loop
        self.take = take
        state = Mutex(State(descriptor: descriptor, welcome: welcome))
    }

    /// Begins to let people in.
    /// - Throws: `unavailable` if the socket cannot be watched; it is closed then.
    func start() throws(NetworkingError) {
        let isWatched = state.withLock { state in
            guard let id = loop.add(self, state.descriptor, reads: true, writes: false) else { return false }
            state.id = id
            return true
        }
        guard !isWatched else { return }
        Socket.shut(state.withLock { $0.descriptor })
        throw NetworkingError(.unavailable, "the network cannot watch one more socket")
    }

    /// Lets nobody in any more.
    func close() {
        let welcome = state.withLock { state in
            guard let welcome = state.welcome.take() else { return nil as Welcome? }
            loop.remove(state.id, state.descriptor)
            Socket.shut(state.descriptor)
            return welcome
        }
        // The last reference to the server may go here, outside the lock.
        _ = welcome
    }

    func ready(_ event: Poller.Event) {
        // A bound, so that a crowd at the door does not starve those inside.
        for _ in 0..<64 {
            let next = state.withLock { state in state.welcome.map { (take(state.descriptor), $0) } }
            guard let (arrival, welcome) = next else { return }
            switch arrival {
            case .connection(let descriptor, let peer): welcome(descriptor, peer)
            case .nobody: return
            case .noDescriptor: return pause()
            }
        }
    }

    /// Whoever waits at the door would wake the loop again and again.
    private func pause() {
        watch(false)
        Task {
            try? await Task.sleep(for: Self.rest)
            watch(true)
        }
    }

    private func watch(_ reads: Bool) {
        state.withLock { state in
            guard state.welcome != nil else { return }
            loop.poller.change(state.descriptor, id: state.id, reads: reads, writes: false)
        }
    }
}
