internal import Networking

/// Every limit that counts by address or by code, in one place. A value without I/O.
struct Gate {
    private let limits: RendezvousLimits
    private var requests: RateLimiter
    private var creations: RateLimiter
    private var attemptsByAddress: RateLimiter
    private var attemptsByCode: RateLimiter
    private var sockets: [String: Int] = [:]
    private var socketCount = 0

    init(_ limits: RendezvousLimits, now: Timestamp) {
        func limiter(_ limit: RateLimit) -> RateLimiter {
            RateLimiter(limit, capacity: limits.trackedSources, now: now)
        }
        self.limits = limits
        requests = limiter(limits.requests)
        creations = limiter(limits.creations)
        attemptsByAddress = limiter(limits.codeAttemptsByAddress)
        attemptsByCode = limiter(limits.codeAttemptsByCode)
    }

    /// Any request of this address.
    mutating func request(from address: String, now: Timestamp) -> RESTError? {
        requests.take(address, now: now).map { .tooMany("too_many_requests", retryAfter: $0) }
    }

    /// A call that was read, before it is decided.
    mutating func admit(_ call: RESTCall, from address: String, now: Timestamp) -> RESTError? {
        if case .create = call {
            return creations.take(address, now: now).map { .tooMany("too_many_rooms", retryAfter: $0) }
        }
        guard let code = call.guessedCode else { return nil }
        return attempt(code, from: address, now: now).map { .tooMany("too_many_attempts", retryAfter: $0) }
    }

    /// Counts an attempt at a code before it is known whether it is a guess, so that many at once do not slip through.
    mutating func attempt(_ code: String, from address: String, now: Timestamp) -> Int? {
        if let wait = attemptsByAddress.take(address, now: now) { return wait }
        guard let wait = attemptsByCode.take(code, now: now) else { return nil }
        attemptsByAddress.giveBack(address)
        return wait
    }

    /// The attempt was no guess.
    mutating func wasRight(_ code: String, from address: String) {
        attemptsByAddress.giveBack(address)
        attemptsByCode.giveBack(code)
    }

    /// Whether one more socket may be opened; nil if so.
    func refusesSocket(from address: String) -> RESTError? {
        if socketCount >= limits.sockets { return RESTError(503, "server_full", retryAfter: 30) }
        let count = sockets[address] ?? 0
        return count < limits.socketsByAddress ? nil : .tooMany("too_many_sockets", retryAfter: 30)
    }

    mutating func socketOpened(from address: String) {
        socketCount += 1
        sockets[address, default: 0] += 1
    }

    mutating func socketClosed(from address: String) {
        socketCount -= 1
        let count = (sockets[address] ?? 0) - 1
        sockets[address] = count > 0 ? count : nil
    }

    /// Forgets those who have come to rest.
    mutating func sweep(now: Timestamp) {
        requests.forgetRested(now: now)
        creations.forgetRested(now: now)
        attemptsByAddress.forgetRested(now: now)
        attemptsByCode.forgetRested(now: now)
    }
}
