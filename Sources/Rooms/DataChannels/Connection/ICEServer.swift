/// A STUN or TURN server (RFC 7064, RFC 7065).
public struct ICEServer: Sendable, Hashable, Codable {
    /// `stun:host[:port]` or `turn:host[:port][?transport=udp|tcp]`; the default port is 3478.
    ///
    /// `turns:` (TURN over TLS) is refused with a clear error: the ICE library below does not speak it.
    public var urls: [String]
    /// User name for TURN.
    public var username: String?
    /// Password for TURN. Never logged.
    public var credential: String?

    /// A server with its addresses. They are checked when a connection uses them.
    public init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }
}

extension ICEServer: CustomStringConvertible {
    /// The addresses only; user name and credential stay out of logs.
    public var description: String { "ICEServer(\(urls.joined(separator: ", ")))" }
}

/// One parsed server address.
struct ICEServerAddress: Hashable {
    enum Kind: Hashable { case stun, turnUDP, turnTCP }

    var kind: Kind
    var host: String
    var port: UInt16

    init(kind: Kind, host: String, port: UInt16) {
        (self.kind, self.host, self.port) = (kind, host, port)
    }

    /// Reads one URL of RFC 7064 or RFC 7065.
    init(url: String) throws(PeerConnectionError) {
        func refuse(_ why: String) -> PeerConnectionError {
            // If the address wrongly contains a user name and a password, they are not repeated.
            let shown = url.lastIndex(of: "@").map { "…" + url[$0...] } ?? url
            return PeerConnectionError(.invalidConfiguration, "ICE server \"\(shown.prefix(200))\": \(why)")
        }
        guard url.utf8.count <= 512, let colon = url.firstIndex(of: ":") else {
            throw refuse("expected stun:host[:port] or turn:host[:port][?transport=udp|tcp]")
        }
        var rest = url[url.index(after: colon)...]
        var transport = "udp"
        if let question = rest.firstIndex(of: "?") {
            let query = rest[rest.index(after: question)...]
            guard query.hasPrefix("transport=") else { throw refuse("only ?transport= may follow the address") }
            transport = query.dropFirst("transport=".count).lowercased()
            rest = rest[..<question]
        }
        switch (url[..<colon].lowercased(), transport) {
        case ("stun", "udp"): kind = .stun
        case ("turn", "udp"): kind = .turnUDP
        case ("turn", "tcp"): kind = .turnTCP
        case ("turns", _), ("stuns", _):
            throw refuse("TLS to the server is not supported; use turn: with transport=tcp")
        default: throw refuse("expected stun: or turn:, over udp or tcp")
        }
        guard !rest.contains("@") else { throw refuse("a user name and a password do not stand in the address") }
        guard let (host, port) = Self.split(rest, defaultPort: 3478) else {
            throw refuse("the address is not host[:port]")
        }
        self.host = host
        self.port = port
    }

    /// Splits `host`, `host:port`, `[v6]` and `[v6]:port`.
    private static func split(_ text: Substring, defaultPort: UInt16) -> (String, UInt16)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let host = String(text[text.index(after: text.startIndex)..<end])
            let tail = text[text.index(after: end)...]
            if host.isEmpty { return nil }
            if tail.isEmpty { return (host, defaultPort) }
            guard tail.hasPrefix(":"), let port = UInt16(tail.dropFirst()), port != 0 else { return nil }
            return (host, port)
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return (String(host), defaultPort) }
        guard let port = UInt16(parts[1]), port != 0 else { return nil }
        return (String(host), port)
    }
}
