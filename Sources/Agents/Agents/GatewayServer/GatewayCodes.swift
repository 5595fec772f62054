package import AgentProtocols

/// The code that lets one device in: for five minutes, once, and with five attempts. A value; time and chance come in from outside.
package struct GatewayCodes: Sendable {
    /// How long a code counts.
    package static let lifetime = Duration.seconds(300)
    /// Wrong codes before the right one does not count any more: five of a million.
    package static let attempts = 5

    private var open: (code: GatewayCode, until: ContinuousClock.Instant, left: Int)?

    package init() {}

    /// Makes a code the one that counts. The one before does not any more.
    package mutating func issue(_ code: GatewayCode, now: ContinuousClock.Instant) {
        open = (code, now + Self.lifetime, Self.attempts)
    }

    /// Takes what a device shows.
    /// - Returns: whether it is the code. Then the code is used up.
    package mutating func take(_ text: String, now: ContinuousClock.Instant) -> Bool {
        guard let known = open, now < known.until else {
            open = nil
            return false
        }
        guard text == known.code.digits else {
            open = known.left > 1 ? (known.code, known.until, known.left - 1) : nil
            return false
        }
        open = nil
        return true
    }
}
