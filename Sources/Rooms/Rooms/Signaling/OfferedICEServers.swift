package import DataChannels

/// STUN and TURN servers that a rendezvous server hands out to everybody in a room, so that nobody has to set any.
package struct OfferedICEServers: Sendable, Equatable {
    /// Only those that can be used here; addresses, names and passwords are bounded.
    package let servers: [ICEServer]
    /// How long they can be used from now on; nil for ever.
    package let lifetime: Duration?

    /// The most servers that are taken from a rendezvous server, and the most addresses of each.
    static let serverLimit = 8
    /// The longest user name or password of one, in bytes.
    static let credentialLimit = 512
    /// What the time that a server says is brought into: it is a number from outside.
    static let lifetimes = Duration.seconds(60)...Duration.seconds(7 * 86_400)

    /// Takes what can be used; a server that cannot (TLS, no password) costs one path and not the others.
    package init(_ servers: [ICEServer], lifetime: Duration?) {
        self.servers = servers.prefix(Self.serverLimit).compactMap { server in
            var server = server
            guard [server.username, server.credential].allSatisfy({ ($0?.utf8.count ?? 0) <= Self.credentialLimit })
            else { return nil }
            server.urls = server.urls.prefix(Self.serverLimit).filter { url in
                var one = server
                one.urls = [url]
                let check: Void? = try? PeerConnectionConfiguration.check(
                    iceServers: [one], policy: .all, bindAddresses: [])
                return check != nil
            }
            return server.urls.isEmpty ? nil : server
        }
        self.lifetime = lifetime.map { min(max($0, Self.lifetimes.lowerBound), Self.lifetimes.upperBound) }
    }

    /// When to ask for fresh ones: early enough that a connection never begins with some that are about to end.
    var refresh: Duration? { lifetime.map { $0 / 2 } }
}
