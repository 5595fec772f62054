/// How much a client of the Model Context Protocol may have done.
package enum MCPLimits {
    /// Bytes of one line.
    package static let lineBytes = 1 << 20
    /// Messages in one line.
    package static let batch = 64
    /// Calls that are under way.
    package static let calls = 8
    /// Calls at once.
    package static let burst = 60
    /// The pause after which one more call is taken.
    package static let pause = Duration.milliseconds(500)
    /// Lines that cannot be read, before the client is given up.
    package static let unreadable = 100
    /// Bytes of the name and of the version by which a client calls itself.
    package static let nameBytes = 128
}
