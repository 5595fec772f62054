internal import Networking
internal import Wire

/// Every limit that counts by address, in one place. A value without I/O.
struct RequestLimiter {
    private let limits: RendezvousLimits
    private var requests: SourceRateLimiter
    private var codes: SourceRateLimiter
    private var meetings: SourceRateLimiter
    private var purges: SourceRateLimiter
    private var attempts: AttemptLimiter
    private var sockets: SourceCounter
    private var socketCount = 0
    private(set) var reservations: Reservations

    init(_ limits: RendezvousLimits, now: Timestamp) {
        func limiter(_ limit: RateLimit) -> SourceRateLimiter {
            let network = limit.times(limits.networkFactor)
            return SourceRateLimiter(limit, network: network, capacity: limits.trackedSources, now: now)
        }
        self.limits = limits
        requests = limiter(limits.requests)
        codes = limiter(limits.creations)
        meetings = limiter(limits.meetings)
        purges = limiter(limits.purgedDevices)
        attempts = AttemptLimiter(limits, now: now)
        sockets = SourceCounter(limits.socketsByAddress, network: limits.networkFactor)
        reservations = Reservations(limits)
    }

    /// Any request of this address.
    mutating func request(from source: ClientAddress, now: Timestamp) -> RESTError? {
        requests.take(source, now: now).map { .tooMany("too_many_requests", retryAfter: $0) }
    }

    /// Checks a call before it is decided. Report the outcome of an admitted call to ``decided(_:_:_:from:now:)``.
    mutating func admit(_ call: RESTCall, from source: ClientAddress, now: Timestamp) -> Admitted {
        switch call {
        case .create(let code, _, _, _):
            if let wait = takeCreation(code, source, now: now) {
                return .refused(.tooMany("too_many_rooms", retryAfter: wait))
            }
        case .purge(let devices, let tickets):
            guard max(devices.count, tickets.count) <= limits.purgeSize else {
                let details = JSONValue.string("a purge names at most \(limits.purgeSize) ids and tickets")
                return .refused(RESTError(400, "too_many_device_ids", ["details": details]))
            }
            // Each ticket costs about as much as an id: it is hashed and looked up.
            if let wait = purges.take(source, count: max(devices.count, tickets.count), now: now) {
                return .refused(.tooMany("too_many_purges", retryAfter: wait))
            }
        default: break
        }
        guard call.isGuess else { return .admitted(nil) }
        switch attempts.take(source, now: now) {
        case .counted(let attempt): return .admitted(attempt)
        case .refused(let wait):
            if case .create(let code, _, _, _) = call { reservations.giveUp(code) }
            return .refused(.tooMany("too_many_attempts", retryAfter: wait))
        }
    }

    enum Admitted {
        /// Admitted, with how it was counted if it may be a guess.
        case admitted(AttemptLimiter.Attempt?)
        case refused(RESTError)
    }

    private mutating func takeCreation(_ code: String, _ source: ClientAddress, now: Timestamp) -> Int? {
        let isGuessable = JoinID.isGuessable(code)
        if let wait = isGuessable ? codes.take(source, now: now) : meetings.take(source, now: now) { return wait }
        return reservations.reserve(code, for: source, now: now) ? nil : Reservations.retryAfter
    }

    /// An admitted call was decided; nil if the store failed. Returns the answer that replaces the decision if this was
    /// one wrong code too many.
    mutating func decided(
        _ call: RESTCall,
        _ decision: RESTDecision?,
        _ attempt: AttemptLimiter.Attempt?,
        from source: ClientAddress,
        now: Timestamp
    ) -> RESTError? {
        noteReservation(call, decision)
        guard decision?.isWrongGuess == true else {
            if let attempt { attempts.giveBack(attempt) }
            return nil
        }
        guard attempt == nil, call.namesGuessableCode else { return nil }
        return lateAttempt(from: source, now: now).map { .tooMany("too_many_attempts", retryAfter: $0) }
    }

    /// Counts an attempt with a ticket. Only wrong ones count, so a client with the right ticket is never refused.
    /// Returns how many seconds to wait if it was one too many.
    mutating func lateAttempt(from source: ClientAddress, now: Timestamp) -> Int? {
        switch attempts.take(source, now: now) {
        case .counted: nil
        case .refused(let wait): wait
        }
    }

    private mutating func noteReservation(_ call: RESTCall, _ decision: RESTDecision?) {
        switch (call, decision?.reservedUntil) {
        case (.create(let code, _, _, _), let end?): reservations.keep(code, until: end)
        case (.create(let code, _, _, _), nil): reservations.giveUp(code)
        // The first check without a ticket that reports the acceptance ends the code.
        case (.check(let code, let proof), _) where proof.ticket == nil && decision?.response.status == 200:
            reservations.remove([code])
        default: break
        }
    }

    /// Counts an attempt at a code before it is known whether it is a guess, so that many at once cannot get past the
    /// limit.
    mutating func attempt(from source: ClientAddress, now: Timestamp) -> AttemptLimiter.Outcome {
        attempts.take(source, now: now)
    }

    /// The attempt was no guess.
    mutating func wasRight(_ attempt: AttemptLimiter.Attempt) { attempts.giveBack(attempt) }

    /// Whether one more socket may be opened; nil if so.
    func refusesSocket(from source: ClientAddress) -> RESTError? {
        if socketCount >= limits.sockets { return RESTError(503, "server_full", retryAfter: 30) }
        return sockets.hasRoom(for: source) ? nil : .tooMany("too_many_sockets", retryAfter: 30)
    }

    mutating func socketOpened(from source: ClientAddress) {
        socketCount += 1
        sockets.add(source)
    }

    mutating func socketClosed(from source: ClientAddress) {
        socketCount -= 1
        sockets.remove(source)
    }

    /// How many codes the sources hold that hold less than at the last call.
    mutating func takeChangedHoldings() -> [SharedHolding] {
        reservations.takeChanged().flatMap { source in
            [true, false].flatMap { isGuessable in
                let held = reservations.held(by: source, isGuessable: isGuessable)
                return SharedCharge.holdings(isGuessable ? "code" : "meeting", held, source, limits)
            }
        }
    }

    /// These codes are gone.
    mutating func removed(_ codes: [String]) { reservations.remove(codes) }

    /// Forgets clients whose limits are full again.
    mutating func sweep(now: Timestamp) {
        requests.forgetRested(now: now)
        codes.forgetRested(now: now)
        meetings.forgetRested(now: now)
        purges.forgetRested(now: now)
        attempts.forgetRested(now: now)
        reservations.forgetExpired(now: now)
    }
}
