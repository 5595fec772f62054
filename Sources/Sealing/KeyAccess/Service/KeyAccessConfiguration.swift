public import Networking

/// How a key access service is run.
public struct KeyAccessConfiguration: Sendable {
    /// A local IPv4 or IPv6 address; `0.0.0.0` or `::` for all.
    public var host = "127.0.0.1"
    /// 0 takes a free port.
    public var port = 0
    /// nil serves plain HTTP, for loopback or behind a proxy.
    public var tls: TLSIdentity?
    public var keys: ServiceKeys
    public var policy: AccessPolicy
    /// The address under which clients know the service; nil for the one where it listens.
    public var address: String?
    public var limits = KeyAccessLimits()
    /// Whether clients are counted by the last address of `X-Forwarded-For`. Only behind a proxy that sets it.
    public var trustsForwardedFor = false
    /// Takes one line of JSON for each decision, without a line break, before the decision is told. If it throws, no key is
    /// given out. It is called from several threads.
    public var audit: (@Sendable (String) throws -> Void)?

    public init(keys: ServiceKeys, policy: AccessPolicy = .loopback) {
        self.keys = keys
        self.policy = policy
    }

    /// Whether only this machine can call.
    var isLoopback: Bool { LocalAddress(host)?.kind == .loopback }
}

/// What a key access service puts up with.
public struct KeyAccessLimits: Sendable {
    /// Bytes of one request.
    public var bodySize = 1 << 20
    /// Files of one request.
    public var objects = 100
    /// Requests of one address.
    public var requests = RateLimit(burst: 200, perMinute: 1200)
    /// How many times as much a whole IPv6 network (/48) may have as one address.
    public var networkFactor = 8
    /// Files that one caller may ask about.
    public var objectsByCaller = RateLimit(burst: 1000, perMinute: 6000)
    /// Addresses and callers that are remembered for the rates above.
    public var trackedSources = 100_000
    /// Rewraps that are worked on at once.
    public var inFlight = 64
    /// For how many seconds a signed request counts.
    public var requestAge: Int64 = 300
    /// How many seconds the clocks of client and service may be apart.
    public var clockSkew: Int64 = 60
    /// Requests that are remembered, so that none is answered twice.
    public var rememberedRequests = 200_000

    public init() {}
}
