import DataChannels

/// A STUN or TURN server as a person writes it on the command line: the URL of RFC 7064 or RFC 7065, with the user
/// name and password of a TURN server before the host.
struct WrittenICEServer {
    let server: ICEServer

    init(_ text: String) throws(UsageError) {
        guard let colon = text.firstIndex(of: ":") else { throw Self.error(text) }
        let scheme = text[..<colon]
        guard ["stun", "stuns", "turn", "turns"].contains(scheme) else { throw Self.error(text) }
        let rest = text[text.index(after: colon)...]
        guard let at = rest.lastIndex(of: "@") else {
            guard scheme.hasPrefix("stun"), !rest.isEmpty else { throw Self.error(text) }
            server = ICEServer(urls: [text])
            return
        }
        let user = rest[..<at].split(separator: ":", maxSplits: 1)
        guard user.count == 2, !rest[rest.index(after: at)...].isEmpty else { throw Self.error(text) }
        server = ICEServer(
            urls: ["\(scheme):\(rest[rest.index(after: at)...])"], username: String(user[0]),
            credential: String(user[1]))
    }

    private static func error(_ text: String) -> UsageError {
        // The text may hold a password, so it is not repeated.
        UsageError("--ice-server takes stun:HOST[:PORT] or turn:USER:PASSWORD@HOST[:PORT][?transport=tcp]")
    }
}
