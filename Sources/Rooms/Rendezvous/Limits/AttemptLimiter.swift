internal import Networking

/// How often codes may be guessed: by an address, by a network, and by all clients together. A value without I/O.
///
/// Right attempts are returned, so only wrong guesses count. No limit counts by code, because an attacker could use it
/// up to lock out the owners of the code. Too many guesses by all clients together mean an attack on the whole range
/// from many networks. A hard limit would then lock everyone out. Instead each network keeps very few guesses. So
/// people without recent wrong guesses still get in, and each further guess costs the attacker an unused network.
struct AttemptLimiter {
    /// How an attempt was counted, so that it can be returned.
    struct Attempt: Sendable {
        fileprivate let source: ClientAddress
        fileprivate var isInTotal: Bool
        fileprivate var isInReserve: Bool
    }

    enum Outcome {
        case counted(Attempt)
        /// With the number of seconds to wait.
        case refused(Int)
    }

    private let limits: RendezvousLimits
    private var sources: SourceRateLimiter
    private var total: TokenBucket
    /// The guesses of each network when the total is used up.
    private var reserve: RateLimiter

    init(_ limits: RendezvousLimits, now: Timestamp) {
        self.limits = limits
        sources = SourceRateLimiter(
            limits.codeAttemptsByAddress,
            network: limits.codeAttemptsByNetwork,
            capacity: limits.trackedSources,
            now: now
        )
        total = TokenBucket(limits.codeAttempts, now: now)
        reserve = RateLimiter(limits.codeAttemptsInReserve, capacity: limits.trackedSources, now: now)
    }

    mutating func take(_ source: ClientAddress, now: Timestamp) -> Outcome {
        if let wait = sources.take(source, now: now) { return .refused(wait) }
        let reserveWait = reserve.take(source.network ?? source.key, now: now)
        let totalWait = total.take(limits.codeAttempts, now: now)
        if let reserveWait, totalWait != nil {
            sources.giveBack(source)
            return .refused(reserveWait)
        }
        return .counted(Attempt(source: source, isInTotal: totalWait == nil, isInReserve: reserveWait == nil))
    }

    mutating func giveBack(_ attempt: Attempt) {
        sources.giveBack(attempt.source)
        if attempt.isInTotal { total.giveBack(limits.codeAttempts) }
        if attempt.isInReserve { reserve.giveBack(attempt.source.network ?? attempt.source.key) }
    }

    mutating func forgetRested(now: Timestamp) {
        sources.forgetRested(now: now)
        reserve.forgetRested(now: now)
    }
}
