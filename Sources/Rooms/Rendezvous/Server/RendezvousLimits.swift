package import Networking

/// What a rendezvous server puts up with. The defaults suit a public server; "address" is an IPv4 address or the first
/// 64 bits of an IPv6 address, "network" the first 48 bits of an IPv6 address, which is what one site gets.
package struct RendezvousLimits: Sendable {
    /// What a network may do and have, as a multiple of what an address may; wrong codes have a limit of their own.
    package var networkFactor = 8
    /// REST requests of one address.
    package var requests = RateLimit(burst: 120, perMinute: 600)
    /// Codes of six digits made by one address. Making a code tells whether it is in use, so this is near to what may be
    /// guessed.
    package var creations = RateLimit(burst: 30, perMinute: 10)
    /// Ids of meetings reserved by one address. Nobody can guess one, and everybody of a circle needs one.
    package var meetings = RateLimit(burst: 300, perMinute: 60)
    /// Codes of six digits that one address may have reserved at the same time.
    package var codesByAddress = 128
    /// Ids of meetings that one address may have reserved at the same time.
    package var meetingsByAddress = 1024
    /// Wrong codes of one address: accepted ones that do not wait, created ones that are in use, and those of others that
    /// are checked or watched. Six digits are 20 bits: this, not their number, keeps strangers out. Ids of meetings and
    /// what a right ticket is shown for are not counted: nobody can guess them, and whoever shares an address with
    /// somebody that tries is not kept out.
    package var codeAttemptsByAddress = RateLimit(burst: 20, perMinute: 6)
    /// Wrong codes of one network.
    package var codeAttemptsByNetwork = RateLimit(burst: 60, perMinute: 12)
    /// Wrong codes of everybody together.
    package var codeAttempts = RateLimit(burst: 3000, perMinute: 600)
    /// Wrong codes that a network, or an IPv4 address, has left once everybody together has had too many.
    package var codeAttemptsInReserve = RateLimit(burst: 2, perMinute: 0.5)
    /// Device ids, or tickets if these are more, that one address may purge by.
    package var purgedDevices = RateLimit(burst: 2000, perMinute: 1000)
    /// Device ids, and tickets, in one purge.
    package var purgeSize = 1000
    /// Messages on one socket; a socket that sends more is closed.
    package var messages = RateLimit(burst: 300, perMinute: 3000)
    /// How many addresses, and how many networks, are remembered for each rate above.
    package var trackedSources = 100_000

    /// Connections of one address, of which a socket is one; further ones are closed at once. Not counted behind a
    /// proxy, which has to do it.
    package var connectionsByAddress = 512
    /// Open sockets of one address.
    package var socketsByAddress = 256
    /// Open sockets in all.
    package var sockets = 20_000
    /// Codes that one socket may wait for.
    package var watchesBySocket = 32

    /// The largest message on a socket, in bytes.
    package var messageSize = 64 * 1024
    /// The largest request body, in bytes.
    package var bodySize = 100 * 1024

    /// Codes that are kept at once; of a million possible ones.
    package var pendingRooms = 100_000
    /// Rooms that are kept at once.
    package var rooms = 1_000_000
    /// How long a room is kept that nobody joins.
    package var idleRoomLifetime: Duration = .seconds(30 * 86_400)
    /// How long the creator may take to see that its code was accepted.
    package var acceptanceGrace: Duration = .seconds(86_400)

    package init() {}

    /// No rates and no counts by address: for measurements, and for tests on one machine. Sizes stay bounded.
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
