internal import Redis

/// A decision and everything that the call counts as, in one step: so nothing has to be taken back, and Redis is asked
/// once.
extension RedisScripts {
    /// Checks the limits, decides, and counts.
    ///
    /// From ARGV[start] on, if there is anything: this node, when guesses count (`never`, `before` or `after` the decision),
    /// how many buckets the call has and how many a guess; for each of them its part and the word of its refusal, key, milliseconds for one, how many at
    /// once, and how many now; then for each holding its key, how many this node has, and how many all may have. A guess is
    /// counted only if it was wrong; `after` refuses only wrong ones.
    ///
    /// The first write is the decision's, because a full Redis refuses only the first one of a script.
    /// - Parameters:
    ///   - start: the number of the first argument that is not the decision's.
    ///   - wrong: the words of a wrong guess.
    static func limited(
        _ name: String, from start: Int, wrong: [String], _ body: String
    ) -> RedisScript {
        let words = wrong.map { "\($0) = true" }.joined(separator: ", ")
        return script(
            name,
            """
            local L, wrong = \(start), { \(words) }
            local function decide()
            \(body)
            end
            \(limits)
            """)
    }

    /// Only counts.
    static let take = limited("take", from: 3, wrong: [], "return answer('taken')")

    /// ARGV[3] is this node; then for each holding its key, how many this node has, and how many all may have.
    static let hold = script("hold", "\(holding) hold(ARGV[3], 4) return answer()")

    private static let holding = """
        local function hold(me, from)
            for i = from, #ARGV, 3 do
                local key = P .. ARGV[i]
                if ARGV[i + 1] == '0' then
                    redis.call('HDEL', key, me)
                else
                    redis.call('HSET', key, me, ARGV[i + 1])
                    redis.call('PEXPIRE', key, 86400000 + slack)
                end
            end
        end

        """

    private static let limits =
        holding + """
            if #ARGV < L then return decide() end
            local me, counting, first = ARGV[L], ARGV[L + 1], L + 4
            local middle = first + 5 * tonumber(ARGV[L + 2])
            local last = middle + 5 * tonumber(ARGV[L + 3])
            local keys, ends, waits = {}, {}, {}
            for i = first, last - 1, 5 do keys[#keys + 1] = P .. ARGV[i + 1] end
            local times = #keys > 0 and redis.call('MGET', unpack(keys)) or {}
            for i = first, last - 1, 5 do
                local each, burst, count = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
                -- A clock that was set back makes nobody wait longer.
                local most = now + burst * each
                local time = math.min(math.max(now, tonumber(times[(i - first) / 5 + 1] or 0)), most)
                ends[i] = time + count * each
                waits[i] = ends[i] - most
            end
            local function refusal(from, till)
                local empty = {}
                for i = from, till - 1, 5 do
                    local part = ARGV[i]
                    if waits[i] <= 0.001 then empty[part] = false elseif empty[part] == nil then empty[part] = i end
                end
                for i = from, till - 1, 5 do
                    local found = empty[ARGV[i]]
                    if found then return answer('refused', whole(math.max(1, math.ceil(waits[found] / 1000))), ARGV[i]) end
                end
            end
            local function count(from, till)
                for i = from, till - 1, 5 do
                    if waits[i] <= 0.001 then
                        local left = whole(math.max(1, ends[i] - now))
                        redis.call('SET', P .. ARGV[i + 1], string.format('%.3f', ends[i]), 'PX', left)
                    end
                end
            end
            local no = refusal(first, counting == 'before' and last or middle)
            if no then return no end
            local dead = {}
            for i = last, #ARGV, 3 do
                local sum = tonumber(ARGV[i + 1])
                local flat = redis.call('HGETALL', P .. ARGV[i])
                for j = 1, #flat, 2 do
                    if flat[j] == me then
                        -- What it has now counts.
                    elseif redis.call('EXISTS', P .. 'node:' .. flat[j]) == 1 then
                        sum = sum + tonumber(flat[j + 1])
                    else
                        dead[#dead + 1] = { P .. ARGV[i], flat[j] }
                    end
                end
                if sum > tonumber(ARGV[i + 2]) then return answer('refused', '60', '- too_many_rooms') end
            end
            local outcome = decide()
            if counting ~= 'never' and wrong[outcome[3]] then
                no = counting == 'after' and refusal(middle, last)
                if not no then count(middle, last) end
            end
            count(first, middle)
            for _, held in ipairs(dead) do redis.call('HDEL', held[1], held[2]) end
            hold(me, last)
            return no or outcome
            """
}
