internal import Synchronization

/// Counts the memory of a channel that the peer opened until the application uses it: sets handlers, reads, closes or
/// releases it. While too much memory waits, SCTP is no longer read.
final class OpenClaim: Sendable {
    private let bytes: Int
    private let peer: Peer
    private let isOver = Atomic(false)

    init(_ bytes: Int, peer: Peer) {
        self.bytes = bytes
        self.peer = peer
    }

    deinit { end() }

    /// The application uses the channel. Safe to call again, and from any thread.
    func end() {
        guard isOver.exchange(true, ordering: .relaxed) == false else { return }
        // Runs later: the last reference may be released while the connection changes its table of channels.
        peer.loop.submit { [peer, bytes] in peer.assumeIsolated { $0.accepted(bytes) } }
    }
}
