/// Spreads packets over time at the rate that the congestion control wants. Packets may leave as much early as the
/// caller's timer is coarse, so the rate is kept although each wake-up sends several.
struct Pacer {
    /// How much of a late wake-up is caught up with: the queue of the path has emptied by as much meanwhile, but others have
    /// their share of it.
    private static let mostLate = Nanoseconds.milliseconds(5)

    private let quantum: Nanoseconds
    /// When the next packet is due.
    private var due: Nanoseconds = 0
    /// Whether only the pacer held packets back when they were last looked for: then what is sent late is owed, because a
    /// busy machine did not wake the caller. After a pause or a full window nothing is.
    var isHolding = false

    init(quantum: Nanoseconds) { self.quantum = quantum }

    /// When the next packet may leave.
    var next: Nanoseconds { due - quantum }

    func maySend(_ now: Nanoseconds) -> Bool { now >= next }

    /// Notes a packet at a rate in bytes a second; 0 is without limit.
    mutating func sent(_ size: Int, rate: Int, now: Nanoseconds) {
        due = max(due, now - (isHolding ? max(quantum, Self.mostLate) : quantum))
        if rate > 0 { due += Nanoseconds(bounded: Double(size) * 1e9 / Double(rate)) }
    }
}
