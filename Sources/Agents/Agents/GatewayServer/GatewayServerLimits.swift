internal import Networking

/// How much a gateway of ours takes from those who use it.
package enum GatewayServerLimits {
    /// Connections at once.
    package static let connections = 32
    /// Connections of one address.
    package static let connectionsByAddress = 16
    /// Sessions at once: each is an agent.
    package static let sessions = 8
    /// Bytes of one message of a client, which may hold several lines.
    package static let messageBytes = 8 << 20
    /// Lines that wait to be taken, of one client.
    package static let waitingLines = 64
    /// Bytes that wait for a slow client.
    package static let outgoingBytes = 16 << 20
    /// Bytes of the body with which a device asks to be let in.
    package static let bodyBytes = 16 << 10
    /// Bytes of lines of one client that wait to be taken.
    package static let waitingBytes = 16 << 20
    /// Bytes of a message of a history, behind which another one begins.
    package static let messageOfHistory = 256 << 10
    /// Bytes of what was said in a session; the oldest goes.
    package static let historyBytes = 2 << 20
    /// Values and names in what a tool was given, above which a history has it as a text: clients read a bounded number of them in one message.
    package static let inputValues = 16_384
    /// Lines of a client at once, and a minute in the long run.
    static let requests = RateLimit(burst: 120, perMinute: 600)
    /// Attempts to be let in, of one address.
    static let pairings = RateLimit(burst: 10, perMinute: 10)
    /// Lines that cannot be read, before a client is let go.
    package static let unreadable = 20
    /// How long a client may take for its first request.
    package static let patience = Duration.seconds(15)
    /// How long the owner of this machine may take to answer a request.
    package static let answer = Duration.seconds(600)
    /// How long a session without a client is kept.
    package static let idle = Duration.seconds(1800)
    /// The same for one in which nothing was asked.
    package static let unasked = Duration.seconds(120)
}
