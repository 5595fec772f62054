/// How long to wait before a gateway is tried again: one second, doubled with each try that fails, up to thirty. A value; chance comes in from outside.
package struct GatewayBackOff: Sendable, Hashable {
    /// The first pause, before chance.
    package static let first = Duration.seconds(1)
    /// No pause is longer than so many first ones.
    package static let longest = 30
    /// How long a connection must have lasted before it counts as a good one. One that is let in and thrown out again does not.
    package static let stable = Duration.seconds(60)
    /// The pause after the gateway said that it is only starting anew.
    package static let announced = Duration.milliseconds(500)

    /// Tries that failed in a row.
    package private(set) var failures = 0

    private let unit: Duration

    /// - Parameter unit: the first pause; tests have less time.
    package init(unit: Duration = Self.first) { self.unit = unit }

    /// A try failed, or a connection was lost.
    /// - Parameters:
    ///   - lasted: how long the connection was there; nil if there was none.
    ///   - chance: 0 up to 1. A quarter of the pause is left to it, so that not all clients come back at once.
    /// - Returns: how long to wait.
    package mutating func pause(lasted: Duration?, isAnnounced: Bool = false, chance: Double) -> Duration {
        if let lasted, lasted >= Self.stable { failures = 0 }
        failures = min(failures + 1, 63)
        if isAnnounced, failures == 1 { return min(Self.announced, unit) }
        return unit * min(1 << min(failures - 1, 6), Self.longest) * (0.75 + 0.25 * min(max(chance, 0), 1))
    }
}
