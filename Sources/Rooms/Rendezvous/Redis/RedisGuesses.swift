internal import Cryptography
internal import Networking
internal import Redis
internal import Wire

/// Counts guesses at codes over all nodes, because a limit at each node would be as many times the limit as there are
/// nodes. A store that has it is asked besides the node's own ``AttemptLimiter``, which it follows.
protocol SharedGuesses: AnyObject {
    /// Counts an attempt before it is decided. Returns how many seconds to wait if there were too many.
    func takeGuess(from source: ClientAddress, _ limits: RendezvousLimits, now: Timestamp) throws -> Int?

    /// The attempt was right.
    func giveBackGuess(from source: ClientAddress, _ limits: RendezvousLimits, now: Timestamp) throws
}

/// Redis learns no address: each bucket is named by an HMAC under the secret of the nodes, and gone once it is full.
extension RedisRoomStore: SharedGuesses {
    func takeGuess(from source: ClientAddress, _ limits: RendezvousLimits, now: Timestamp) throws -> Int? {
        guard limits.codeAttempts != .unlimited, let guessKey else { return nil }
        guard let wait = try guess(1, source, limits, guessKey, now).first?.integer else {
            throw RedisError(.refused, "Redis gave an answer of another form")
        }
        return wait == 0 ? nil : Int(wait)
    }

    func giveBackGuess(from source: ClientAddress, _ limits: RendezvousLimits, now: Timestamp) throws {
        guard limits.codeAttempts != .unlimited, let guessKey else { return }
        _ = try guess(-1, source, limits, guessKey, now)
    }

    private func guess(
        _ count: Int, _ source: ClientAddress, _ limits: RendezvousLimits, _ key: SecretBytes, _ now: Timestamp
    ) throws -> [RedisValue] {
        let buckets = [
            ("address " + source.key, limits.codeAttemptsByAddress),
            ("network " + (source.network ?? source.key), limits.codeAttemptsByNetwork),
            ("reserve " + (source.network ?? source.key), limits.codeAttemptsInReserve),
            ("everybody", limits.codeAttempts),
        ]
        let arguments = buckets.flatMap { name, limit in
            ["guess:\(Self.hidden(name, key))".bytes, "\(limit.burst)".bytes, "\(limit.perMinute)".bytes]
        }
        return try run(Self.guessing, now, ["\(count)".bytes] + arguments).values
    }

    private static func hidden(_ name: String, _ key: SecretBytes) -> String {
        Base64URL.encode(Array(HMAC.code(Array(name.utf8), key: key).prefix(16)))
    }

    /// ARGV[3] is 1 to take or -1 to give back; four buckets follow, each with name, burst and rate a minute.
    private static let guessing = RedisScripts.script(
        "guess",
        """
        local count, levels, wait = tonumber(ARGV[3]), {}, {}
        for i = 1, 4 do
            local key, burst, rate = P .. ARGV[1 + 3 * i], tonumber(ARGV[2 + 3 * i]), tonumber(ARGV[3 + 3 * i]) / 60000
            local found = redis.call('HMGET', key, 'left', 'time')
            local left = found[1] and tonumber(found[1]) + math.max(0, now - tonumber(found[2])) * rate or burst
            levels[i] = math.min(burst, left)
            wait[i] = levels[i] < 1 and math.max(1, math.ceil((1 - levels[i]) / rate / 1000)) or 0
        end
        if count > 0 then
            local most = math.max(wait[1], wait[2])
            if wait[3] > 0 and wait[4] > 0 then most = math.max(most, wait[3]) end
            if most > 0 then return answer(most) end
        end
        for i = 1, 4 do
            local key, burst, rate = P .. ARGV[1 + 3 * i], tonumber(ARGV[2 + 3 * i]), tonumber(ARGV[3 + 3 * i]) / 60000
            if count < 0 or wait[i] == 0 then
                local left = math.min(burst, levels[i] - count)
                redis.call('HSET', key, 'left', tostring(left), 'time', whole(now))
                redis.call('PEXPIRE', key, whole(math.max(1000, (burst - left) / rate)))
            end
        end
        return answer(0)
        """)
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

extension RoomStore {
    /// Decides on a call from this address, if it has not guessed too often at any node.
    func decide(_ call: RESTCall, from source: ClientAddress, _ context: DecisionContext) throws -> RESTDecision {
        guard call.namesGuessableCode, let guesses = self as? any SharedGuesses else {
            return try call.decide(self, context)
        }
        func take() throws -> RESTDecision? {
            try guesses.takeGuess(from: source, context.limits, now: context.now).map {
                RESTDecision(RESTError.tooMany("too_many_attempts", retryAfter: $0).response)
            }
        }
        if call.isGuess, let refusal = try take() { return refusal }
        let decision = try call.decide(self, context)
        // A claim with a ticket counts only if it was wrong.
        if decision.isWrongGuess { return try call.isGuess ? decision : take() ?? decision }
        if call.isGuess { try guesses.giveBackGuess(from: source, context.limits, now: context.now) }
        return decision
    }

    /// The same for the question of a socket.
    func answer(
        _ question: SignalingQuestion, from source: ClientAddress?, _ limits: RendezvousLimits, now: Timestamp
    ) throws -> SignalingAnswer {
        guard case .watch(let code, let proof) = question, JoinID.isGuessable(code), let source,
            let guesses = self as? any SharedGuesses
        else { return try answer(question, now: now) }
        func isRefused() throws -> Bool { try guesses.takeGuess(from: source, limits, now: now) != nil }
        if !proof.hasTicket, try isRefused() { return .tooManyAttempts }
        let answer = try answer(question, now: now)
        if answer.isWrongGuess { return try proof.hasTicket && isRefused() ? .tooManyAttempts : answer }
        if !proof.hasTicket { try guesses.giveBackGuess(from: source, limits, now: now) }
        return answer
    }
}
