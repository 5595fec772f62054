/// One thing that was tried at a rendezvous server, and how it went.
package struct ServerFinding: Sendable, Equatable {
    /// What was tried, in this order. The raw values are for scripts.
    package enum Subject: String, Sendable, CaseIterable {
        /// It answers, and can read its store.
        case server
        /// It may get load.
        case ready
        /// Connections to it are encrypted, and its certificate is valid.
        case tls
        /// Its clock and ours agree.
        case clock
        /// A code is made, and another device enters with it.
        case room
        /// The creator is told at once.
        case watch
        /// Both sides enter the room.
        case join
        /// What one side says reaches the other one, unchanged, in both directions.
        case relay
        /// STUN and TURN servers are handed out.
        case iceServers = "ice_servers"
        /// A STUN server answers.
        case stun
        /// Two machines that may use nothing but this TURN server connect through it.
        case turn
    }

    package enum Problem: Sendable, Equatable {
        /// A request failed.
        case failure(RoomsFailure)
        /// The address has no TLS, and is not on this machine.
        case unencrypted
        /// The server says that it should get no load: it is about to stop, or its store is away.
        case notReady
        /// The clocks differ by so many seconds; positive if the server's is ahead.
        case clock(Int)
        /// It knows no tickets, so whoever learns a room's id can act on it.
        case noTickets
        /// The creator of a code is not told of the guest.
        case notTold
        /// It did not let one of the two into the room.
        case notSeated
        /// What was said did not arrive.
        case notRelayed
        /// None are handed out, so some people will not reach each other.
        case noServers
        /// None of the TURN servers is reached over TCP, so people whose network blocks UDP will not reach anybody.
        case noTCP
        /// It does not answer.
        case silent
        /// It answers, and gives no path: the secret, the name or the clock is wrong, or it has no room.
        case refused
        /// It gives paths, but nothing gets through between two of them.
        case noData

        /// Whether people can use the server all the same.
        package var isWarning: Bool {
            switch self {
            case .unencrypted, .noTickets, .notTold, .noServers, .noTCP, .notReady: true
            default: false
            }
        }
    }

    package var subject: Subject
    /// The address that was tried.
    package var place: String
    /// Nil if it works.
    package var problem: Problem?
}
