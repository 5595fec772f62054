internal import Synchronization

/// What a channel that the peer has opened counts until the application takes it up: sets handlers, reads, closes, or
/// lets go of it. Until then its names lie in memory, and while too much does, SCTP is no longer read.
final class OpenClaim: Sendable {
    private let bytes: Int
    private let peer: Peer
    private let isOver = Atomic(false)

    init(_ bytes: Int, peer: Peer) {
        self.bytes = bytes
        self.peer = peer
    }

    deinit { end() }

    /// The channel is taken up. Safe to call again, and from any thread.
    func end() {
        guard isOver.exchange(true, ordering: .relaxed) == false else { return }
        // Never at once: the last reference may go while the connection changes its table of channels.
        peer.loop.submit { [peer, bytes] in peer.assumeIsolated { $0.accepted(bytes) } }
    }
}
