internal import Cryptography
internal import Networking
internal import Redis
internal import Wire

/// Limits over all nodes, in Redis: one script for all that a call counts as.
///
/// A rate is one number, the time at which everything that was counted is over (the "theoretical arrival time" of the
/// generic cell rate algorithm, ITU-T I.371): no list, and the key is gone at that time. What a source holds is one
/// number for each node, and those of dead nodes do not count. Redis learns no address, and not which codes belong
/// together: keys are named by an HMAC under the secret of the nodes.
extension RedisRoomStore: SharedLimits {
    func take(_ charge: SharedCharge, now: Timestamp) throws -> SharedVerdict {
        guard !charge.isEmpty, let limits else { return .taken([]) }
        let buckets = charge.parts.enumerated().flatMap { part, value in value.buckets.map { (part, $0) } }
        var arguments = ["take", limits.node, "\(buckets.count)"]
        for (part, bucket) in buckets { arguments += ["\(part)"] + limits.words(bucket) }
        for holding in charge.holdings { arguments += limits.words(holding) }
        let answer = try run(Self.limiting, now, arguments.map { Array($0.utf8) })
        guard let wait = answer.values.first?.integer, answer.values.count == 2 else { throw answer.unexpected }
        if wait > 0 {
            guard let part = answer.values[1].integer else { throw answer.unexpected }
            let index = Int(clamping: part)
            let refusal = charge.parts.indices.contains(index) ? charge.parts[index].refusal : "too_many_rooms"
            return .refused(refusal, Int(clamping: wait))
        }
        let places = (answer.values[1].array ?? []).compactMap(\.integer).map { Int(clamping: $0) }
        return .taken(places.filter(buckets.indices.contains).map { buckets[$0].1 })
    }

    func giveBack(_ taken: [SharedBucket], now: Timestamp) throws {
        guard !taken.isEmpty, let limits else { return }
        let words = ["give", limits.node, "\(taken.count)"] + taken.flatMap { ["0"] + limits.words($0) }
        _ = try run(Self.limiting, now, words.map { Array($0.utf8) })
    }

    func hold(_ holdings: [SharedHolding], now: Timestamp) throws {
        guard !holdings.isEmpty, let limits else { return }
        let words = ["hold", limits.node, "0"] + holdings.flatMap(limits.words)
        _ = try run(Self.limiting, now, words.map { Array($0.utf8) })
    }

    /// ARGV[3] is `take`, `give` or `hold`, ARGV[4] this node, ARGV[5] the number of buckets. For each of them follow its
    /// part, key, milliseconds for one, how many at once, and how many now; then for each holding its key, how many this
    /// node has, and how many all may have.
    private static let limiting = RedisScripts.script(
        "limit",
        """
        local what, me, last = ARGV[3], ARGV[4], 5 + 5 * tonumber(ARGV[5])
        local ends, waits, empty = {}, {}, {}
        local function bucket(i)
            return P .. ARGV[i + 1], tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
        end
        local function set(key, time)
            if time > now then
                redis.call('SET', key, string.format('%.3f', time), 'PX', whole(math.max(1, time - now)))
            else
                redis.call('DEL', key)
            end
        end
        for i = 6, last, 5 do
            local key, each, burst, count = bucket(i)
            -- A clock that was set back makes nobody wait longer.
            local time = math.min(math.max(now, tonumber(redis.call('GET', key) or 0)), now + burst * each)
            ends[i], waits[i] = time, time + count * each - now - burst * each
            if what == 'give' then set(key, time - count * each) end
            if waits[i] > 0.001 and empty[ARGV[i]] == nil then empty[ARGV[i]] = i end
            if waits[i] <= 0.001 then empty[ARGV[i]] = false end
        end
        if what == 'give' then return answer(0, {}) end
        if what == 'take' then
            for i = 6, last, 5 do
                if empty[ARGV[i]] then
                    return answer(math.max(1, math.ceil(waits[empty[ARGV[i]]] / 1000)), tonumber(ARGV[i]))
                end
            end
        end
        for i = last + 1, #ARGV, 3 do
            local key, sum = P .. ARGV[i], tonumber(ARGV[i + 1])
            if what == 'take' then
                local flat = redis.call('HGETALL', key)
                for j = 1, #flat, 2 do
                    if flat[j] ~= me then
                        if redis.call('EXISTS', P .. 'node:' .. flat[j]) == 1 then
                            sum = sum + tonumber(flat[j + 1])
                        else
                            redis.call('HDEL', key, flat[j])
                        end
                    end
                end
                if sum > tonumber(ARGV[i + 2]) then return answer(60, -1) end
            end
        end
        for i = last + 1, #ARGV, 3 do
            if ARGV[i + 1] == '0' then
                redis.call('HDEL', P .. ARGV[i], me)
            else
                redis.call('HSET', P .. ARGV[i], me, ARGV[i + 1])
                redis.call('PEXPIRE', P .. ARGV[i], 86400000 + slack)
            end
        end
        local taken = {}
        for i = 6, last, 5 do
            if waits[i] <= 0.001 then
                local key, each, burst, count = bucket(i)
                set(key, ends[i] + count * each)
                table.insert(taken, (i - 6) / 5)
            end
        end
        return answer(0, taken)
        """)
}

/// Names what is counted in Redis.
struct RedisLimitNames {
    /// The id of this node.
    let node: String
    let key: SecretBytes

    func words(_ bucket: SharedBucket) -> [String] {
        // A limit that never refills is one that does so in some thirty years.
        let each = bucket.limit.perMinute > 0 ? min(60_000 / bucket.limit.perMinute, 1e12) : 1e12
        return ["rate:\(hidden(bucket.owner))", "\(each)", "\(bucket.limit.burst)", "\(bucket.count)"]
    }

    func words(_ holding: SharedHolding) -> [String] {
        ["held:\(hidden(holding.owner))", "\(holding.count)", "\(holding.limit)"]
    }

    private func hidden(_ name: String) -> String {
        Base64URL.encode(Array(HMAC.code(Array(name.utf8), key: key).prefix(16)))
    }
}
