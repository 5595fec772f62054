internal import Synchronization

/// The few values of a connection that any thread may read.
final class PeerShared: Sendable {
    private struct Values {
        var remoteFingerprint: Fingerprint?
        var connectionState = PeerConnectionState.new
        var maxMessageSize = PeerConnectionConfiguration.largestMessageSize
    }

    private let values = Mutex(Values())
    let events: AsyncStream<PeerConnectionEvent>.Continuation
    let stream: AsyncStream<PeerConnectionEvent>

    init() { (stream, events) = AsyncStream.makeStream() }

    var remoteFingerprint: Fingerprint? { values.withLock(\.remoteFingerprint) }

    var connectionState: PeerConnectionState { values.withLock(\.connectionState) }

    /// The largest message that may be sent: the smaller of the peer's limit and our own hard limit.
    var maxMessageSize: Int { values.withLock(\.maxMessageSize) }

    func set(connectionState: PeerConnectionState) { values.withLock { $0.connectionState = connectionState } }

    func set(remoteFingerprint: Fingerprint, maxMessageSize: UInt64) {
        let most = PeerConnectionConfiguration.largestMessageSize
        values.withLock {
            $0.remoteFingerprint = remoteFingerprint
            $0.maxMessageSize = maxMessageSize == 0 ? most : Int(min(maxMessageSize, UInt64(most)))
        }
    }
}
