/// Spreads packets over time at the rate that the congestion control wants. Packets may leave as much early as the
/// caller's timer is coarse, so the rate is kept although each wake-up sends several.
struct Pacer {
    private let quantum: Nanoseconds
    /// When the next packet is due.
    private var due: Nanoseconds = 0

    init(quantum: Nanoseconds) { self.quantum = quantum }

    /// When the next packet may leave.
    var next: Nanoseconds { due - quantum }

    func maySend(_ now: Nanoseconds) -> Bool { now >= next }

    /// Notes a packet at a rate in bytes a second; 0 is without limit.
    mutating func sent(_ size: Int, rate: Int, now: Nanoseconds) {
        // A late wake-up is caught up with, but not more than that.
        due = max(due, now - quantum)
        if rate > 0 { due += Nanoseconds(bounded: Double(size) * 1e9 / Double(rate)) }
    }
}
