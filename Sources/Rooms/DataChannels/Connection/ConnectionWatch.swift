/// Checks a connection once a second, so that every wait has a limit, and silence is noticed before ICE gives up.
///
/// SCTP's heartbeats make an idle connection receive something every 2.5 seconds, so silence means that the path is
/// broken.
final class ConnectionWatch {
    enum Finding { case nothing, tookTooLong, silent, lost, heardAgain }

    let limits: ConnectionLimits
    private let timer: LoopTimer
    private var waited = 0
    private var silence = 0
    private var lastCount: UInt64 = 0
    private var isSilent = false

    init(loop: EventLoop, limits: ConnectionLimits) {
        timer = LoopTimer(loop: loop)
        self.limits = limits
    }

    /// Calls `look` once a second until ``stop()``; it may be called again.
    func start(_ look: @escaping () -> Void) {
        guard !timer.isScheduled else { return }
        waited = 0
        timer.fire = { [unowned self] in
            timer.schedule(milliseconds: limits.second)
            look()
        }
        timer.schedule(milliseconds: limits.second)
    }

    func stop() {
        timer.cancel()
        timer.fire = {}
    }

    /// The result of one second.
    func look(isConnected: Bool, packetsReceived: UInt64) -> Finding {
        defer { lastCount = packetsReceived }
        guard isConnected else {
            waited += 1
            return waited == limits.connect ? .tookTooLong : .nothing
        }
        waited = 0
        silence = packetsReceived == lastCount ? silence + 1 : 0
        if silence == limits.loss { return .lost }
        guard isSilent != (silence >= limits.silence) else { return .nothing }
        isSilent.toggle()
        return isSilent ? .silent : .heardAgain
    }
}

/// The longest waits of a connection. Tests shorten ``second``.
struct ConnectionLimits {
    /// Seconds that connecting may take, from when both descriptions are set or the connection restarts.
    var connect = 45
    /// Seconds without a packet after which the path counts as disconnected.
    var silence = 7
    /// Seconds without a packet after which the path is given up, like expired consent (RFC 7675 section 5.1).
    var loss = 30
    /// Seconds that the peer may take to answer the closing of a channel, counted from the last message sent.
    var closing = 30
    /// The length of a second in milliseconds.
    var second: UInt32 = 1000
}
