internal import Cryptography
internal import Networking
internal import Redis
internal import Wire

/// Limits over all nodes, in Redis, which a script checks and counts in the same step as it decides
/// (``RedisScripts/limited(_:from:wrong:_:)``).
///
/// A rate is one number, the time at which everything that was counted is over (the "theoretical arrival time" of the
/// generic cell rate algorithm, ITU-T I.371): no list, and the key is gone at that time. What a source holds is one
/// number for each node, and those of dead nodes do not count. Redis learns no address, and not which codes belong
/// together: keys are named by an HMAC under the secret of the nodes.
extension RedisRoomStore: SharedLimits {
    func take(_ charge: SharedCharge, now: Timestamp) throws {
        guard !charge.isEmpty, let limits else { return }
        let answer = try run(RedisScripts.take, now, limits.words(charge, SharedCharge(), .never))
        if answer.word == "refused" { throw try answer.refusal() }
    }

    func watch(
        code: String, by proof: Proof, guess: SharedCharge, _ counting: GuessCounting, now: Timestamp
    ) throws -> Check {
        let words = limits?.words(SharedCharge(), guess, counting) ?? []
        return try ask(checking(code, by: proof, isWatch: true, now: now, words), now)
    }

    func hold(_ holdings: [SharedHolding], now: Timestamp) throws {
        guard !holdings.isEmpty, let limits else { return }
        let words = [limits.node] + holdings.flatMap(limits.words)
        _ = try run(RedisScripts.hold, now, words.map { Array($0) })
    }

    /// The end of the arguments of a script that decides on this call.
    func limitWords(_ charge: SharedCharge, _ asked: AskedCall) -> [[UInt8]] {
        limits?.words(charge, asked.guess, asked.counting) ?? []
    }
}

/// Names what is counted in Redis.
final class RedisLimitNames {
    /// The id of this node.
    let node: String
    private let key: SecretBytes
    /// A client sends several requests in a row, and an HMAC for each limit of each would cost more than all the rest.
    private var known: [String: String] = [:]
    private static let knownLimit = 10_000

    init(node: String, key: SecretBytes) {
        self.node = node
        self.key = key
    }

    /// What a script needs to count a call, nothing if nothing is counted.
    func words(_ charge: SharedCharge, _ guess: SharedCharge, _ counting: GuessCounting) -> [[UInt8]] {
        guard !charge.isEmpty || !guess.isEmpty else { return [] }
        var words = [node, counting.rawValue, "\(charge.bucketCount)", "\(guess.bucketCount)"]
        for (part, value) in (charge.parts + guess.parts).enumerated() {
            for bucket in value.buckets { words += ["\(part) \(value.refusal)"] + self.words(bucket) }
        }
        return (words + charge.holdings.flatMap(self.words)).map { Array($0) }
    }

    private func words(_ bucket: SharedBucket) -> [String] {
        // A limit that never refills is one that does so in some thirty years.
        let each = bucket.limit.perMinute > 0 ? min(60_000 / bucket.limit.perMinute, 1e12) : 1e12
        return ["rate:\(hidden(bucket.owner))", "\(each)", "\(bucket.limit.burst)", "\(bucket.count)"]
    }

    func words(_ holding: SharedHolding) -> [String] {
        ["held:\(hidden(holding.owner))", "\(holding.count)", "\(holding.limit)"]
    }

    private func hidden(_ name: String) -> String {
        if let found = known[name] { return found }
        let made = Base64URL.encode(Array(HMAC.code(Array(name.utf8), key: key).prefix(16)))
        if known.count >= Self.knownLimit { known = [:] }
        known[name] = made
        return made
    }
}
