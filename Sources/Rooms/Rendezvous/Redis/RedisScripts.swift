internal import Redis

/// The decisions that have to be atomic, in Lua. KEYS[1] is the namespace; ARGV[1] is the time or empty for Redis's own
/// clock, ARGV[2] how long an unused room is kept, in milliseconds.
///
/// | key | holds |
/// |---|---|
/// | `code:CODE` | a hash: `creator`, `creatorTicket`, `expires`, `keep` (when it is removed), `nonce`, `room` once accepted, `watch NODE` for each node at which it is watched |
/// | `room:ID` | a hash: `creator`, `creatorTicket`, `guest`, `guestTicket`, `used`, and `code` |
/// | `device:SHA1` | the set of what a device has: `c` and a code, or `r` and a room |
/// | `codes`, `rooms` | sorted sets by `keep` and by `used`, for counting and sweeping |
///
/// Every key also expires by itself, a while after what it holds is over, so that a namespace that no server uses any
/// more becomes empty.
enum RedisScripts {
    static let create = limited(
        "create", from: 9, wrong: ["inUse"],
        """
        local creator, ticket, lifetime, limit, nonce = ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
        local found = hash(code(ARGV[3]))
        if found and tonumber(found.keep) > now then
            if ticket == '' or not found.creatorTicket or found.creator ~= creator then return answer('inUse') end
            if found.nonce ~= nonce then return answer('repeated', found.nonce) end
            if ticket ~= found.creatorTicket then
                redis.call('HSET', code(ARGV[3]), 'creatorTicket', ticket)
                if found.room and redis.call('EXISTS', room(found.room)) == 1 then
                    redis.call('HSET', room(found.room), 'creatorTicket', ticket)
                end
            end
            return answer('created', found.expires)
        end
        -- A full Redis refuses the first write of a script, if it adds something; so nothing may be written before.
        if found then dropCode(ARGV[3]) end
        if redis.call('ZCARD', P .. 'codes') >= limit then return answer('full') end
        local expires = whole(now + lifetime)
        local fields = { 'creator', creator, 'expires', expires, 'nonce', nonce }
        if ticket ~= '' then fields[7], fields[8] = 'creatorTicket', ticket end
        keep(ARGV[3], creator, now + lifetime, unpack(fields))
        return answer('created', expires)
        """)

    static let accept = limited(
        "accept", from: 9, wrong: ["unknown", "conflict"],
        """
        local guest, ticket, id, grace, limit = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
        local found = live(ARGV[3])
        if not found then return answer('unknown') end
        local watchers = {}
        for field in pairs(found) do
            if string.sub(field, 1, 6) == 'watch ' then watchers[#watchers + 1] = string.sub(field, 7) end
        end
        if found.room then
            local old = hash(room(found.room))
            if not old or old.guest ~= guest or (old.guestTicket == nil) ~= (ticket == '') then
                return answer(tonumber(found.expires) <= now and 'unknown' or 'conflict')
            end
            if ticket ~= '' then
                if found.room ~= id then return answer('repeated', found.room) end
                redis.call('HSET', room(found.room), 'guestTicket', ticket)
            end
            return answer('accepted', found.room, watchers)
        end
        if found.creator == guest then return answer('conflict') end
        if redis.call('ZCARD', P .. 'rooms') >= limit then return answer('full') end
        local fields = { 'creator', found.creator, 'guest', guest, 'code', ARGV[3], 'used', whole(now) }
        local function add(name, value)
            if value and value ~= '' then fields[#fields + 1], fields[#fields + 2] = name, value end
        end
        add('creatorTicket', found.creatorTicket)
        add('guestTicket', ticket)
        redis.call('HSET', room(id), unpack(fields))
        redis.call('SADD', device(found.creator), 'r' .. id)
        redis.call('SADD', device(guest), 'r' .. id)
        used(id, found.creator, guest)
        keep(ARGV[3], found.creator, math.max(tonumber(found.expires), now + grace), 'room', id)
        return answer('accepted', id, watchers)
        """)

