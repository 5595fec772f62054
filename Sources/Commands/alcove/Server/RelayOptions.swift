import Cryptography
import DataChannels
import Rendezvous

/// What `alcove serve` is told about STUN and TURN servers, which it hands out to the people in its rooms.
enum RelayOptions {
    static let options: [Arguments.Option] = [
        .value("stun", "URL", "hand out this STUN server, as stun:HOST[:PORT]; repeatable"),
        .value(
            "turn", "URL",
            "hand out this TURN server, as turn:HOST[:PORT][?transport=tcp]; repeatable; needs one of the next two"),
        .value(
            "turn-secret-file", "FILE",
            "the secret that the TURN servers share with this one (static-auth-secret of coturn); each client gets a name of its own"
        ),
        .value("turn-user", "NAME", "a name for everybody, with --turn-password-file"),
        .value("turn-password-file", "FILE", "the password of that name"),
        .value(
            "turn-ttl", "TIME",
            "how long a name made from the secret counts, from 5m to 7d (default \(WrittenDuration.text(seconds: RelayServers.lifetime)))"
        ),
    ]

    /// The fewest characters of a secret from which passwords are made.
    private static let secretSize = 16

    static func servers(_ arguments: Arguments) throws(UsageError) -> RelayServers {
        let relays = RelayServers(
            stun: arguments.all("stun"), turn: arguments.all("turn"), access: try access(arguments))
        guard relays.turn.isEmpty == (relays.access == nil) else {
            throw UsageError(
                relays.turn.isEmpty
                    ? "--turn-secret-file and --turn-user go with --turn URL"
                    : "--turn needs --turn-secret-file, or --turn-user and --turn-password-file")
        }
        for (kind, urls) in [("stun", relays.stun), ("turn", relays.turn)] {
            guard urls.count <= RelayServers.mostAddresses else {
                throw UsageError("--\(kind) can be repeated up to \(RelayServers.mostAddresses) times")
            }
            for url in urls { try check(url, kind) }
        }
        return relays
    }

    private static func check(_ url: String, _ kind: String) throws(UsageError) {
        do {
            let server = ICEServer(urls: [url], username: "", credential: "")
            try PeerConnectionConfiguration.check(iceServers: [server], policy: .all, bindAddresses: [])
        } catch {
            throw UsageError("--\(kind): \(error.message)")
        }
        guard url.lowercased().hasPrefix(kind + ":") else { throw UsageError("--\(kind) takes \(kind):HOST[:PORT]") }
    }

    private static func access(_ arguments: Arguments) throws(UsageError) -> RelayServers.Access? {
        let words = (arguments["turn-secret-file"], arguments["turn-user"], arguments["turn-password-file"])
        let lifetime = try lifetime(arguments["turn-ttl"])
        guard words.0 != nil || lifetime == nil else { throw UsageError("--turn-ttl goes with --turn-secret-file") }
        switch words {
        case (let file?, nil, nil):
            let secret = try text(of: file, option: "turn-secret-file")
            guard secret.count >= secretSize else {
                throw UsageError("--turn-secret-file: the secret needs at least \(secretSize) characters")
            }
            return .secret(secret, lifetime: lifetime ?? RelayServers.lifetime)
        case (nil, let user?, let file?):
            guard (1...256).contains(user.utf8.count) else { throw UsageError("--turn-user takes 1 to 256 bytes") }
            let password = try text(of: file, option: "turn-password-file")
            guard password.count > 0 else { throw UsageError("--turn-password-file: \(file) is empty") }
            return .password(user: user, password)
        case (nil, nil, nil): return nil
        default:
            throw UsageError("a TURN server takes either --turn-secret-file, or --turn-user and --turn-password-file")
        }
    }

    private static func lifetime(_ text: String?) throws(UsageError) -> Int? {
        guard let text else { return nil }
        guard let seconds = WrittenDuration.seconds(text), RelayServers.lifetimes.contains(seconds) else {
            throw UsageError("--turn-ttl takes 5m to 7d, for example 6h, not \"\(text)\"")
        }
        return seconds
    }

    private static func text(of file: String, option: String) throws(UsageError) -> SecretBytes {
        SecretBytes(copying: Array(try SecretFile.text(file, option: option).utf8))
    }
}
