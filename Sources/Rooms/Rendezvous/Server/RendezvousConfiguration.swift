/// How a rendezvous server is run.
package struct RendezvousConfiguration: Sendable {
    /// Where rooms and codes are kept.
    package enum Store: Sendable, Equatable {
        /// Until the server ends.
        case memory
        /// In the SQLite database at this path, which is made if it is missing; its folder is not.
        case sqlite(String)
        /// In a Redis that other servers share: any number of nodes behind any load balancer.
        case redis(SharedStore)
    }

    /// A local IPv4 or IPv6 address; `0.0.0.0` or `::` for all.
    package var host: String
    /// 0 takes a free port.
    package var port: Int
    package var store: Store
    /// PEM files with the certificate chain and the key; nil serves plain HTTP, for loopback or behind a proxy.
    package var tls: (certificate: String, key: String)?
    package var limits: RendezvousLimits
    /// Whether clients are counted by the last address of `X-Forwarded-For`. Set it only behind a proxy that sets that
    /// field.
    package var trustsForwardedFor = false
    /// Whether `/metrics` is served. It says nothing about clients, but shows how much the server is used.
    package var servesMetrics = true
    /// What is handed out to the people in a room.
    package var relays = RelayServers()
    /// How long `stop` shows that the server takes no more load, before it closes the sockets.
    package var drainTime: Duration = .zero
    /// Takes one line of JSON for each event, without a line break. The lines name no person, code, room or address.
    package var log: (@Sendable (String) -> Void)?

    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        store: Store = .memory,
        tls: (certificate: String, key: String)? = nil,
        limits: RendezvousLimits = RendezvousLimits()
    ) {
        self.host = host
        self.port = port
        self.store = store
        self.tls = tls
        self.limits = limits
    }
}