    /// What became of a code. ARGV[4] is `ticket`, `bare` (without one) or `nobody` (without a device, too); then device,
    /// digest of the ticket, and for how long an answer can be requested again. ARGV[8] is `check` or `watch`, and ARGV[9]
    /// the node that wants to hear of the guest.
    ///
    /// A creator that checks has seen the acceptance: the code ends (without a ticket), or is kept for a while only.
    static let check = limited(
        "check", from: 10, wrong: ["unknown", "forbidden"],
        """
        local found = live(ARGV[3])
        if not found or ARGV[4] == 'nobody' or found.creator ~= ARGV[5] then return answer('unknown') end
        local isBare = ARGV[4] == 'bare'
        if isBare ~= (found.creatorTicket == nil) or not isBare and found.creatorTicket ~= ARGV[6] then
            return answer('forbidden')
        end
        if not found.room then
            if ARGV[8] == 'watch' and ARGV[9] ~= '' then redis.call('HSET', code(ARGV[3]), 'watch ' .. ARGV[9], '1') end
            return answer('pending', whole(tonumber(found.expires) - now))
        end
        if ARGV[8] == 'check' then
            if isBare then
                dropCode(ARGV[3])
            else
                local most = math.max(tonumber(found.expires), now + tonumber(ARGV[7]))
                if most < tonumber(found.keep) then keep(ARGV[3], found.creator, most) end
            end
        end
        return answer('accepted', found.room)
        """)

    /// Of each code: `room` and its room, `gone`, or nothing while it waits. ARGV[3] is the node that wants to hear of
    /// guests who come later.
    static let news = script(
        "news",
        """
        local news = {}
        for i = 4, #ARGV do
            local found = live(ARGV[i])
            news[i - 3] = not found and 'gone' or found.room and 'room ' .. found.room or ''
            if found and not found.room and ARGV[3] ~= '' then
                redis.call('HSET', code(ARGV[i]), 'watch ' .. ARGV[3], '1')
            end
        end
        return answer(unpack(news))
        """)

    static let room = script(
        "room",
        """
        local found = hash(room(ARGV[3]))
        if not found then return answer('unknown') end
        return answer('found', found.creator, found.creatorTicket or '', found.guest, found.guestTicket or '',
            whole(now - tonumber(found.used)))
        """)

    static let touch = script(
        "touch",
        "for i = 3, #ARGV do if redis.call('EXISTS', room(ARGV[i])) == 1 then use(ARGV[i]) end end return answer()")

    static let delete = script(
        "delete", "local rooms, codes = {}, {} dropRoom(ARGV[3], rooms, codes) return answer(rooms, codes)")

    /// ARGV[3] is the number of devices, ARGV[4] about how many rooms and codes are removed at once, because Redis does nothing else meanwhile;
    /// the devices follow, and then digests of tickets.
    static let purge = script(
        "purge",
        """
        local rooms, codes, tickets = {}, {}, {}
        local last, most = 4 + tonumber(ARGV[3]), tonumber(ARGV[4])
        for i = last + 1, #ARGV do tickets[ARGV[i]] = true end
        local function owns(name, ticket, wanted) return name == wanted and (not ticket or tickets[ticket]) end
        for i = 5, last do
            local members = redis.call('SMEMBERS', device(ARGV[i]))
            table.sort(members, function(a, b) return a > b end)
            for _, member in ipairs(members) do
                if #rooms + #codes >= most then return answer(rooms, codes) end
                local name = string.sub(member, 2)
                if string.sub(member, 1, 1) == 'r' then
                    local found = hash(room(name))
                    if found and (owns(found.creator, found.creatorTicket, ARGV[i])
                        or owns(found.guest, found.guestTicket, ARGV[i])) then dropRoom(name, rooms, codes) end
                else
                    local found = hash(code(name))
                    if found and owns(found.creator, found.creatorTicket, ARGV[i]) then
                        dropCode(name)
                        table.insert(codes, name)
                    end
                end
            end
        end
        return answer(rooms, codes)
        """)

