internal import Networking

/// Counts what sources do over all nodes, because a limit at each node would be as many times the limit as there are
/// nodes. A store that has it is asked besides the node's own ``RequestLimiter``, which it follows and which refuses
/// most of a flood without asking anybody.
protocol SharedLimits: AnyObject {
    /// Counts what is to be done, all of it or nothing.
    func take(_ charge: SharedCharge, now: Timestamp) throws -> SharedVerdict

    /// Takes back what was counted.
    func giveBack(_ taken: [SharedBucket], now: Timestamp) throws

    /// Says how many codes these sources hold at this node, which may have become fewer.
    func hold(_ holdings: [SharedHolding], now: Timestamp) throws
}

/// A rate that counts over all nodes.
struct SharedBucket: Equatable, Sendable {
    /// What is counted, and whose. Only a digest of it leaves this process.
    let owner: String
    let limit: RateLimit
    let count: Int
}

/// How many codes or meetings a source holds.
struct SharedHolding: Equatable, Sendable {
    let owner: String
    /// At this node, with the one that is asked for.
    let count: Int
    /// At all nodes together.
    let limit: Int
}

/// What one call counts as.
struct SharedCharge: Equatable, Sendable {
    /// One reason for which the call may be refused.
    struct Part: Equatable, Sendable {
        /// The word that clients get.
        let refusal: String
        /// It is refused only if all of these are used up.
        let buckets: [SharedBucket]
    }

    var parts: [Part] = []
    var holdings: [SharedHolding] = []

    var isEmpty: Bool { parts.isEmpty && holdings.isEmpty }
}

enum SharedVerdict: Equatable, Sendable {
    /// With what was counted.
    case taken([SharedBucket])
    /// With the number of seconds to wait.
    case refused(String, Int)
}

extension SharedCharge {
    /// What a call counts as before it is decided, but for guesses.
    /// - Parameter held: how many codes of this kind the source holds at this node.
    init(_ call: RESTCall, from source: ClientAddress, held: HeldCodes, _ limits: RendezvousLimits) {
        add("too_many_requests", "request", limits.requests, source, limits)
        switch call {
        case .create(let code, _, _, _):
            let isGuessable = JoinID.isGuessable(code)
            let kind = isGuessable ? "code" : "meeting"
            add("too_many_rooms", kind, isGuessable ? limits.creations : limits.meetings, source, limits)
            holdings = Self.holdings(kind, held, source, limits)
        case .purge(let devices, let tickets):
            let count = max(devices.count, tickets.count)
            add("too_many_purges", "purge", limits.purgedDevices, source, limits, count: count)
        default: break
        }
    }

    /// A guess at a code.
    init(guessFrom source: ClientAddress, _ limits: RendezvousLimits) {
        let everybody = SharedBucket(owner: "guess", limit: limits.codeAttempts, count: 1)
        let network = source.network ?? source.key
        let reserve = SharedBucket(owner: "reserve \(network)", limit: limits.codeAttemptsInReserve, count: 1)
        add("too_many_attempts", "guess", limits.codeAttemptsByAddress, source.key)
        if let network = source.network { add("too_many_attempts", "guess", limits.codeAttemptsByNetwork, network) }
        if everybody.limit != .unlimited {
            parts.append(Part(refusal: "too_many_attempts", buckets: [reserve, everybody]))
        }
    }

    static func holdings(
        _ kind: String, _ held: HeldCodes, _ source: ClientAddress, _ limits: RendezvousLimits
    ) -> [SharedHolding] {
        let most = kind == "code" ? limits.codesByAddress : limits.meetingsByAddress
        guard most < .max else { return [] }
        let address = SharedHolding(owner: "\(kind) \(source.key)", count: held.byAddress, limit: most)
        guard let network = source.network else { return [address] }
        let all = most.multipliedReportingOverflow(by: limits.networkFactor)
        let limit = all.overflow ? Int.max : all.partialValue
        return [address, SharedHolding(owner: "\(kind) \(network)", count: held.byNetwork, limit: limit)]
    }

    private mutating func add(
        _ refusal: String, _ kind: String, _ limit: RateLimit, _ source: ClientAddress, _ limits: RendezvousLimits,
        count: Int = 1
    ) {
        add(refusal, kind, limit, source.key, count: count)
        if let network = source.network {
            add(refusal, kind, limit.times(limits.networkFactor), network, count: count)
        }
    }

    private mutating func add(_ refusal: String, _ kind: String, _ limit: RateLimit, _ owner: String, count: Int = 1) {
        guard limit != .unlimited else { return }
        let bucket = SharedBucket(owner: "\(kind) \(owner)", limit: limit, count: max(1, min(count, limit.burst)))
        parts.append(Part(refusal: refusal, buckets: [bucket]))
    }
}

extension RoomStore {
    /// Decides on a call, if it is not one too many at all nodes together.
    /// - Parameter charge: what it counts as besides a guess.
    func decide(
        _ call: RESTCall, from source: ClientAddress, _ charge: SharedCharge, _ context: DecisionContext
    ) throws -> RESTDecision {
        guard let shared = self as? any SharedLimits else { return try call.decide(self, context) }
        let guess = SharedCharge(guessFrom: source, context.limits)
        var first = charge
        if call.isGuess { first.parts += guess.parts }
        var taken: [SharedBucket] = []
        switch try shared.take(first, now: context.now) {
        case .refused(let code, let wait): return RESTDecision(refusing: .tooMany(code, retryAfter: wait))
        case .taken(let all): taken = all.filter { bucket in guess.parts.contains { $0.buckets.contains(bucket) } }
        }
        let decision = try call.decide(self, context)
        if !decision.isWrongGuess {
            // Right ones are not counted.
            try shared.giveBack(taken, now: context.now)
        } else if !call.isGuess, call.namesGuessableCode,
            case .refused(let code, let wait) = try shared.take(guess, now: context.now)
        {
            // A claim with a ticket counts only if it was wrong.
            return RESTDecision(refusing: .tooMany(code, retryAfter: wait))
        }
        return decision
    }

    /// The same for the question of a socket.
    func answer(
        _ question: SignalingQuestion, from source: ClientAddress?, _ limits: RendezvousLimits, now: Timestamp
    ) throws -> SignalingAnswer {
        guard case .watch(let code, let proof) = question, JoinID.isGuessable(code), let source,
            let shared = self as? any SharedLimits
        else { return try answer(question, now: now) }
        let guess = SharedCharge(guessFrom: source, limits)
        func take() throws -> [SharedBucket]? {
            if case .taken(let taken) = try shared.take(guess, now: now) { taken } else { nil }
        }
        if proof.hasTicket {
            let answer = try answer(question, now: now)
            return try answer.isWrongGuess && take() == nil ? .tooManyAttempts : answer
        }
        guard let taken = try take() else { return .tooManyAttempts }
        let answer = try answer(question, now: now)
        if !answer.isWrongGuess { try shared.giveBack(taken, now: now) }
        return answer
    }
}
