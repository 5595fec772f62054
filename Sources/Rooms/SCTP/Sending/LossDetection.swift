/// Finds lost chunks by time, in the manner of RACK (RFC 8985): a chunk is lost if one that was sent later has arrived,
/// and a window for reordering has passed since. The window grows while packets turn out to have only been late.
struct LossDetection {
    private static let mostSteps = 16

    /// The latest sent chunk that has arrived: when it was sent, and its number.
    private(set) var time: Nanoseconds = 0
    private(set) var order: UInt64 = 0
    private var roundTrip: Nanoseconds = 0
    private(set) var hasSeenReordering = false
    /// Quarters of the smallest round trip that the window has.
    private var steps = 1
    /// The longest that a packet was late, as far as known.
    private var lateness: Nanoseconds = 0
    private var lastGrowth: Nanoseconds = 0
    /// Recoveries without a late packet until the window shrinks again.
    private var recoveriesLeft = 0
    private var highest: UInt32?

    /// Notes a chunk that has arrived; `now - sent` is its round trip.
    mutating func arrived(_ chunk: borrowing SentChunk, tsn: UInt32, now: Nanoseconds, minimum: Nanoseconds) {
        let passed = now - chunk.sent.time
        // Sent again, and acknowledged sooner than it could be: that was the first transmission, which was only late.
        if chunk.transmissions > 1, minimum != .max, passed < minimum { return }
        if let highest, tsn.isBefore(highest) {
            if chunk.transmissions == 1 { hasSeenReordering = true }
        } else {
            highest = tsn
        }
        if chunk.sent.order > order { (time, order, roundTrip) = (chunk.sent.time, chunk.sent.order, passed) }
    }

    /// The peer had the data of a retransmission already, or a chunk arrived that had counted as lost.
    mutating func wasLate(by time: Nanoseconds, now: Nanoseconds, smoothed: Nanoseconds) {
        hasSeenReordering = true
        recoveriesLeft = Self.mostSteps
        lateness = max(lateness, min(time, smoothed))
        // At most once in a round trip.
        guard now - lastGrowth > smoothed else { return }
        lastGrowth = now
        steps = min(steps + 1, Self.mostSteps)
    }

    mutating func recoveryEnded() {
        guard recoveriesLeft > 0 else { return }
        recoveriesLeft -= 1
        if recoveriesLeft == 0 { (steps, lateness) = (1, 0) }
    }

    /// How much later than its successors a packet may come.
    func window(minimum: Nanoseconds, smoothed: Nanoseconds, acknowledgedInGaps: Int, isRecovering: Bool) -> Nanoseconds
    {
        if !hasSeenReordering, isRecovering || acknowledgedInGaps >= 3 { return 0 }
        let quarter = minimum == .max ? smoothed / 4 : minimum / 4
        return min(max(Nanoseconds(steps) * quarter, lateness + lateness / 4), smoothed)
    }

    /// When a chunk counts as lost if it does not arrive before; `nil` if nothing later has arrived.
    @inline(__always)
    func deadline(_ sent: Transmission, window: Nanoseconds) -> Nanoseconds? {
        guard sent.order < order else { return nil }
        return sent.time + roundTrip + window
    }
}