    /// ARGV[3] is for how long an idle room was not used, ARGV[4] the most codes, and rooms, to remove.
    static let sweep = script(
        "sweep",
        """
        local rooms, codes = {}, redis.call('ZRANGEBYSCORE', P .. 'codes', '-inf', whole(now), 'LIMIT', 0, ARGV[4])
        for _, name in ipairs(codes) do dropCode(name) end
        local before = '(' .. whole(now - tonumber(ARGV[3]))
        for _, id in ipairs(redis.call('ZRANGEBYSCORE', P .. 'rooms', '-inf', before, 'LIMIT', 0, ARGV[4])) do
            dropRoom(id, rooms, codes)
        end
        return answer(rooms, codes)
        """)

    static func script(_ name: String, _ body: String) -> RedisScript { RedisScript(name, prelude + body) }

    private static let prelude = """
        local P = KEYS[1]
        local idle = tonumber(ARGV[2])
        local slack = 600000
        local now
        if ARGV[1] == '' then
            local time = redis.call('TIME')
            now = time[1] * 1000 + math.floor(time[2] / 1000)
        else
            now = tonumber(ARGV[1])
        end
        local function whole(number) return string.format('%.0f', number) end
        local function code(name) return P .. 'code:' .. name end
        local function room(id) return P .. 'room:' .. id end
        local function device(name) return P .. 'device:' .. redis.sha1hex(name) end
        local function hash(key)
            local found, flat = {}, redis.call('HGETALL', key)
            for i = 1, #flat, 2 do found[flat[i]] = flat[i + 1] end
            return next(found) and found or nil
        end
        local function live(name)
            local found = hash(code(name))
            if found and tonumber(found.keep) > now then return found end
        end
        -- Not for each bit of time: what is kept together lives ten minutes longer than needed.
        local function outlive(key, time)
            if redis.call('PTTL', key) < time - slack / 2 then redis.call('PEXPIRE', key, whole(time)) end
        end
        local function keep(name, creator, time, ...)
            redis.call('HSET', code(name), 'keep', whole(time), ...)
            redis.call('ZADD', P .. 'codes', whole(time), name)
            redis.call('PEXPIRE', code(name), whole(math.max(1, time - now) + slack))
            redis.call('SADD', device(creator), 'c' .. name)
            outlive(device(creator), time - now + slack)
            outlive(P .. 'codes', time - now + slack)
        end
        local function used(id, creator, guest)
            redis.call('ZADD', P .. 'rooms', whole(now), id)
            redis.call('PEXPIRE', room(id), whole(idle + slack))
            for _, key in ipairs({ P .. 'rooms', device(creator), device(guest) }) do outlive(key, idle + slack) end
        end
        local function use(id)
            local found = hash(room(id))
            redis.call('HSET', room(id), 'used', whole(now))
            used(id, found.creator, found.guest)
        end
        local function dropCode(name)
            local found = hash(code(name))
            if found then redis.call('SREM', device(found.creator), 'c' .. name) end
            redis.call('DEL', code(name))
            redis.call('ZREM', P .. 'codes', name)
        end
        local function dropRoom(id, rooms, codes)
            local found = hash(room(id))
            redis.call('ZREM', P .. 'rooms', id)
            if not found then return end
            table.insert(rooms, id)
            redis.call('SREM', device(found.creator), 'r' .. id)
            redis.call('SREM', device(found.guest), 'r' .. id)
            redis.call('DEL', room(id), P .. 'seats:' .. id)
            local pending = hash(code(found.code))
            if pending and pending.room == id then
                dropCode(found.code)
                table.insert(codes, found.code)
            end
        end
        local function answer(...)
            return { redis.call('ZCARD', P .. 'codes'), redis.call('ZCARD', P .. 'rooms'), ... }
        end

        """
}
