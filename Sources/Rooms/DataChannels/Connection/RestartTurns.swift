/// Lets a restart of ICE end when its two generations disagree about who is controlling.
///
/// RFC 8445 section 16.1 wants one tie-breaker for the whole session. libnice draws one for each generation and shows
/// neither it nor the role, but a browser has one role for both. If the browser's tie-breaker lies between the two, the
/// old generation sends it into one role and the new one into the other, and no pair is ever chosen. So the generations
/// take turns: the old one is silent for some seconds, in which the new one has the browser to itself. It is then heard
/// again, because a path that works must not lose its consent (RFC 7675) while the new one is still looked for.
struct RestartTurns {
    /// How long one generation has its turn, in seconds: less than the 5 after which a browser doubts a silent path.
    static let turn = 3

    /// How often the new generation has its turn. If the other side does the same at other times, they are silent for a third of
    /// the 30 seconds after which the consent of a path that works is over (RFC 7675 section 5.1).
    static let turns = 2

    private var seconds = 0

    /// Whether the old generation is silent in the second that begins. The first second is shared: most restarts need
    /// no more than that, and have no such conflict.
    mutating func next(isRestarting: Bool) -> Bool {
        seconds = isRestarting ? seconds + 1 : 0
        return seconds > 1 && (seconds - 2) / Self.turn % 2 == 0 && (seconds - 2) / Self.turn / 2 < Self.turns
    }
}
