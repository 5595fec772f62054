internal import Networking

/// Counts what sources do over all nodes, because a limit at each node would be as many times the limit as there are
/// nodes. A store that has it is asked besides the node's own ``RequestLimiter``, which it follows and which refuses
/// most of a flood without asking anybody.
protocol SharedLimits: AnyObject {
    /// Counts what is to be done, all of it or nothing. Throws ``SharedRefusal``.
    func take(_ charge: SharedCharge, now: Timestamp) throws

    /// Watches a code, and counts it as a guess if it was wrong. Throws ``SharedRefusal``.
    func watch(
        code: String, by proof: Proof, guess: SharedCharge, _ counting: GuessCounting, now: Timestamp
    ) throws -> Check

    /// Says how many codes these sources hold at this node, which may have become fewer.
    func hold(_ holdings: [SharedHolding], now: Timestamp) throws
}

/// When a limit on guesses is looked at. Only wrong guesses are counted.
enum GuessCounting: String, Sendable {
    /// It cannot be a guess.
    case never
    /// Before it is decided, so that a right one is refused, too.
    case before
    /// After it was decided to be wrong: a right ticket is never refused.
    case after
}

/// One too many at all nodes together.
struct SharedRefusal: Error, Equatable {
    /// The word that clients get.
    let code: String
    /// How long to wait.
    let seconds: Int
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
    var bucketCount: Int { parts.reduce(0) { $0 + $1.buckets.count } }
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
    /// Answers the question of a socket, if it is not one guess too many at all nodes together.
    func answer(
        _ question: SignalingQuestion, from source: ClientAddress?, _ limits: RendezvousLimits, now: Timestamp
    ) throws -> SignalingAnswer {
        guard case .watch(let code, let proof) = question, JoinID.isGuessable(code), let source,
            let shared = self as? any SharedLimits
        else { return try answer(question, now: now) }
        let guess = SharedCharge(guessFrom: source, limits)
        do {
            let counting = proof.hasTicket ? GuessCounting.after : .before
            return .watch(try shared.watch(code: code, by: proof, guess: guess, counting, now: now))
        } catch is SharedRefusal {
            return .tooManyAttempts
        }
    }
}
