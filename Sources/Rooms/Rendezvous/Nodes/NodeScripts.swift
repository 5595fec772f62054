internal import Redis

/// Who sits where, in Lua. KEYS[1] is the namespace; ARGV[1] is this node.
///
/// `seats:ROOM` is a hash from `creator` and `guest` to a node and the name of a socket. `node:ID` exists while a node
/// lives; the seats of a dead one are free.
enum NodeScripts {
    /// Takes a seat. Returns who sat there before, and who sits opposite. A node that says anew who sits there (ARGV[6] is
    /// `again`) takes no seat that a living one took meanwhile; then a third value says so.
    static let seat = RedisScript(
        "seat",
        prelude + """
            local mine = ARGV[1] .. ' ' .. ARGV[4]
            local before, other = living(ARGV[2], ARGV[3]), living(ARGV[2], ARGV[3] == 'creator' and 'guest' or 'creator')
            if ARGV[6] == 'again' and before ~= '' and before ~= mine then return { before, other, 'taken' } end
            redis.call('HSET', P .. 'seats:' .. ARGV[2], ARGV[3], mine)
            redis.call('PEXPIRE', P .. 'seats:' .. ARGV[2], ARGV[5])
            return { before ~= mine and before or '', other }
            """)

    /// Leaves a seat, unless somebody else sits there already. Returns who sits opposite.
    static let leave = RedisScript(
        "leave",
        prelude + """
            local key = P .. 'seats:' .. ARGV[2]
            if redis.call('HGET', key, ARGV[3]) ~= ARGV[1] .. ' ' .. ARGV[4] then return { '', '' } end
            redis.call('HDEL', key, ARGV[3])
            return { '', living(ARGV[2], ARGV[3] == 'creator' and 'guest' or 'creator') }
            """)

    private static let prelude = """
        local P = KEYS[1]
        local function living(room, side)
            local found = redis.call('HGET', P .. 'seats:' .. room, side)
            if not found then return '' end
            local node = string.match(found, '^(%S+) ')
            if node ~= ARGV[1] and redis.call('EXISTS', P .. 'node:' .. node) == 0 then
                redis.call('HDEL', P .. 'seats:' .. room, side)
                return ''
            end
            return found
        end

        """
}
