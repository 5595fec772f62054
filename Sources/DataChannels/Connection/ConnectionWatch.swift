/// Looks at a connection once a second: no wait of it is without a limit, and silence is noticed before ICE gives up.
///
/// SCTP's heartbeats make an idle connection receive something every 2.5 seconds, so silence means that the path is
/// broken.
final class ConnectionWatch {
    enum Finding { case nothing, tookTooLong, silent, heardAgain }

    /// Seconds that a connection may take once both descriptions are in place, or once it has to start over.
    static let connectLimit = 45
    /// Seconds without a packet after which the path counts as disconnected.
    static let silenceLimit = 7

    private let timer: LoopTimer
    private var waited = 0
    private var silence = 0
    private var lastCount: UInt64 = 0
    private var isSilent = false

    init(loop: EventLoop) { timer = LoopTimer(loop: loop) }

    /// Calls `look` once a second until ``stop()``; it may be called again.
    func start(_ look: @escaping () -> Void) {
        guard !timer.isScheduled else { return }
        waited = 0
        timer.fire = { [unowned self] in
            timer.schedule(milliseconds: 1000)
            look()
        }
        timer.schedule(milliseconds: 1000)
    }

    func stop() {
        timer.cancel()
        timer.fire = {}
    }

    /// What a second has brought.
    func look(isConnected: Bool, packetsReceived: UInt64) -> Finding {
        defer { lastCount = packetsReceived }
        guard isConnected else {
            waited += 1
            return waited == Self.connectLimit ? .tookTooLong : .nothing
        }
        waited = 0
        silence = packetsReceived == lastCount ? silence + 1 : 0
        guard isSilent != (silence >= Self.silenceLimit) else { return .nothing }
        isSilent.toggle()
        return isSilent ? .silent : .heardAgain
    }
}
