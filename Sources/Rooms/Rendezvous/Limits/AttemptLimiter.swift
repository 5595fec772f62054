internal import Networking

/// How often codes may be guessed: by an address, by a network, and by everybody together. A value without I/O.
///
/// Right attempts are given back, so only guesses count. No limit counts by code: whoever can use up such a limit keeps
/// the two out to whom the code belongs. When everybody together has guessed too often, somebody is trying the whole
/// range from many networks. A hard limit would then let nobody in. Instead each network has very few guesses left, so that
/// a person who has not guessed wrong lately still gets in, and every further guess costs a network that was not used yet.
struct AttemptLimiter {
    /// What an attempt was counted as, to be given back.
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
    /// What is left to each network when the total is used up.
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
