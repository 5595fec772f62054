package import Networking

/// The limits of a rendezvous server. The defaults suit a public server. An "address" is an IPv4 address or the first
/// 64 bits of an IPv6 address; a "network" is the first 48 bits of an IPv6 address, which one site has.
package struct RendezvousLimits: Sendable {
    /// How many times the limits of an address apply to a network; wrong codes have their own limit.
    package var networkFactor = 8
    /// REST requests by one address.
    package var requests = RateLimit(burst: 120, perMinute: 600)
    /// Codes of six digits made by one address. Making a code reveals whether it is in use, so this is close to the
    /// limit of guesses.
    package var creations = RateLimit(burst: 30, perMinute: 10)
    /// Ids of meetings reserved by one address. They cannot be guessed, and each member of a circle needs one.
    package var meetings = RateLimit(burst: 300, perMinute: 60)
    /// Codes of six digits that one address may have reserved at the same time.
    package var codesByAddress = 128
    /// Ids of meetings that one address may have reserved at the same time.
    package var meetingsByAddress = 1024
    /// Wrong codes by one address: accepting a code that does not wait, creating one that is in use, and checking or
    /// watching one of others. Six digits are only 20 bits, so this limit, not their number, keeps strangers out. Ids
    /// of meetings, and calls with a right ticket, are not counted: they cannot be guessed, and people who share an
    /// address with an attacker are not locked out.
    package var codeAttemptsByAddress = RateLimit(burst: 20, perMinute: 6)
    /// Wrong codes by one network.
    package var codeAttemptsByNetwork = RateLimit(burst: 60, perMinute: 12)
    /// Wrong codes by all clients together.
    package var codeAttempts = RateLimit(burst: 3000, perMinute: 600)
    /// Wrong codes that a network, or an IPv4 address, has left once all clients together had too many.
    package var codeAttemptsInReserve = RateLimit(burst: 2, perMinute: 0.5)
    /// Device ids, or tickets if these are more, that one address may use for purges.
    package var purgedDevices = RateLimit(burst: 2000, perMinute: 1000)
    /// Device ids, and tickets, in one purge.
    package var purgeSize = 1000
    /// Messages on one socket; a socket that sends more is closed.
    package var messages = RateLimit(burst: 300, perMinute: 3000)
    /// How many addresses, and how many networks, are remembered for each rate above.
    package var trackedSources = 100_000

    /// Connections of one address, sockets included; further ones are closed at once. Behind a proxy they are not
    /// counted; the proxy has to do that.
    package var connectionsByAddress = 512
    /// Open sockets of one address.
    package var socketsByAddress = 256
    /// Open sockets in all.
    package var sockets = 20_000
    /// Codes that one socket may watch.
    package var watchesBySocket = 32

    /// The largest message on a socket, in bytes.
    package var messageSize = 64 * 1024
    /// The largest request body, in bytes.
    package var bodySize = 100 * 1024

    /// Codes that are kept at once, out of a million possible ones.
    package var pendingRooms = 100_000
    /// Rooms that are kept at once.
    package var rooms = 1_000_000
    /// How long a room is kept after its last use.
    package var idleRoomLifetime: Duration = .seconds(30 * 86_400)
    /// How long the creator may take to see that its code was accepted.
    package var acceptanceGrace: Duration = .seconds(86_400)

    package init() {}

    /// Without rates and counts by address, for measurements and tests on one machine. Sizes stay bounded.
    package static var unlimited: RendezvousLimits {
        var limits = RendezvousLimits()
        limits.requests = .unlimited
        limits.creations = .unlimited
        limits.meetings = .unlimited
        limits.codesByAddress = .max
        limits.meetingsByAddress = .max
        limits.codeAttemptsByAddress = .unlimited
        limits.codeAttemptsByNetwork = .unlimited
        limits.codeAttempts = .unlimited
        limits.codeAttemptsInReserve = .unlimited
        limits.purgedDevices = .unlimited
        limits.messages = .unlimited
        limits.connectionsByAddress = .max
        limits.socketsByAddress = .max
        limits.sockets = 1_000_000
        limits.pendingRooms = 1_000_000
        return limits
    }
}
