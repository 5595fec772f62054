/// Remembers the requests that were answered until they expire, in bounded memory. A value without I/O.
struct ReplayCache {
    enum Answer: Equatable {
        case new
        case replayed
        /// The cache is full.
        case full
    }

    private let capacity: Int
    private var expiries: [[UInt8]: Int64] = [:]
    private var swept: Int64 = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { expiries.count }

    /// Remembers a request, if it is new.
    /// - Parameters:
    ///   - digest: identifies the request.
    ///   - expires: when it becomes invalid by itself, in seconds.
    mutating func admit(_ digest: [UInt8], expires: Int64, now: Int64) -> Answer {
        if let known = expiries[digest], known >= now { return .replayed }
        if expiries.count >= capacity {
            // Removing expired entries once a second is enough.
            guard now != swept else { return .full }
            swept = now
            expiries = expiries.filter { $0.value >= now }
            guard expiries.count < capacity else { return .full }
        }
        expiries[digest] = expires
        return .new
    }
}
