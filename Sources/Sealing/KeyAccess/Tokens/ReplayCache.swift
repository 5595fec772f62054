/// The requests that were answered, until they have expired anyway. A value without I/O, in bounded memory.
struct ReplayCache {
    enum Answer: Equatable {
        case new
        case replayed
        /// Too many are remembered to remember one more.
        case full
    }

    private let capacity: Int
    private var expiries: [[UInt8]: Int64] = [:]
    private var swept: Int64 = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { expiries.count }

    /// Remembers a request, if it is new.
    /// - Parameters:
    ///   - digest: what tells it from all others.
    ///   - expires: from when on it would be refused without this, in seconds.
    mutating func admit(_ digest: [UInt8], expires: Int64, now: Int64) -> Answer {
        if let known = expiries[digest], known >= now { return .replayed }
        if expiries.count >= capacity {
            // Once a second is enough, however many come.
            guard now != swept else { return .full }
            swept = now
            expiries = expiries.filter { $0.value >= now }
            guard expiries.count < capacity else { return .full }
        }
        expiries[digest] = expires
        return .new
    }
}
