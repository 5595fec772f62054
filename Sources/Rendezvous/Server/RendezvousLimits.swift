public import Networking

/// What a rendezvous server puts up with. The defaults suit a public server; "address" is an IPv4 address or the first
/// 64 bits of an IPv6 address.
public struct RendezvousLimits: Sendable {
    /// REST requests of one address.
    public var requests = RateLimit(burst: 120, perMinute: 600)
    /// Codes made by one address.
    public var creations = RateLimit(burst: 30, perMinute: 30)
    /// Wrong codes of one address. Six digits are 20 bits: this, not their number, keeps strangers out. Ids of meetings
    /// are not counted here: nobody can guess one, and who shares an address with somebody that tries is not kept out.
    public var codeAttemptsByAddress = RateLimit(burst: 20, perMinute: 6)
    /// Wrong claims on one code, from wherever they come.
    public var codeAttemptsByCode = RateLimit(burst: 10, perMinute: 2)
    /// Messages on one socket; a socket that sends more is closed.
    public var messages = RateLimit(burst: 300, perMinute: 3000)
    /// How many addresses and codes are remembered for the rates above.
    public var trackedSources = 100_000

    /// Open sockets of one address.
    public var socketsByAddress = 256
    /// Open sockets in all.
    public var sockets = 20_000
    /// Codes that one socket may wait for.
    public var watchesBySocket = 32

    /// The largest message on a socket, in bytes.
    public var messageSize = 64 * 1024
    /// The largest request body, in bytes.
    public var bodySize = 100 * 1024

    /// Codes that are kept at once; of a million possible ones.
    public var pendingRooms = 100_000
    /// Rooms that are kept at once.
    public var rooms = 1_000_000
    /// How long a room is kept that nobody joins.
    public var idleRoomLifetime: Duration = .seconds(30 * 86_400)
    /// How long the creator may take to see that its code was accepted.
    public var acceptanceGrace: Duration = .seconds(86_400)

    public init() {}

    /// No rates and no counts by address: for measurements, and for tests on one machine. Sizes stay bounded.
    public static var unlimited: RendezvousLimits {
        var limits = RendezvousLimits()
        limits.requests = .unlimited
        limits.creations = .unlimited
        limits.codeAttemptsByAddress = .unlimited
        limits.codeAttemptsByCode = .unlimited
        limits.messages = .unlimited
        limits.socketsByAddress = .max
        limits.sockets = 1_000_000
        limits.pendingRooms = 1_000_000
        return limits
    }
}
