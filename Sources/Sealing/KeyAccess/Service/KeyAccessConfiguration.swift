package import Networking

/// How a key access service is run.
package struct KeyAccessConfiguration: Sendable {
    /// A local IPv4 or IPv6 address; `0.0.0.0` or `::` for all.
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port = 0
    /// nil serves plain HTTP, for loopback or behind a proxy.
    package var tls: TLSIdentity?
    package var keys: ServiceKeys
    package var policy: AccessPolicy
    /// The address under which clients know the service; nil for the one where it listens.
    package var address: String?
    package var limits = KeyAccessLimits()
    /// Whether to count clients by the last address of `X-Forwarded-For`. Set this only behind a proxy that sets the
    /// field.
    package var trustsForwardedFor = false
    /// Takes one line of JSON for each decision, without a line break, before the client gets the answer. If it
    /// throws, no key is given out. It is called from several threads.
    package var audit: (@Sendable (String) throws -> Void)?

    package init(keys: ServiceKeys, policy: AccessPolicy = .loopback) {
        self.keys = keys
        self.policy = policy
    }

    /// Whether only this machine can call.
    var isLoopback: Bool { LocalAddress(host)?.kind == .loopback }
}

/// The limits of a key access service.
package struct KeyAccessLimits: Sendable {
    /// Bytes of one request.
    package var bodySize = 1 << 20
    /// Files of one request.
    package var objects = 100
    /// Requests of one address.
    package var requests = RateLimit(burst: 200, perMinute: 1200)
    /// How many times as much a whole IPv6 network (/48) may have as one address.
    package var networkFactor = 8
    /// Files that one caller may ask about.
    package var objectsByCaller = RateLimit(burst: 1000, perMinute: 6000)
    /// Addresses and callers that are remembered for the rates above.
    package var trackedSources = 100_000
    /// Rewraps that are worked on at once.
    package var inFlight = 64
    /// For how many seconds a signed request is valid.
    package var requestAge: Int64 = 300
    /// By how many seconds the clocks of client and service may differ.
    package var clockSkew: Int64 = 60
    /// Requests that are remembered, so that none is answered twice.
    package var rememberedRequests = 200_000

    package init() {}
}
