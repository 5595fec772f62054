import AppCore
import Rooms

/// What was found at a server, in words.
extension ServerFinding {
    /// Whether the address is that of the server itself, which the person wrote.
    var isOfServer: Bool { subject != .stun && subject != .turn }
}

extension ServerFinding.Subject {
    var words: String {
        switch self {
        case .server: "the server answers"
        case .ready: "it may get load"
        case .tls: "its connections are encrypted"
        case .clock: "its clock is right"
        case .room: "a code is made and accepted"
        case .watch: "the creator of a code is told of the guest"
        case .join: "both sides enter the room"
        case .relay: "what one side says reaches the other"
        case .iceServers: "STUN and TURN servers are handed out"
        case .stun: "STUN answers at"
        case .turn: "two machines connect through"
        }
    }
}

extension ServerFinding.Problem {
    /// A word for scripts.
    var code: String {
        switch self {
        case .failure(let failure): failure.code.rawValue
        case .unencrypted: "unencrypted"
        case .notReady: "not_ready"
        case .clock: "clock"
        case .noTickets: "no_tickets"
        case .notTold: "not_told"
        case .notSeated: "not_seated"
        case .notRelayed: "not_relayed"
        case .noServers: "no_servers"
        case .noTCP: "no_tcp"
        case .silent: "silent"
        case .refused: "refused"
        case .noData: "no_data"
        }
    }

    /// What is wrong.
    var sentence: String {
        switch self {
        case .failure(let failure): Self.sentence(failure)
        case .unencrypted: "anybody on the way can read who meets whom"
        case .notReady: "it says that it should get no load"
        case .clock(let seconds): "it is \(abs(seconds)) seconds \(seconds > 0 ? "ahead of" : "behind") this machine's"
        case .noTickets: "who learns the id of a room can disturb it"
        case .notTold: "the news did not come; clients ask from time to time instead"
        case .notSeated: "one of them was not let in, or did not hear that both are there"
        case .notRelayed: "it did not arrive"
        case .noServers: "none is"
        case .noTCP: "no TURN server is reached over TCP"
        case .silent: "it does not answer"
        case .refused: "it answers, but gives no path"
        case .noData: "it gives paths, but nothing gets through between two of them"
        }
    }

    private static func sentence(_ failure: RoomsFailure) -> String {
        let known =
            switch failure.code {
            case .serverUnreachable: "nothing answers there"
            case .serverUnknown: "the name has no address"
            case .serverUntrusted: "the certificate is not from an authority that is trusted here"
            case .serverMisnamed: "the certificate is for another name"
            case .serverExpired: "the certificate is not valid now"
            case .serverWithoutTLS: "no TLS could be agreed on"
            case .serverWithTLS: "it seems to want TLS"
            case .serverForeign: "what answers there is no rendezvous server"
            case .authoritiesUnreadable: "the file with the authorities cannot be read"
            case .tooManyAttempts: "it has had too many requests from this address"
            default: "it failed"
            }
        return failure.message.isEmpty ? known : "\(known) (\(failure.message))"
    }

    /// How to mend it.
    var remedy: String {
        switch self {
        case .failure(let failure): Self.remedy(failure)
        case .unencrypted: "Give it --tls-cert and --tls-key, or put a proxy with TLS in front, and write https://."
        case .notReady:
            "Is it stopping? Else see whether Redis, or the disk with rooms.db, works: its log says store_failed."
        case .clock: "Set both clocks by NTP. Passwords for TURN and certificates depend on the time."
        case .noTickets: "Replace it by alcove serve; the original server has no tickets."
        case .notTold: "Does the proxy in front pass on WebSockets, and can the nodes hear each other (/ready)?"
        case .notSeated: "Do the nodes share one Redis and one secret? Does the proxy in front pass on WebSockets?"
        case .notRelayed: "Do the nodes share one Redis and one secret? Does the proxy in front cut long messages?"
        case .noServers:
            "Run coturn, and start the server with --turn and --turn-secret-file; else people behind strict NATs cannot meet."
        case .noTCP: "Add --turn turn:HOST:PORT?transport=tcp, for people whose network blocks UDP."
        case .silent: "Is it running? Do the firewalls let UDP and TCP through to this port?"
        case .refused:
            "Compare --turn-secret-file with static-auth-secret of coturn (use-auth-secret must be set), and the two clocks; look for quotas."
        case .noData:
            "Let UDP through to its relay ports (min-port to max-port), set external-ip behind a NAT, and do not deny its own address as a peer."
        }
    }

    /// The same for a STUN or TURN server that the person named, with the name and the password of their own.
    var remedyOfNamed: String {
        self == .refused
            ? "Compare --user and --password-file with what the server knows, and the two clocks; look for quotas."
            : remedy
    }

    private static func remedy(_ failure: RoomsFailure) -> String {
        switch failure.code {
        case .serverUnreachable: "Is it running, on this address and port? Does the firewall let the port through?"
        case .serverUnknown: "Compare the spelling, and the entry in the DNS."
        case .serverUntrusted:
            "Give --tls-cert the whole chain (fullchain.pem), not the server's certificate alone; or name your own authority by --tls-ca."
        case .serverMisnamed: "Use the name in the certificate, or get one for this name."
        case .serverExpired: "Renew it and start the server again; compare this machine's clock."
        case .serverWithoutTLS:
            "Write http:// if a proxy in front has the TLS, or give the server --tls-cert and --tls-key."
        case .serverWithTLS: "Write https://."
        case .serverForeign: "Compare address, port and path; a proxy must pass on the whole path."
        case .authoritiesUnreadable: "Name a readable PEM file."
        case .tooManyAttempts:
            "Wait a minute. Behind a proxy, the server needs --behind-proxy to tell its clients apart."
        default: "Its log says more."
        }
    }
}
