package import Cryptography
internal import Wire

/// The STUN and TURN servers that a rendezvous server hands out to the people in its rooms, so that nobody has to set any.
///
/// With a secret that it shares with the TURN server (`use-auth-secret` and `static-auth-secret` of coturn), it makes a
/// name and a password for each request, which count for a limited time. The TURN server checks them without asking
/// anybody, and forgets nothing that it would have to know. A name is a time and random digits, so it says nothing about
/// who uses it, and the names of one person are not linked.
package struct RelayServers: Sendable {
    /// How the TURN servers know who may use them.
    package enum Access: Sendable {
        /// A secret that they share with this server, and how long a name and password count, in seconds.
        case secret(SecretBytes, lifetime: Int)
        /// One name and password for everybody, which counts for ever.
        case password(user: String, SecretBytes)
    }

    /// `stun:` URLs (RFC 7064).
    package var stun: [String]
    /// `turn:` URLs (RFC 7065).
    package var turn: [String]
    /// Needed if there are TURN servers.
    package var access: Access?

    /// How long a name and password count unless somebody says so, in seconds.
    package static let lifetime = 6 * 3600
    /// How short and how long they may count, in seconds.
    package static let lifetimes = 300...7 * 86_400
    /// The most addresses of each kind.
    package static let mostAddresses = 8

    package init(stun: [String] = [], turn: [String] = [], access: Access? = nil) {
        (self.stun, self.turn, self.access) = (stun, turn, access)
    }

    var isEmpty: Bool { stun.isEmpty && turn.isEmpty }

    /// What one client gets.
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - random: ten random bytes.
    func offer(now: Timestamp, random: [UInt8]) -> JSONObject {
        var servers: [JSONValue] = []
        if !stun.isEmpty { servers.append(["urls": .array(stun.map(JSONValue.string))]) }
        var offer: JSONObject = ["type": "ice_servers"]
        var lifetime: Int?
        if !turn.isEmpty, let access {
            let (user, credential): (String, String)
            switch access {
            case .secret(let secret, let seconds):
                user = "\(now / 1000 + Timestamp(seconds)):\(Base32.encode(random))"
                credential = Base64.encode(HMAC.code(Array(user.utf8), key: secret, function: .sha1))
                lifetime = seconds
            case .password(let name, let password):
                (user, credential) = (name, password.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            }
            servers.append([
                "urls": .array(turn.map(JSONValue.string)), "username": .string(user),
                "credential": .string(credential),
            ])
        }
        offer.append("iceServers", .array(servers))
        if let lifetime { offer.append("expiresInSeconds", .number(String(lifetime))) }
        return offer
    }
}
