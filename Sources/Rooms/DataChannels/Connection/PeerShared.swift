internal import Synchronization

/// The values of a connection that any thread may read.
final class PeerShared: Sendable {
    private struct Values {
        var remoteFingerprint: Fingerprint?
        var connectionState = PeerConnectionState.new
        var maxMessageSize = PeerConnectionConfiguration.largestMessageSize
        /// The streams that are in use.
        var streams: Set<UInt16> = []
        /// How many there are; fewer once the association says so.
        var streamCount = DataChannelConfiguration.streams
    }

    private let values = Mutex(Values())
    let events: AsyncStream<PeerConnectionEvent>.Continuation
    let stream: AsyncStream<PeerConnectionEvent>

    init() { (stream, events) = AsyncStream.makeStream() }

    var remoteFingerprint: Fingerprint? { values.withLock(\.remoteFingerprint) }

    var connectionState: PeerConnectionState { values.withLock(\.connectionState) }

    /// The largest message that may be sent: the smaller of the peer's limit and our own hard limit.
    var maxMessageSize: Int { values.withLock(\.maxMessageSize) }

    /// Takes a stream for a channel; `false` if it is in use.
    func claim(stream: UInt16) -> Bool { values.withLock { $0.streams.insert(stream).inserted } }

    /// Takes the lowest free stream of our parity: even for the DTLS client, odd for the server (RFC 8832 section 6).
    func claimStream(_ role: DTLSTransport.Role) -> UInt16? {
        values.withLock { values in
            let free = stride(from: role == .client ? 0 : 1, to: values.streamCount, by: 2).first {
                !values.streams.contains($0)
            }
            if let free { values.streams.insert(free) }
            return free
        }
    }

    var streamCount: UInt16 { values.withLock(\.streamCount) }

    func set(streamCount: UInt16) { values.withLock { $0.streamCount = streamCount } }

    func release(stream: UInt16) { values.withLock { _ = $0.streams.remove(stream) } }

    func set(connectionState: PeerConnectionState) { values.withLock { $0.connectionState = connectionState } }

    func set(remoteFingerprint: Fingerprint, maxMessageSize: UInt64) {
        let most = PeerConnectionConfiguration.largestMessageSize
        values.withLock {
            $0.remoteFingerprint = remoteFingerprint
            $0.maxMessageSize = maxMessageSize == 0 ? most : Int(min(maxMessageSize, UInt64(most)))
        }
    }
}
