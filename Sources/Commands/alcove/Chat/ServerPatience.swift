import AppCore

/// What a conversation does when the server refuses its room because of too many requests: it waits as long as the server
/// asks for, and tries again. Not for ever: a server could keep somebody waiting who would rather know.
struct ServerPatience: Sendable {
    /// How long a conversation waits for the server altogether.
    static let limit = Duration.seconds(15 * 60)
    /// The wait if the server names none, and the shortest one.
    static let usual = Duration.seconds(10)

    private var spent = Duration.zero

    /// How long to wait before the room is asked for again; nil if it was not refused for this reason, or if it would take
    /// too long.
    func wait(for room: Room?) -> Duration? {
        guard let room, room.status == .failed, let failure = room.failure, failure.code == .tooManyAttempts,
            failure.retryable
        else { return nil }
        let wait = failure.retryAfter.map { max(.milliseconds($0), .seconds(1)) } ?? Self.usual
        return spent + wait <= Self.limit ? wait : nil
    }

    mutating func spend(_ wait: Duration) { spent += wait }

    /// What the person is told.
    static func sentence(_ wait: Duration) -> String {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        let time = seconds == 1 ? "1 second" : "\(seconds) seconds"
        return "The server has too many requests from here. Trying again in \(time); Control-C ends."
    }
}
